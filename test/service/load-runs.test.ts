// Load runs as the built service is told of them: by its own tool, and by whoever else keeps to the routes.

import { t, test } from 'tap'
import { makeId } from '../../src/runtime/ids.js'
import { startLoad } from '../bench/load-tool.js'
import { makeOrganization } from '../support/organization.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const service = await startService(t)
const runs = '/api/v1/load-runs'
const percentiles = { p50: 5, p90: 8, p99: 20, p999: 40, maximum: 55 }

const about = (at: number) => ({
  started_at: new Date(at).toISOString(),
  profile: 'mixed',
  charge_points: 100,
  figures: {
    sent: 1_001,
    answered: 1_000,
    errors: 1,
    answered_per_second: 99.5,
    target_per_second: 100,
    latency_milliseconds: percentiles,
    service_time_milliseconds: null,
    tool_late_milliseconds: 0.4,
  },
})
const progress = (at: number) => ({
  ...about(at),
  phase: 'measured',
  elapsed_seconds: 10,
  remaining_seconds: 50,
  connected: 100,
  curve: { step_seconds: 1, answered_per_second: [1, null], p99_milliseconds: [20, null], errors: [0, 0] },
})
const result = (at: number, more: object = {}) => ({
  ...about(at),
  ended_at: new Date(at + 60_000).toISOString(),
  ended_by: 'duration',
  result: { tool: { name: 'ampshard load' }, ...more },
})
const idAt = (at: number): string => makeId('run', at, Math.random)

test('load runs - the tool reports how it fares, is asked to end early, and leaves its result', async (t) => {
  const load = startLoad(
    t,
    [
      ...['--url', service.ocppUrl, '--register', '--charge-points', '5', '--rate', '50', '--profile', 'heartbeat'],
      ...['--duration', '5m', '--report-to', service.url],
    ],
    { AMPSHARD_API_KEY: service.key },
  )
  const running = await until(async () => {
    const { body } = await service.request('GET', runs)
    return body.running.find(({ figures }: { figures: { answered: number } }) => figures.answered > 50)
  })
  t.match(running, { status: 'running', profile: 'heartbeat', charge_points: 5, ended_at: null, ended_by: null })
  t.equal(running.figures.target_per_second, 50)
  t.ok(running.figures.latency_milliseconds.p99 > 0)
  const { body: shown } = await service.request('GET', `${runs}/${running.run_id}`)
  t.match(shown, { progress: { phase: 'measured', connected: 5 }, is_asked_to_end: false, result: null })
  t.ok(shown.progress.remaining_seconds > 200)
  const { curve } = shown.progress
  t.equal(curve.step_seconds, 1)
  t.ok(curve.answered_per_second.some((value: number | null) => value !== null && value > 20))

  t.match(await service.request('POST', `${runs}/${running.run_id}/end`), { status: 202 })
  const end = await load.ended
  t.match(end.output, 'Somebody has asked to end the run: it ends now.')
  t.equal(end.results().endedBy, 'signal')
  const { body: ended } = await service.request('GET', `${runs}/${running.run_id}`)
  t.match(ended, { status: 'ended', ended_by: 'signal', progress: null })
  t.same(ended.result, end.results(), 'the whole result, as it is in the file')
  t.equal(ended.figures.answered, end.results().summary.answered)
  const { body: list } = await service.request('GET', runs)
  t.same(list.running, [])
  t.match(list.data, [{ run_id: running.run_id, status: 'ended' }])
  t.notOk('result' in list.data[0])
})

test('load runs - a report is not stored and leaves no entry in the audit log; a result does, once', async (t) => {
  const at = Date.now() - 60_000
  const id = idAt(at)
  for (let report = 0; report < 3; report++)
    t.match(await service.request('PUT', `${runs}/${id}`, progress(at)), {
      status: 200,
      body: { is_asked_to_end: false },
    })
  t.match(await service.request('GET', `${runs}/${id}`), { status: 200, body: { status: 'running' } })
  const entries = async () =>
    (await service.request('GET', '/api/v1/org/audit-log')).body.data.filter(({ path }: { path: string }) =>
      path.includes(id),
    )
  t.equal((await entries()).length, 0)
  t.match(await service.request('POST', `${runs}/${id}/result`, result(at)), { status: 200 })
  const again = { ...result(at), profile: 'idle' }
  t.match(await service.request('POST', `${runs}/${id}/result`, again), { status: 200, body: { profile: 'mixed' } })
  t.match((await entries())[0], { action: 'reportLoadRunResult' })
  t.match(await service.request('GET', runs), { body: { running: [] } })
  t.match(await service.request('POST', `${runs}/${id}/end`), { status: 404, body: { error: { code: 'not_found' } } })
})

test('load runs - the newest hundred are kept, and a result has at most a mebibyte', async (t) => {
  const newest = Date.now()
  const ids = Array.from({ length: 102 }, (_, index) => idAt(newest + index))
  for (const [index, id] of ids.entries())
    t.match(await service.request('POST', `${runs}/${id}/result`, result(newest + index)), { status: 200 }, `${index}`)
  const { body } = await service.request('GET', `${runs}?per_page=100`)
  t.equal(body.total, 100)
  t.same(
    body.data.map(({ run_id }: { run_id: string }) => run_id),
    ids.slice(2).reverse(),
  )
  t.match(await service.request('GET', `${runs}/${ids[0]}`), { status: 404 })
  const large = idAt(newest + 1_000)
  const text = 'x'.repeat(1_000_000)
  t.match(await service.request('POST', `${runs}/${large}/result`, result(newest, { text })), { status: 200 })
  t.equal((await service.request('GET', `${runs}/${large}`)).body.result.text, text)
  const tooLarge = result(newest, { text: 'x'.repeat(1_048_576) })
  t.match(await service.request('POST', `${runs}/${idAt(newest)}/result`, tooLarge), { status: 413 })
})

test('load runs - no other organization has any, and what makes no sense is refused', async (t) => {
  const other = await makeOrganization(service)
  const id = idAt(Date.now())
  const refused = { status: 403, body: { error: { code: 'forbidden' } } }
  t.match(await other.request('GET', runs), refused)
  t.match(await other.request('PUT', `${runs}/${id}`, progress(Date.now())), refused)
  t.match(await other.request('POST', `${runs}/${id}/result`, result(Date.now())), refused)
  const wrong = { status: 400, body: { error: { code: 'validation_error' } } }
  t.match(await service.request('PUT', `${runs}/run.x`, progress(Date.now())), { status: 404 })
  t.match(await service.request('PUT', `${runs}/${id}`, { ...progress(Date.now()), charge_points: -1 }), wrong)
  const long = new Array(301).fill(1)
  const { curve } = progress(0)
  t.match(
    await service.request('PUT', `${runs}/${id}`, {
      ...progress(Date.now()),
      curve: { ...curve, answered_per_second: long },
    }),
    wrong,
  )
})

test('load runs - a run that nobody takes reports of goes on', async (t) => {
  const load = startLoad(
    t,
    [
      ...['--url', service.ocppUrl, '--register', '--charge-points', '2', '--profile', 'heartbeat', '--rate', '20'],
      ...['--duration', '2s', '--report-to', 'http://127.0.0.1:9', '--max-errors', '0'],
    ],
    { AMPSHARD_API_KEY: service.key },
  )
  const { code, errorOutput } = await load.ended
  t.equal(code, 0)
  t.match(errorOutput, /takes no report/)
  t.match(errorOutput, /the run could not be reported/)
})
