// The charge points of installers: registered, seen, changed, commissioned and handed over.

import { type Test, test } from 'tap'
import { commissioningAddress } from '../../src/actors/commissioning/messages.js'
import { chargePointsTable, type Installed, type InstalledChargePoint } from '../../src/records/charge-point.js'
import { sessionsTable } from '../../src/records/session.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/installer/charge-points'
const own = `${path}/CP-1`
const box = {
  charge_point_id: 'CP-1',
  model: 'Wall Box 22',
  vendor: 'Example',
  serial_number: 'WB22-000123',
  project_id: 'Quayside',
}

const installerIn = (service: TestApi, options = {}) =>
  installerOf(
    {
      request: (method, target, body, headers = {}) =>
        service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>,
    },
    options,
  )

interface Stage {
  readonly service: TestApi
  readonly installer: TestInstaller
}

/** A service with an installer, who has registered CP-1. */
async function registered(): Promise<Stage> {
  const service = await createTestApi()
  const installer = await installerIn(service)
  const { status } = await installer.request('POST', path, box)
  if (status !== 201) throw new Error(`it was not registered: ${status}`)
  return { service, installer }
}

/** What routes of others do with the row. */
async function put({ service }: Stage, fields: Partial<Installed>): Promise<void> {
  const row = service.store.view().get(chargePointsTable, ['CP-1']) as InstalledChargePoint
  await service.put(chargePointsTable, { ...row, version: row.version + 1, installed: { ...row.installed, ...fields } })
}

async function connect({ service }: Stage, serialNumber = box.serial_number): Promise<number> {
  const connection = service.connect('CP-1', () => ({ status: 'Accepted' }))
  const boot = { chargePointVendor: 'Example', chargePointModel: 'One', chargePointSerialNumber: serialNumber }
  service.tellFrom(connection, 'BootNotification', boot)
  await service.settled()
  return connection
}

const claim = (service: TestApi) => service.call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))

function refuses(t: Test, answer: { status: number; body: unknown }, status: number, code: string, what = code) {
  t.match(answer, { status, body: { error: { code } } }, what)
}

test('installer charge points - one is registered, found, changed and deleted', async (t) => {
  const service = await createTestApi()
  const installer = await installerIn(service)
  const location = { latitude: 52.37, longitude: 4.9, address: 'Example street 1' }
  const made = await installer.request('POST', path, { ...box, location })
  t.equal(made.status, 201)
  t.match(made.body, {
    ...box,
    location,
    status: 'registered',
    ocpp_endpoint: 'ws://127.0.0.1:8080/ocpp16/CP-1',
    tls_enabled: false,
    identity_verified: false,
    claimed: false,
    commissioned_at: null,
    last_seen_at: null,
  })
  t.same((await installer.request('GET', own)).body, made.body)
  const changed = await installer.request('PUT', own, {
    model: 'Wall Box 11',
    location: { address: 'Elsewhere' },
    charge_point_id: 'CP-2',
    serial_number: 'OTHER',
  })
  t.match(changed.body, { ...box, model: 'Wall Box 11', location: { latitude: null, address: 'Elsewhere' } })
  t.equal((await installer.request('PUT', own, { location: null })).body.location, null)
  refuses(t, await installer.request('PUT', own, { location: { latitude: 1 } }), 400, 'validation_error')
  t.equal((await installer.request('DELETE', own)).status, 204)
  refuses(t, await installer.request('GET', own), 404, 'not_found')
  t.equal((await installer.request('POST', path, box)).status, 201)
})

test('installer charge points - nobody registers one before the terms are accepted', async (t) => {
  const service = await createTestApi()
  const installer = await installerIn(service, { withoutTerms: true })
  const refused = await installer.request('POST', path, box)
  t.equal(refused.status, 403)
  t.match(JSON.stringify(refused.body), 'terms_required')
  t.match((await installer.request('GET', path)).body, { charge_points: [], total: 0 })
})

test('installer charge points - ids and serial numbers are taken once, and what is another’s does not exist', async (t) => {
  const { service, installer } = await registered()
  const other = await installerIn(service)
  await service.register('CP-9', { serial_number: 'SN-9' })
  const register = (fields: object) => other.request('POST', path, { ...box, ...fields })
  for (const charge_point_id of ['CP-1', 'cp-1', 'CP-9', 'SN-9']) {
    const refused = await register({ charge_point_id, serial_number: 'SN-2' })
    refuses(t, refused, 409, 'charge_point_exists', charge_point_id)
    const { body } = await service.call('POST', '/api/v1/chargepoints', registrationOf('cp-9'))
    const says = (text: string) => text.replace(/[^ ]*-\d/g, '')
    t.equal(says(refused.body.error.message), says(body.error.message), 'it says no more than an operator is told')
  }
  for (const serial_number of [box.serial_number, 'wb22-000123', 'CP-1', 'SN-9', 'CP-9'])
    refuses(t, await register({ charge_point_id: 'CP-2', serial_number }), 409, 'serial_number_taken', serial_number)
  for (const charge_point_id of ['search', 'a_b', 'x'.repeat(49)])
    refuses(t, await register({ charge_point_id }), 400, 'validation_error', charge_point_id)
  for (const [method, target, body] of [
    ['GET', own],
    ['PUT', own, { model: 'Mine' }],
    ['DELETE', own],
    ['GET', `${own}/status`],
    ['POST', `${own}/commission`],
  ] as const) {
    const absent = await other.request(method, target.replace('CP-1', 'CP-7'), body)
    const another = await other.request(method, target, body)
    refuses(t, another, 404, 'not_found', `${method} ${target}`)
    t.equal(another.body.error.message, absent.body.error.message)
  }
  t.match((await other.request('GET', path)).body, { total: 0 })
  t.match((await installer.request('GET', path)).body, { total: 1 })
  const both = await Promise.all(
    [installer, other].map(({ request }) =>
      request('POST', path, { ...box, charge_point_id: 'CP-5', serial_number: 'S5' }),
    ),
  )
  t.same(both.map(({ status }) => status).sort(), [201, 409], 'of two installers with one charge point, one has it')
})

