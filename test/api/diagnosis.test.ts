// Why a charge point does not come online, and who is told: what could be of a tenant's charge point, and nothing of others'.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { refusalReasons } from '../../src/edge/refusal-reasons.js'
import { type ConnectionAttempt, connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { createTestApi } from './fixture.js'

const site = '198.51.100.7'
const elsewhere = '203.0.113.9'

async function installation() {
  const service = await createTestApi()
  const [one, other] = [await service.addOrganization(), await service.addOrganization()]
  let minute = 0
  /** Of an id that nobody has registered, unless an owner is given. */
  async function refused(id: string, address: string, fields: Partial<ConnectionAttempt> = {}): Promise<void> {
    const attempted_at = new Date(service.now() + ++minute * 60_000).toISOString()
    const row: ConnectionAttempt = {
      attempt_id: service.services.newId('att'),
      organization_id: service.operator.organizationId,
      charge_point_id: id,
      ...(fields.organization_id === undefined && { is_unknown: true }),
      remote_address: address,
      reason: 'unknown_charge_point',
      advice: '',
      http_status: 404,
      attempted_at,
      ...fields,
    }
    await service.services.commit([putRow(connectionAttemptsTable, row)])
  }
  const statusOf = async (id: string, key: string) =>
    (await service.call('GET', `/api/v1/chargepoints/${id}/connection-status`, undefined, { key })).body
  /** As it is told: why it could be the charge point, the id, the address, how many. */
  const told = async (id: string, key: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
    (await statusOf(id, key)).attempts.map((attempt: any) => [
      attempt.match,
      attempt.charge_point_id,
      attempt.remote_address,
      attempt.count,
    ])
  return { service, one, other, refused, statusOf, told }
}

test('diagnosis - before its first connect, a charge point is found under an id that is nearly its own', async (t) => {
  const { service, one, refused, statusOf, told } = await installation()
  await service.register('EVSE-001', { serial_number: 'SN-99999' }, one.key)
  t.match(await statusOf('EVSE-001', one.key), {
    connected: false,
    websocket_state: 'never_opened',
    ip_address: null,
    ocpp_endpoint: 'ws://127.0.0.1:8080/ocpp16/EVSE-001',
    explanation: /never been connected. Nothing that could be this charge point/,
    attempts: [],
  })
  await refused('SOMETHING-ELSE', site)
  await refused('SN-99999', site)
  await refused('EVSE-001-SECRET', site)
  await refused('EVSE-0O1', site)
  await refused('EVSE 001', elsewhere, { reason: 'bad_identity' })
  await refused('EVSE 001', elsewhere, { reason: 'bad_identity' })
  t.same(
    await told('EVSE-001', one.key),
    [
      ['spelling', 'EVSE 001', null, 2],
      ['one_character', 'EVSE-0O1', null, 1],
      ['longer', 'EVSE-001...', null, 1],
      ['serial_number', 'SN-99999', null, 1],
      ['address', null, null, 1],
    ],
    'neither addresses nor what nobody could guess is told',
  )
  t.match(await statusOf('EVSE-001', one.key), {
    explanation: /Its attempt at .* was refused\. The charge point sends the id "EVSE 001"/,
    attempts: [{ remedy: 'Set the id in the charge point to EVSE-001.' }],
  })
})

test('diagnosis - attempts under its own id are told with their cause, also those with a wrong path', async (t) => {
  const { service, one, other, refused, statusOf, told } = await installation()
  await service.register('EVSE-001', {}, one.key)
  await service.register('EVSE-002', {}, other.key)
  const owned = { organization_id: one.organizationId }
  await refused('evse-001', site, { ...owned, reason: 'wrong_password', http_status: 401 })
  await refused('EVSE-001', site, { reason: 'wrong_path' })
  t.match((await statusOf('EVSE-001', one.key)).attempts, [
    { match: 'id', reason: 'wrong_path', cause: /has to end in/, remote_address: site },
    { match: 'id', reason: 'wrong_password', cause: /wrong password/, remedy: /make a new one/, http_status: 401 },
  ])
  t.same(await told('EVSE-002', other.key), [], 'which is like it, and somebody else has')
})

test("diagnosis - two tenants' charge points behind one address do not see each other's attempts", async (t) => {
  const { service, one, other, refused, told } = await installation()
  await service.register('ALPHA-01', {}, one.key)
  await service.register('BETA-0001', {}, other.key)
  for (const id of ['ALPHA-01', 'BETA-0001']) {
    service.connect(id)
    await service.settled()
  }
  const address = '127.0.0.1'
  await refused('BETA-0001', address, { organization_id: other.organizationId, reason: 'wrong_password' })
  await refused('BETA-0O01', address)
  await refused('UNLIKE-ANY', address)
  t.same(await told('ALPHA-01', one.key), [])
  t.same(await told('BETA-0001', other.key), [
    ['one_character', 'BETA-0O01', address, 1],
    ['id', 'BETA-0001', address, 1],
  ])
})

test('diagnosis - from an address that is its own alone, an unknown id tells that there was one', async (t) => {
  const { service, one, other, refused, told } = await installation()
  await service.register('ALPHA-01', {}, one.key)
  await service.register('BETA-0001', {}, other.key)
  service.connect('ALPHA-01')
  await service.settled()
  const address = '127.0.0.1'
  await refused('UNLIKE-ANY', address)
  await refused('BETA-0002', address)
  t.same(await told('ALPHA-01', one.key), [['address', null, address, 1]], 'and nothing of what is like others')
  await refused('GAMMA', address, { organization_id: other.organizationId, reason: 'wrong_password' })
  t.same(await told('ALPHA-01', one.key), [], 'others come from there too')
})

test('diagnosis - an id that is as much like those of two tenants is told to neither; the operator has it in its list', async (t) => {
  const { service, one, other, refused, told } = await installation()
  await service.register('EVSE-001', {}, one.key)
  await service.register('EVSE-002', {}, other.key)
  await service.register('EVSE-0003', {}, service.operator.key)
  await refused('EVSE-003', site)
  t.same(await told('EVSE-001', one.key), [])
  t.same(await told('EVSE-002', other.key), [])
  await refused('EVSE 0003', site)
  t.same(await told('EVSE-0003', service.operator.key), [
    ['spelling', 'EVSE 0003', site, 1],
    ['address', 'EVSE-003', site, 1],
  ])
})

test('diagnosis - a stranger who knows the id does not hide what comes from its own address', async (t) => {
  const { service, one, refused, told } = await installation()
  await service.register('ALPHA-01', {}, one.key)
  service.disconnect(service.connect('ALPHA-01'))
  await service.settled()
  const owned = { organization_id: one.organizationId, reason: 'wrong_password' }
  await refused('ALPHA-01', '127.0.0.1', owned)
  for (let at = 0; at < 50; at++) await refused('ALPHA-01', `192.0.2.${at}`, owned)
  const lines = await told('ALPHA-01', one.key)
  t.equal(lines.length, 20)
  t.same(lines[0], ['id', 'ALPHA-01', '127.0.0.1', 1])
})

test('diagnosis - an installer is told of every refusal what an installer can do about it', async (t) => {
  const { service, refused } = await installation()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    service.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  const installer = await installerOf({ request })
  const path = '/api/v1/installer/charge-points'
  for (const [at, reason] of Object.keys(refusalReasons).entries()) {
    const id = `WALL-BOX-${at}`
    const box = { charge_point_id: id, model: 'M', vendor: 'V', serial_number: `SN-${id}`, project_id: 'P' }
    t.equal((await installer.request('POST', path, box)).status, 201)
    await refused(id, site, { organization_id: installer.id, reason })
    const { attempts, explanation } = (await installer.request('GET', `${path}/${id}/connection-status`)).body
    t.match(attempts, [{ match: 'id', reason, cause: String, remedy: String }])
    t.notMatch(attempts[0].remedy, /--|\/api\/v1\/(?!installer\/)|connector_count/, reason)
    t.match(explanation, attempts[0].remedy)
    if (reason.endsWith('_password')) t.match(attempts[0].remedy, /ask it for one/)
    // An installer whose identity nobody has approved has room for twenty.
    t.equal((await installer.request('DELETE', `${path}/${id}`)).status, 204)
  }
})
