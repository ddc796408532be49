// The outbound thread as the service runs it: its jobs by name, its death, and what a caller hears of both.

import type { Worker } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { createJobPools, type JobPools } from '../../../src/process/job-pools.js'
import { limits } from '../../../src/process/limits.js'
import type { Settings } from '../../../src/settings.js'
import { startService } from '../../support/service.js'
import { until } from '../../support/until.js'
import { post, startCanary } from './canary.js'
import { answerOf, startReceiver } from './receiver.js'

interface Pools extends JobPools {
  /** The threads that were started, in order. */
  readonly threads: readonly Worker[]
  readonly logged: readonly unknown[]
}

function startPools(t: Test, allowInsecure: boolean): Pools {
  const threads: Worker[] = []
  const logged: unknown[] = []
  const note = (worker: Worker): number => threads.push(worker)
  process.on('worker', note)
  const settings = { allow_insecure_webhooks: allowInsecure } as Settings
  const pools = createJobPools(settings, { error: (...said: unknown[]) => logged.push(said) })
  t.teardown(async () => {
    process.off('worker', note)
    await pools.stop()
  })
  return { ...pools, threads, logged }
}

test('outbound - http-request and check-url are jobs', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const { runJob, threads } = startPools(t, true)
  t.match(await runJob('http-request', post(receiver.url)), { ok: true, value: { type: 'answered', body: 'ok' } })
  t.same(await runJob('check-url', { url: 'http://localhost:9000/' }), { ok: true, value: undefined })
  t.match(await runJob('check-url', { url: 'ftp://localhost/' }), { ok: true, value: /^it is not a URL/ })
  t.equal(threads.length, 1, 'in one thread')
  t.match(await runJob('no-such-job', {}), { ok: false, message: /no-such-job/ })
})

test('outbound - the thread looks after its connections while it has no job', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const { runJob } = startPools(t, true)
  await runJob('http-request', post(receiver.url))
  t.equal(receiver.open(), 1)
  await until(() => receiver.open() === 0)
})

test('outbound - the setting decides what the thread calls', async (t) => {
  const canary = await startCanary(t)
  const { runJob } = startPools(t, false)
  const url = `https://127.0.0.1:${canary.port}/`
  t.match(await runJob('check-url', { url }), { ok: true, value: /not public/ })
  t.match(await runJob('http-request', post(url)), { ok: true, value: { type: 'failed', reason: 'unsafe_address' } })
  t.same(canary.connections, [])
})

test('outbound - when the thread ends, its jobs come back as not done, and the next run in another', async (t) => {
  let silent = true
  const receiver = await startReceiver(t, (socket) => {
    if (!silent) socket.write(answerOf('200 OK', 'ok'))
  })
  const { runJob, threads } = startPools(t, true)
  for (let deaths = 1; deaths <= 3; deaths++) {
    silent = true
    const before = receiver.requests.length
    const running = Array.from({ length: 10 }, () => runJob('http-request', post(receiver.url, { timeoutMs: 60_000 })))
    await until(() => receiver.requests.length === before + 10)
    await threads.at(-1)?.terminate()
    for (const outcome of await Promise.all(running)) t.match(outcome, { ok: false, message: String })
    silent = false
    t.match(await runJob('http-request', post(receiver.url)), { ok: true, value: { status: 200 } })
    t.equal(threads.length, deaths + 1)
  }
})

test('outbound - when the thread ends without jobs, the next job has another', async (t) => {
  const receiver = await startReceiver(t, (socket) => socket.write(answerOf('200 OK', 'ok')))
  const { runJob, threads } = startPools(t, true)
  await runJob('http-request', post(receiver.url))
  await threads[0]?.terminate()
  t.match(await runJob('http-request', post(receiver.url)), { ok: true, value: { status: 200 } })
  t.equal(threads.length, 2)
})

test('outbound - more jobs than there is room for come back as not done, and the others are done', async (t) => {
  const { runJob } = startPools(t, true)
  const room = limits.outboundRequests + limits.outboundQueue
  const asked = Array.from({ length: room + 1_000 }, (_, at) =>
    runJob('check-url', { organization_id: `org_${at % 5}`, url: 'ftp://a' }),
  )
  const outcomes = await Promise.all(asked)
  const refused = outcomes.filter(({ ok }) => !ok).length
  t.ok(refused > 0 && refused <= 1_000, String(refused))
  const own = limits.outboundRequestsPerOrganization + limits.outboundQueuePerOrganization
  const ofOne = await Promise.all(
    Array.from({ length: own + 100 }, () => runJob('check-url', { organization_id: 'org_1', url: 'ftp://a' })),
  )
  const refusedOfOne = ofOne.filter(({ ok }) => !ok).length
  t.ok(refusedOfOne > 0 && refusedOfOne <= 100, `of one organization ${refusedOfOne}`)
  t.match(await runJob('check-url', { url: 'ftp://a' }), { ok: true })
})

test('outbound - a service that allows insecure webhooks says so when it starts', async (t) => {
  const service = await startService(t, { flags: ['--allow-insecure-webhooks'] })
  await until(() => service.output().includes('insecure webhooks are allowed'))
  const careful = await startService(t)
  t.equal((await careful.request('GET', '/healthz')).status, 200)
  await careful.stop()
  t.notMatch(careful.output(), /insecure/)
})