test('installer charge points - the list goes by project and status, which follows what the charge point does', async (t) => {
  const stage = await registered()
  const { service, installer } = stage
  const another = { ...box, charge_point_id: 'CP-2', serial_number: 'WB22-000124', project_id: 'Harbour' }
  await installer.request('POST', path, another)
  const ids = async (query: string) => {
    const { body } = await installer.request('GET', `${path}?${query}`)
    t.equal(body.total, body.charge_points.length)
    return body.charge_points.map(({ charge_point_id }: { charge_point_id: string }) => charge_point_id)
  }
  t.same(await ids('project_id=Harbour'), ['CP-2'])
  t.same(await ids('status=registered'), ['CP-1', 'CP-2'])
  const { body } = await installer.request('GET', `${path}?per_page=1`)
  const { serial_number: _, ...listed } = box
  t.same(body.charge_points, [{ ...listed, status: 'registered', last_seen_at: null }])
  t.match(body, { total: 2, page: 1, per_page: 1 })
  refuses(t, await installer.request('GET', `${path}?per_page=101`), 400, 'validation_error')
  await put(stage, { configured_at: new Date(service.now()).toISOString() })
  t.same(await ids('status=configured'), ['CP-1'])
  const connection = await connect(stage)
  t.same(await ids('status=connected&project_id=Quayside'), ['CP-1'])
  t.match((await installer.request('GET', own)).body, { identity_verified: true, last_seen_at: String })
  await connect(stage, 'ANOTHER-BOX')
  t.match((await installer.request('GET', own)).body, { identity_verified: false, status: 'connected' })
  service.disconnect(connection + 1)
  await service.settled()
  t.same(await ids('status=offline'), ['CP-1'])
})

test('installer charge points - one is deleted only while it is offline and nobody charges, and its history stays', async (t) => {
  const stage = await registered()
  const { service, installer } = stage
  const connection = await connect(stage)
  refuses(t, await installer.request('DELETE', own), 409, 'conflict')
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TEST', meterStart: 0, timestamp })
  await service.settled()
  const [session] = service.store.view().list(sessionsTable, [])
  t.equal(session?.organization_id, installer.id)
  const status = (await installer.request('GET', `${own}/status`)).body
  t.match(status, { charge_point_id: 'CP-1', operational_status: 'charging', last_updated_at: String })
  t.match(status.connectors, [{ connector_id: 1, active_transaction_id: String(session?.transaction_id) }])
  service.disconnect(connection)
  await service.settled()
  refuses(t, await installer.request('DELETE', own), 409, 'conflict')
  const stop = { transactionId: session?.transaction_id, meterStop: 5, timestamp }
  const again = await connect(stage)
  service.tellFrom(again, 'StopTransaction', stop)
  await service.settled()
  service.disconnect(again)
  await service.settled()
  t.equal((await installer.request('DELETE', own)).status, 204)
  t.match(service.store.view().list(sessionsTable, []), [{ status: 'completed', organization_id: installer.id }])
  const reasons = service.store
    .view()
    .list(wakeUpsTable, ['commissioning', 'CP-1'])
    .map(({ reason }) => reason)
  t.match(reasons, [new RegExp(`^removed/${installer.id}/`)], 'commissioning hears of it')
})

test('installer charge points - commissioning needs a connection and a configuration, and happens once', async (t) => {
  const stage = await registered()
  const { service, installer } = stage
  const commission = () => installer.request('POST', `${own}/commission`)
  refuses(t, await commission(), 409, 'not_connected')
  const connection = await connect(stage)
  refuses(t, await commission(), 409, 'configuration_incomplete')
  await put(stage, { configured_at: new Date(service.now()).toISOString() })
  const issue = { category: 'other', severity: 'low', description: 'The label with its number is missing.' }
  await installer.request('POST', '/api/v1/installer/commissioning/CP-1/report-issue', issue)
  const done = await commission()
  t.equal(done.status, 200)
  t.match(done.body, { charge_point_id: 'CP-1', status: 'commissioned', commissioned_at: String, open_issue_count: 1 })
  t.match(done.body.open_issues, [{ reference_number: /^ISS-/, ...issue }], 'what is left to do')
  const { commissioned_at } = done.body
  refuses(t, await commission(), 422, 'already_commissioned')
  t.match((await installer.request('GET', own)).body, { status: 'commissioned', commissioned_at })
  service.disconnect(connection)
  await service.settled()
  t.equal((await installer.request('GET', own)).body.status, 'offline')
  await connect(stage)
  t.equal((await installer.request('GET', own)).body.status, 'commissioned')
})

