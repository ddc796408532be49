import { test } from 'tap'
import { bootstrapChanges } from '../../src/api/areas/organizations/bootstrap.js'
import { scopes } from '../../src/records/api-key.js'
import { connectionAttemptsTable } from '../../src/records/connection-attempt.js'
import { createTestApi } from './fixture.js'

test('id tags - made, read in any case, changed, listed and removed', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/id-tags', {
    id_tag: 'abc',
    expiry_date: '2030-01-01T02:00:00+02:00',
    label: 'Card',
  })
  t.equal(made.status, 201)
  t.match(made.body, { id_tag: 'abc', status: 'Accepted', parent_id_tag: null, label: 'Card' })
  t.equal(made.body.expiry_date, '2030-01-01T00:00:00.000Z')
  t.match((await service.call('POST', '/api/v1/id-tags', { id_tag: 'ABC' })).body.error, {
    code: 'id_tag_exists',
    message: /differs only in case/,
  })
  t.same((await service.call('GET', '/api/v1/id-tags/ABC')).body, made.body)
  const changed = await service.call('PATCH', '/api/v1/id-tags/abc', { status: 'Blocked', label: null })
  t.match(changed.body, { id_tag: 'abc', status: 'Blocked', label: null, expiry_date: '2030-01-01T00:00:00.000Z' })
  t.equal((await service.call('GET', '/api/v1/id-tags?status=Blocked')).body.total, 1)
  t.equal((await service.call('GET', '/api/v1/id-tags?status=Accepted')).body.total, 0)
  t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'x'.repeat(21) })).status, 400)
  t.equal((await service.call('DELETE', '/api/v1/id-tags/abc')).status, 204)
  t.equal((await service.call('DELETE', '/api/v1/id-tags/abc')).status, 404)
})

test('id tags - one that is called like a route can be changed and deleted all the same', async (t) => {
  const service = await createTestApi()
  t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'unknown' })).status, 201)
  t.match((await service.call('PATCH', '/api/v1/id-tags/unknown', { label: 'Card' })).body, { label: 'Card' })
  t.equal((await service.call('DELETE', '/api/v1/id-tags/unknown')).status, 204)
  t.equal((await service.call('POST', '/api/v1/id-tags/unknown')).status, 405)
})

test('sessions - a running one is metered live, a stopped one is complete', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  const startedAt = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', {
    connectorId: 1,
    idTag: 'A',
    meterStart: 1_000,
    timestamp: startedAt,
  })
  await service.settled()
  const list = async (query = '') => (await service.call('GET', `/api/v1/sessions?${query}`)).body
  const [session] = (await list('status=active')).sessions
  t.match(session, {
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: 'A',
    status: 'active',
    energy_kwh: 0,
    ended_at: null,
  })
  const { transaction_id: transactionId } = session
  const meterValue = [{ timestamp: startedAt, sampledValue: [{ value: '3500' }] }]
  service.tellFrom(connection, 'MeterValues', { connectorId: 1, transactionId, meterValue })
  await service.pass(90_000)
  const { body } = await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  t.match(body, { charge_point_id: 'CP-1', total: 1 })
  t.match(body.active_transactions, [
    {
      transaction_id: transactionId,
      connector_id: 1,
      id_tag: 'A',
      start_time: startedAt,
      meter_start: 1_000,
      current_meter_value: 3_500,
      energy_delivered_wh: 2_500,
    },
  ])
  t.ok(body.active_transactions[0].duration_seconds >= 90)
  t.equal((await service.call('GET', `/api/v1/sessions/${session.session_id}`)).body.energy_kwh, 2.5)
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 6_000, timestamp, reason: 'Local' })
  await service.settled()
  const stopped = await service.call('GET', `/api/v1/sessions/${session.session_id}`)
  t.match(stopped.body, {
    status: 'completed',
    energy_kwh: 5,
    meter_stop: 6_000,
    stop_reason: 'Local',
    ended_at: timestamp,
  })
  t.match(stopped.body, { cost: null, currency: null, tariff_id: null })
  t.equal((await list('status=active')).total, 0)
  t.equal((await list('status=completed&charge_point_id=CP-1')).total, 1)
  t.equal((await list(`from=${timestamp}`)).total, 0)
  t.equal((await list(`to=${timestamp}&charge_point_id=CP-1`)).total, 1)
  const none = await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  t.match(none.body, { charge_point_id: 'CP-1', active_transactions: [], data: [], total: 0 })
})

