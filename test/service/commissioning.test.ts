// An installer commissions a box, over the service as it is built: the whole of it, what is refused, and what is stopped in the middle.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { inFullSuite } from '../runner/sample.js'
import { commissioningOf, commissioningPath, connectBox, installedBox } from '../support/commissioning.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService()
const sessionsPath = (id: string) => `/api/v1/installer/charge-points/${id}/status`

test('commissioning - a charge point passes all steps, each with its evidence, and a charge that nobody pays for', async (t) => {
  const [installer, other] = [await installerOf(service), await installerOf(service)]
  const id = 'COMMISSION-1'
  await installedBox(installer, id)
  const start = () => installer.request('POST', commissioningPath(id, 'start'))
  t.match(await start(), { status: 409, body: { error: { code: 'not_connected' } } })
  t.match(await installer.request('GET', commissioningPath(id, 'status')), {
    status: 409,
    body: { error: { code: 'commissioning_not_started' } },
  })
  const box = await connectBox(service, id)
  t.equal((await other.request('POST', commissioningPath(id, 'start'))).status, 404)
  t.equal((await installer.request('POST', commissioningPath(id, 'start'), { template_id: 'no' })).status, 404)
  t.match(await start(), { status: 202, body: { status: 'running', result: null, template_id: 'standard' } })
  t.match(await start(), { status: 409, body: { error: { code: 'session_already_running' } } })
  const session = await commissioningOf(installer, id, ({ status }) => status !== 'running')
  t.match(session, { status: 'completed', result: 'passed', completed_at: String })
  t.same(
    session.steps.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`),
    ['connectivity', 'heartbeat', 'configuration', 'connector_test', 'test_transaction'].map((one) => `${one} passed`),
  )
  t.match(session.steps[0].evidence, [{ sent: 'Ping', outcome: 'answered', response_time_ms: Number }])
  t.match(session.steps[1], { detail: /sent a Heartbeat on request/, evidence: [{ reported_at: String }] })
  t.match(session.steps[3], { detail: /^No connector is faulted/, evidence: [{ reported_at: String }] })
  t.match(session.steps[4], { detail: /took 12 Wh/, duration_ms: Number })
  t.equal(box.asked.filter((one) => one.startsWith('RemoteStartTransaction')).length, 1)
  const { body: logs } = await installer.request('GET', `${commissioningPath(id, 'logs')}?level=info`)
  t.ok(logs.logs.length > 0)
  t.ok(logs.logs.every(({ level }: { level: string }) => level === 'info'))
  t.match(logs, { session_id: session.session_id, total: logs.logs.length })
  t.equal((await other.request('GET', `${commissioningPath(id, 'logs')}?session_id=${session.session_id}`)).status, 404)
  const commissioned = await installer.request('POST', `/api/v1/installer/charge-points/${id}/commission`)
  t.match(commissioned, { status: 200 }, 'the configuration that was applied counts as delivered')
  t.match(await start(), { status: 422, body: { error: { code: 'already_commissioned' } } })
  await box.client.close()
})

test('commissioning - a test transaction is stopped when the commissioning is stopped in the middle of it', async (t) => {
  const installer = await installerOf(service)
  const id = 'COMMISSION-2'
  await installedBox(installer, id)
  // It never sends a meter value, so that the transaction goes on.
  const box = await connectBox(service, id, {
    answer: (_action, { requestedMessage }) =>
      requestedMessage === 'MeterValues' ? { status: 'Rejected' } : undefined,
  })
  await installer.request('POST', commissioningPath(id, 'start'))
  await commissioningOf(installer, id, ({ steps }) => steps[4].evidence.length === 2)
  const paused = await installer.request('POST', commissioningPath(id, 'pause'))
  t.match(paused, { status: 200, body: { status: 'paused', paused_at_step: 'test_transaction', paused_at: String } })
  t.match(await installer.request('POST', commissioningPath(id, 'pause')), {
    status: 409,
    body: { error: { code: 'commissioning_not_running' } },
  })
  const resumed = await installer.request('POST', commissioningPath(id, 'resume'))
  t.match(resumed, { status: 200, body: { status: 'running', resuming_at_step: 'test_transaction' } })
  await commissioningOf(installer, id, ({ steps }) => steps[4].evidence.length === 2)
  const stops = () => box.asked.filter((one) => one.startsWith('RemoteStopTransaction')).length
  t.equal(stops(), 1, 'the first was stopped before the second began')
  t.match(await installer.request('POST', commissioningPath(id, 'stop')), { status: 200, body: { status: 'stopped' } })
  t.match(await installer.request('POST', commissioningPath(id, 'resume')), {
    status: 409,
    body: { error: { code: 'commissioning_not_paused' } },
  })
  const logOf = async () => (await installer.request('GET', commissioningPath(id, 'logs'))).body.logs
  await until(async () => JSON.stringify(await logOf()).split('The test transaction has ended.').length === 3, 20_000)
  t.equal(stops(), 2)
  t.match(await installer.request('GET', sessionsPath(id)), { status: 200 })
  await box.client.close()
})

test('commissioning - a refused test transaction says why, and one that is claimed meanwhile goes on and is published', async (t) => {
  const installer = await installerOf(service)
  const organization = await tenantOf(service)
  const id = 'COMMISSION-3'
  await installedBox(installer, id)
  const box = await connectBox(service, id, {
    answer: (action) => (action === 'RemoteStartTransaction' ? { status: 'Rejected' } : undefined),
  })
  const first = await installer.request('POST', commissioningPath(id, 'start'), { skip_test_transaction: true })
  t.equal(first.body.steps.length, 4)
  const second = await installer.request('POST', commissioningPath(id, 'restart'))
  t.match(second, { status: 202, body: { status: 'running' } })
  t.equal(
    (await organization.request('POST', '/api/v1/chargepoints', registrationOf(id, { connector_count: 1 }))).status,
    201,
  )
  const session = await commissioningOf(installer, id, ({ status }) => status !== 'running')
  t.match(session, { session_id: second.body.session_id, status: 'failed', result: 'failed' })
  t.match(session.steps[4], {
    status: 'failed',
    detail: /answered Rejected when asked to start a charge on connector 1/,
  })
  const { body: events } = await organization.request('GET', '/api/v1/events?types=commissioning.failed')
  t.match(events, { data: [{ data: { charge_point_id: id, result: 'failed', session_id: session.session_id } }] })
  const { body: seen } = await organization.request('GET', `/api/v1/chargepoints/${id}/commissioning`)
  t.match(seen, { charge_point_id: id, commissioned_at: null, issues: [] })
  t.match(seen.session, { session_id: session.session_id, status: 'failed' })
  const wanted = (of: typeof session) => of.steps[2].evidence.at(-1).keys.map((key: { wanted: string }) => key.wanted)
  t.ok(wanted(seen.session).includes('300'))
  t.same([...new Set(wanted(session))], ['(redacted)'], 'what is configured is the matter of the organization')
  await box.client.close()
})

test(
  'commissioning - the process is killed in the middle of the test transaction: it is not begun twice, and ends',
  inFullSuite,
  async (t) => {
    const data = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
    t.teardown(async () => rmSync(data, { recursive: true, force: true }))
    const key = 'a-key-of-the-operator-for-this-test-alone'
    const before = await startService(t, { data, key })
    const { token, ...installer } = await installerOf(before)
    const id = 'COMMISSION-4'
    await installedBox({ token, ...installer }, id)
    const keys = new Map<string, string>()
    const first = await connectBox(before, id, {
      keys,
      answer: (_action, { requestedMessage }) =>
        requestedMessage === 'MeterValues' ? { status: 'Rejected' } : undefined,
    })
    await installer.request('POST', commissioningPath(id, 'start'))
    await commissioningOf({ token, ...installer }, id, ({ steps }) => steps[4].evidence.length === 2)
    const { body: charges } = await installer.request('GET', sessionsPath(id))
    const transactionId = Number(charges.connectors[0].active_transaction_id)
    const issue = { category: 'other', severity: 'low', description: 'The cover has a scratch on its left.' }
    const report = (of: Pick<TestInstaller, 'request'>) =>
      of.request('POST', commissioningPath(id, 'report-issue'), issue)
    t.match((await report(installer)).body, { reference_number: /-000001$/, session_id: /^com_/ })
    await before.stop('SIGKILL')
    await first.client.closed

    const after = await startService(t, { data, key })
    const again: TestInstaller = {
      ...installer,
      token,
      request: (method, path, sent) => after.request(method, path, sent, { authorization: `Bearer ${token}` }),
    }
    t.match((await report(again)).body, { reference_number: /-000002$/ }, 'numbers go on')
    const second = await connectBox(after, id, { keys, transactionId })
    const sampledValue = [{ value: '1006', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }]
    const meterValue = [{ timestamp: new Date().toISOString(), sampledValue }]
    await second.client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
    const session = await commissioningOf(again, id, ({ status }) => status !== 'running')
    t.match(session, { status: 'completed', result: 'passed' })
    const starts = [...first.asked, ...second.asked].filter((one) => one.startsWith('RemoteStartTransaction'))
    t.equal(starts.length, 1)
    const { body: logs } = await again.request('GET', `${commissioningPath(id, 'logs')}?level=warn`)
    t.match(JSON.stringify(logs), /The service was interrupted/)
    await second.client.close()
  },
)