test('installer charge points - one that was claimed is still seen, and commissioned, which completes the handover', async (t) => {
  const stage = await registered()
  const { service, installer } = stage
  await connect(stage)
  await put(stage, { configured_at: new Date(service.now()).toISOString() })
  const before = (await installer.request('GET', own)).body
  t.equal((await claim(service)).status, 201)
  await service.settled()
  const events = async () => (await service.call('GET', '/api/v1/events?types=handover.completed')).body.data
  t.same(await events(), [])
  t.match((await installer.request('GET', own)).body, { ...before, claimed: true, last_seen_at: String })
  t.match((await installer.request('GET', path)).body, { total: 1 })
  refuses(t, await installer.request('PUT', own, { model: 'Mine' }), 409, 'charge_point_claimed')
  refuses(t, await installer.request('DELETE', own), 409, 'charge_point_claimed')
  for (const what of ['template', 'download'])
    refuses(t, await installer.request('GET', `${own}/config/${what}`), 409, 'charge_point_claimed', what)
  t.match((await installer.request('GET', `${own}/status`)).body, { operational_status: 'available' })
  t.equal((await installer.request('POST', `${own}/commission`)).status, 200)
  t.match(await events(), [{ data: { charge_point_id: 'CP-1' } }])
  t.match((await installer.request('GET', `${own}/status`)).body, { operational_status: 'handed_over', connectors: [] })
  refuses(t, await installer.request('GET', `${own}/certificates`), 409, 'charge_point_claimed')
  const issue = { category: 'other', severity: 'low', description: 'The label with its number is missing.' }
  const report = await installer.request('POST', '/api/v1/installer/commissioning/CP-1/report-issue', issue)
  refuses(t, report, 409, 'charge_point_claimed')
  t.match((await installer.request('GET', path)).body, { charge_points: [{ last_seen_at: null }] })
  await service.call('PATCH', '/api/v1/chargepoints/CP-1', { serial_number: 'REPLACED' })
  t.match(
    (await installer.request('GET', own)).body,
    { ...box, last_seen_at: null },
    'what the organization says is not shown',
  )
  const theirs = await service.call('GET', '/api/v1/chargepoints/CP-1')
  t.match(theirs.body, { online: true, serial_number: 'REPLACED' })
  t.notMatch(JSON.stringify(theirs.body), installer.id)
})

test('installer charge points - an organization ends what the installer of its charge point may do', async (t) => {
  const stage = await registered()
  const { service, installer } = stage
  const ended = '/api/v1/chargepoints/CP-1/installer'
  const end = () => service.call('DELETE', ended)
  const commissioning = (what: string) => installer.request('POST', `/api/v1/installer/commissioning/CP-1/${what}`)
  t.equal((await end()).status, 404, 'nobody has claimed it')
  await connect(stage)
  await put(stage, { configured_at: new Date(service.now()).toISOString() })
  t.equal((await commissioning('start')).status, 202)
  t.equal((await commissioning('pause')).status, 200)
  t.match(await claim(service), { status: 201, body: { handover: { note: new RegExp(`DELETE ${ended} ends that`) } } })
  await service.settled()
  t.equal((await end()).status, 204)
  t.equal((await end()).status, 204)
  const { body: events } = await service.call('GET', '/api/v1/events?types=handover.completed')
  t.match(events.data, [{ data: { charge_point_id: 'CP-1' } }], 'once')
  for (const what of ['start', 'restart', 'resume']) refuses(t, await commissioning(what), 409, 'charge_point_claimed')
  refuses(t, await installer.request('POST', `${own}/commission`), 409, 'charge_point_claimed')
  t.match((await installer.request('GET', `${own}/status`)).body, { operational_status: 'handed_over', connectors: [] })
  service.services.tell(commissioningAddress('CP-1'), { type: 'wake-up', reason: 'look' })
  await service.settled()
  const { body: session } = await installer.request('GET', '/api/v1/installer/commissioning/CP-1/status')
  t.match(session, { status: 'stopped' })
  await service.register('CP-2')
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-2/installer')).status, 404, 'it has none')
})

test('installer charge points - whose id an installer has taken as a serial number learns whom to ask', async (t) => {
  const { service } = await registered()
  const answer = await service.call('POST', '/api/v1/chargepoints', registrationOf(box.serial_number))
  refuses(t, answer, 409, 'charge_point_exists')
  t.match(answer.body.error.message, /ask the operator of the installation/)
})
