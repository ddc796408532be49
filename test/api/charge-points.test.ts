// The registry of charge points: registered, read, updated, deleted.

import { test } from 'tap'
import { reservedIds } from '../../src/records/charge-point.js'
import { createTestApi, routes } from './fixture.js'

const registration = {
  charge_point_id: 'CP-1',
  name: 'Bay 1',
  latitude: 52.37,
  longitude: 4.9,
  address: 'Example street 1',
  connector_count: 2,
  max_power_kw: 22,
}

test('charge points - a registered one is offline, readable, changeable and removable', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/chargepoints', registration)
  t.equal(made.status, 201)
  t.match(made.body, { charge_point_id: 'CP-1', name: 'Bay 1', status: 'offline' })
  t.equal(made.body.ocpp_endpoint, 'ws://127.0.0.1:8080/ocpp16/CP-1')
  const read = await service.call('GET', '/api/v1/chargepoints/CP-1')
  t.match(read.body, { ...registration, status: 'offline', created_at: made.body.created_at })
  await service.pass(1_000)
  const changed = await service.call('PATCH', '/api/v1/chargepoints/CP-1', {
    name: 'Bay 2',
    max_power_kw: 11,
    latitude: 51,
    ping_interval_seconds: 0,
  })
  t.equal(changed.status, 200)
  t.match(changed.body, { ...registration, name: 'Bay 2', max_power_kw: 11, latitude: 51, ping_interval_seconds: 0 })
  t.ok(changed.body.updated_at > changed.body.created_at)
  t.same((await service.call('GET', '/api/v1/chargepoints/CP-1')).body, changed.body)
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  t.equal((await service.call('GET', '/api/v1/chargepoints/CP-1')).status, 404)
  t.equal((await service.call('POST', '/api/v1/chargepoints', registration)).status, 201)
})

test('charge points - on how many phases one charges, and how it is wired, are said where they are known', async (t) => {
  const service = await createTestApi()
  const wired = { phases: 3, phase_rotation: 'STR' }
  t.equal((await service.call('POST', '/api/v1/chargepoints', { ...registration, ...wired })).status, 201)
  const read = async () => (await service.call('GET', '/api/v1/chargepoints/CP-1')).body
  t.match(await read(), wired)
  const change = (body: object) => service.call('PATCH', '/api/v1/chargepoints/CP-1', body)
  const refused = { status: 400, body: { error: { details: [{ path: '/phase_rotation' }] } } }
  t.match(await change({ phase_rotation: 'S' }), refused, 'three phases on one line')
  t.match(await change({ phase_rotation: 'RRT' }), refused)
  t.match(await change({ phases: 2 }), { status: 400, body: { error: { details: [{ path: '/phases' }] } } })
  t.match(await read(), wired)
  t.match((await change({ phases: 1, phase_rotation: 'S' })).body, { phases: 1, phase_rotation: 'S' })
  t.match((await change({ name: 'Bay 2' })).body, { phases: 1, phase_rotation: 'S' })
  t.match(await change({ phases: null }), refused, 'three are assumed')
  t.match((await change({ phases: null, phase_rotation: null })).body, { phases: null, phase_rotation: null })
  await service.register('CP-2')
  t.match((await service.call('GET', '/api/v1/chargepoints/CP-2')).body, { phases: null, phase_rotation: null })
})

test('charge points - an id is taken once, whatever its case and whoever has it', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('CP-a', {}, other.key)
  for (const id of ['CP-a', 'cp-A', 'CP-A']) {
    const { status, body } = await service.call('POST', '/api/v1/chargepoints', {
      ...registration,
      charge_point_id: id,
    })
    t.equal(status, 409, id)
    t.equal(body.error.code, 'charge_point_exists')
    t.match(body.error.message, 'differs only in case')
  }
  for (const id of ['bulk', 'history', 'search', '', 'a_b', 'x'.repeat(49)]) {
    const { body } = await service.call('POST', '/api/v1/chargepoints', { ...registration, charge_point_id: id })
    t.equal(body.error.code, 'validation_error', id)
  }
})

test('charge points - of two registrations of one id at the same time, one wins', async (t) => {
  const service = await createTestApi()
  const both = await Promise.all([1, 2].map(() => service.call('POST', '/api/v1/chargepoints', registration)))
  t.same(both.map(({ status }) => status).sort(), [201, 409])
})

test('charge points - changes at the same time are all kept', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const change = (body: unknown) => service.call('PATCH', '/api/v1/chargepoints/CP-1', body)
  const answers = await Promise.all([change({ name: 'New' }), change({ address: 'Elsewhere' })])
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.match((await service.call('GET', '/api/v1/chargepoints/CP-1')).body, { name: 'New', address: 'Elsewhere' })
})

test('charge points - one with a running session stays; removing one closes its socket', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 10, timestamp })
  await service.settled()
  const { status, body } = await service.call('DELETE', '/api/v1/chargepoints/CP-1')
  t.equal(status, 409)
  t.equal(body.error.code, 'conflict')
  t.match(body.error.message, 'POST /api/v1/sessions/{session_id}/close')
  const running = await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  const transactionId = running.body.active_transactions[0].transaction_id
  service.tellFrom(connection, 'StopTransaction', { transactionId, meterStop: 20, timestamp })
  await service.settled()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  t.same(service.closed, [connection])
  t.equal((await service.call('GET', '/api/v1/cpo/fleet/summary')).body.total, 0)
})

test('charge points - an id that is registered again, by another organization, begins anew', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  await service.settled()
  t.equal((await service.call('DELETE', '/api/v1/chargepoints/CP-1')).status, 204)
  await service.settled()
  service.disconnect(connection)
  const other = await service.addOrganization()
  await service.register('CP-1', {}, other.key)
  service.connect('CP-1')
  await service.settled()
  const total = async (key: string) =>
    (await service.call('GET', '/api/v1/cpo/fleet/summary', undefined, { key })).body.online
  t.equal(await total(other.key), 1, 'its new owner sees it')
  t.equal(await total(service.operator.key), 0)
})

test('charge points - no charge point has an id that a route has in the place of one', (t) => {
  const fixed = routes.flatMap(({ path }) => {
    const words = path.split('/')
    const at = words.indexOf('{charge_point_id}')
    if (at < 0) return []
    // A parameter may be any word: paths of the same length are alike where neither names another.
    const hides = (other: readonly string[]) =>
      other.length === words.length &&
      other.every((word, place) => place === at || word === words[place] || `${word}${words[place]}`.includes('{'))
    return routes
      .map((route) => route.path.split('/'))
      .filter(hides)
      .map((other) => other[at] as string)
  })
  t.same(new Set(fixed.filter((word) => !word.startsWith('{'))), reservedIds)
  t.end()
})