test('API keys - a key gives no scope that it lacks, and its text is in no list', async (t) => {
  const service = await createTestApi()
  const own = await service.addKey(service.operator.organizationId, ['write:api_keys', 'write:sessions'])
  const make = (scopes: unknown) => service.call('POST', '/api/v1/org/api-keys', { name: 'K', scopes }, { key: own })
  const made = await make(['read:sessions', 'write:sessions'])
  t.equal(made.status, 201)
  const refused = await make(['read:billing'])
  t.equal(refused.status, 403)
  t.equal(refused.body.error.code, 'forbidden')
  t.equal((await make([])).status, 400)
  t.equal((await make(['read:everything'])).status, 400)
  await service.call('GET', '/api/v1/sessions', undefined, { key: made.body.key })
  await service.settled()
  const { body } = await service.call('GET', '/api/v1/org/api-keys')
  t.equal(body.total, 3)
  t.notOk(JSON.stringify(body).includes(made.body.key.slice(-43)))
  const used = body.data.find((row: { id: string }) => row.id === made.body.id)
  t.match(used, {
    name: 'K',
    scopes: ['read:sessions', 'write:sessions'],
    created_at: String,
    last_used_at: /:00\.000Z$/,
  })
})

test('organizations - the operator makes them, each sees itself alone', async (t) => {
  const service = await createTestApi()
  const wanted = { name: 'Example Charging', country: 'NL', contact_email: 'operations@example.com' }
  const made = await service.call('POST', '/api/v1/organizations', wanted)
  t.equal(made.status, 201)
  t.match(made.body, { ...wanted, plan: 'free', api_key: /^ak_/ })
  const { api_key: key, id } = made.body
  const path = `/api/v1/organizations/${id}`
  t.match((await service.call('GET', path, undefined, { key })).body, { id, ...wanted })
  const [first] = (await service.call('GET', '/api/v1/org/api-keys', undefined, { key })).body.data
  t.equal(first.name, 'Bootstrap key')
  t.equal((await service.call('GET', path)).status, 404)
  t.equal((await service.call('POST', '/api/v1/organizations', wanted, { key })).status, 403)
  const changed = await service.call('PUT', path, { ...wanted, name: 'Renamed' }, { key })
  t.match(changed.body, { id, name: 'Renamed' })
  t.match((await service.call('GET', path, undefined, { key })).body, { name: 'Renamed' })
  t.equal((await service.call('PUT', path, { name: 'Half' }, { key })).status, 400)
  const refused = async (country: string, method = 'POST', path = '/api/v1/organizations') => {
    const { status, body } = await service.call(method, path, { ...wanted, country })
    return [status, body.error.details]
  }
  const message = 'must be an assigned country code of ISO 3166-1 alpha-2, such as NL'
  const details = [{ path: '/country', message }]
  for (const country of ['Netherlands', 'nl', 'ZZ', 'XX', 'UK', 'EU', 'AN'])
    t.same(await refused(country), [400, details], country)
  t.same(await refused('ZZ', 'PUT', `/api/v1/organizations/${service.operator.organizationId}`), [400, details])
})

test('organizations - one whose country nobody has named shows it as it is', async (t) => {
  const { call, operator } = await createTestApi()
  const path = `/api/v1/organizations/${operator.organizationId}`
  const { status, body } = await call('GET', path)
  t.match([status, body.country], [200, 'ZZ'])
  t.equal((await call('PUT', path, { name: body.name, country: 'NL', contact_email: 'a@example.com' })).status, 200)
  t.equal((await call('GET', path)).body.country, 'NL')
})

test('connection attempts - newest first, also of one id', async (t) => {
  const service = await createTestApi()
  for (const charge_point_id of ['CP-1', 'CP 2', 'CP-1']) {
    await service.put(connectionAttemptsTable, {
      attempt_id: service.newId('att'),
      organization_id: service.operator.organizationId,
      charge_point_id,
      remote_address: '192.0.2.1',
      reason: 'unknown_id',
      advice: 'Register the charge point.',
      http_status: 404,
      attempted_at: new Date(service.now()).toISOString(),
    })
    await service.pass(1_000)
  }
  const list = async (query: string) => (await service.call('GET', `/api/v1/cpo/connection-attempts?${query}`)).body
  t.match(await list(''), { total: 3, data: [{ charge_point_id: 'CP-1' }, { charge_point_id: 'CP 2' }, {}] })
  t.equal((await list('charge_point_id=CP-1')).total, 2)
  t.equal((await list('charge_point_id=CP%202&per_page=1')).data.length, 1)
  t.notOk('organization_id' in (await list('')).data[0])
})

test('bootstrap - an empty store gets one organization and one key; another start changes nothing', async (t) => {
  const service = await createTestApi()
  const again = bootstrapChanges(
    service.store.view(),
    service.now(),
    service.newId,
    service.services.randomBytes,
    'k'.repeat(40),
  )
  t.equal(again, undefined)
  t.match((await service.call('GET', `/api/v1/organizations/${service.operator.organizationId}`)).body, {
    name: 'Default',
    plan: 'enterprise',
  })
  t.match((await service.call('GET', '/api/v1/org/api-keys')).body, { total: 1, data: [{ scopes }] })
})
