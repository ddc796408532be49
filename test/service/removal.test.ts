// A charge point that is removed and registered again, by its own organization or by another.

import { test } from 'tap'
import { bootChargePoint, secondsAgo } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeOrganization, tenantOf } from '../support/organization.js'
import { registrationOf } from '../support/registration.js'
import { sharedService } from '../support/shared-services.js'

const shared = await sharedService()

const start = { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp: '2026-11-01T10:00:00Z' }

test('removal - a charge point that another organization registers anew belongs to that one alone', async (t) => {
  const service = await tenantOf(shared)
  const other = { authorization: `Bearer ${(await makeOrganization(shared)).key}` }
  await service.register('REMOVED-1')
  const before = await connectOcpp(`${service.ocppUrl}/REMOVED-1`)
  await before.boot({ chargePointVendor: 'Former vendor' })
  await before.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' })

  t.equal((await service.request('DELETE', '/api/v1/chargepoints/REMOVED-1')).status, 204)
  t.equal((await before.closed).code, 1000)
  t.equal((await service.request('POST', '/api/v1/chargepoints', registrationOf('REMOVED-1'), other)).status, 201)
  const fresh = await service.request('GET', '/api/v1/chargepoints/REMOVED-1', undefined, other)
  t.match(fresh.body, { status: 'offline', vendor: null, last_seen_at: null }, 'nothing is known of its former life')

  const after = await connectOcpp(`${service.ocppUrl}/REMOVED-1`)
  await after.boot()
  await after.call('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' })
  const started = await after.call('StartTransaction', start)
  const theirs = await service.request('GET', '/api/v1/sessions', undefined, other)
  t.equal(theirs.body.sessions[0]?.transaction_id, started.payload.transactionId)
  t.equal((await service.request('GET', '/api/v1/sessions')).body.total, 0, 'the former owner sees no session of it')
  const status = await service.request('GET', '/api/v1/ocpp16/charge_points/status', undefined, other)
  t.match(status.body.charge_points, [{ online: true, connectors: [{ connector_id: 1, status: 'Charging' }] }])
  const summary = await service.request('GET', '/api/v1/cpo/fleet/summary')
  t.match(summary.body, { total: 0, online: 0, active_sessions: 0, connectors: { total: 0 } })
})

test('removal - whoever registers the id next can neither end nor repeat a session of its former organization', async (t) => {
  const service = await tenantOf(shared)
  const other = { authorization: `Bearer ${(await makeOrganization(shared)).key}` }
  await service.register('REMOVED-4')
  const before = await connectOcpp(`${service.ocppUrl}/REMOVED-4`)
  await before.boot()
  const { transactionId } = (await before.call('StartTransaction', start)).payload
  const [session] = (await service.request('GET', '/api/v1/sessions')).body.sessions
  await service.request('POST', `/api/v1/sessions/${session.session_id}/close`, { reason: 'Other' })
  t.equal((await service.request('DELETE', '/api/v1/chargepoints/REMOVED-4')).status, 204)
  await before.closed
  const closed = (await service.request('GET', `/api/v1/sessions/${session.session_id}`)).body
  t.match(closed, { status: 'estimated', energy_kwh: 0 })

  await service.request('POST', '/api/v1/chargepoints', registrationOf('REMOVED-4'), other)
  const after = await connectOcpp(`${service.ocppUrl}/REMOVED-4`)
  await after.boot()
  const value = { timestamp: '2026-11-01T11:00:00Z', sampledValue: [{ value: '400000' }] }
  await after.call('MeterValues', { connectorId: 1, transactionId, meterValue: [value] })
  await after.call('StopTransaction', { transactionId, meterStop: 500_000, timestamp: '2026-11-01T12:00:00Z' })
  const repeated = (await after.call('StartTransaction', start)).payload
  t.not(repeated.transactionId, transactionId)
  t.same((await service.request('GET', `/api/v1/sessions/${session.session_id}`)).body, closed)
  const theirs = await service.request('GET', '/api/v1/sessions', undefined, other)
  t.match(theirs.body.sessions, [{ transaction_id: repeated.transactionId }], 'their own charge is theirs')
  const unmatched = await service.request('GET', '/api/v1/sessions/unmatched', undefined, other)
  t.match(
    unmatched.body.unmatched,
    [{ payload: { transactionId } }],
    'the message is kept for who has the charge point',
  )
})

test('removal - a charge point that its own organization registers again begins anew', async (t) => {
  const service = await tenantOf(shared)
  await service.register('REMOVED-2')
  const before = await connectOcpp(`${service.ocppUrl}/REMOVED-2`)
  await before.boot({ chargePointVendor: 'Former vendor' })
  await service.request('DELETE', '/api/v1/chargepoints/REMOVED-2')
  await before.closed
  await t.rejects(connectOcpp(`${service.ocppUrl}/REMOVED-2`), /404/)

  await service.register('REMOVED-2')
  const after = await connectOcpp(`${service.ocppUrl}/REMOVED-2`)
  t.equal((await after.call('StartTransaction', start)).error, 'SecurityError', 'it has to boot first')
  await after.boot()
  await after.call('StartTransaction', start)
  const shown = await service.request('GET', '/api/v1/chargepoints/REMOVED-2')
  t.match(shown.body, { online: true, vendor: /^(?!Former)/ })
  t.equal((await service.request('GET', '/api/v1/sessions')).body.total, 1)
})

test('removal - reservations end with their charge point, and are nothing to whoever registers its id next', async (t) => {
  const service = await tenantOf(shared)
  const other = { authorization: `Bearer ${(await makeOrganization(shared)).key}` }
  const before = await bootChargePoint(service, 'REMOVED-3')
  const expiry_date = secondsAgo(-3600)
  const wish = { charge_point_id: 'REMOVED-3', connector_id: 1, id_tag: 'TAG-1', expiry_date }
  const asked = service.request('POST', '/api/v1/reservations', wish)
  await before.answerNext({ status: 'Accepted' })
  const { reservation_id, ocpp_reservation_id } = (await asked).body
  await service.request('DELETE', '/api/v1/chargepoints/REMOVED-3')
  await before.closed
  const ended = { reservation_id, status: 'cancelled', cancel_reason: 'charge_point_removed' }
  const list = async () => (await service.request('GET', '/api/v1/reservations')).body.data
  t.match(await list(), [ended])

  await service.request('POST', '/api/v1/chargepoints', registrationOf('REMOVED-3'), other)
  const after = await connectOcpp(`${service.ocppUrl}/REMOVED-3`)
  await after.boot()
  const raw = async (name: string, body: object) => {
    const answer = service.request('POST', `/api/v1/ocpp16/${name}`, { charge_point_id: 'REMOVED-3', ...body }, other)
    await after.answerNext({ status: 'Accepted' })
    return answer
  }
  t.match(await raw('reserve_now', { ...wish, reservation_id: ocpp_reservation_id }), { status: 200 })
  t.match(await raw('cancel_reservation', { reservation_id: ocpp_reservation_id }), { status: 200 })
  const theirs = await service.request('GET', '/api/v1/reservations', undefined, other)
  t.match(theirs.body.data, [{ status: 'cancelled', cancel_reason: 'operator' }])
  t.match(await list(), [ended])
})

test('removal - a guest of the former organization holds no connector of whoever registers the id next', async (t) => {
  const service = await tenantOf(shared)
  const other = await makeOrganization(shared)
  const authorize = { charge_point_id: 'CP-5', connector_id: 1, payment_method_id: 'pm_card_ok' }
  const sells = async (request: typeof service.request) => {
    const tariff = { name: 'T', currency: 'EUR', components: [{ type: 'energy', price: 0.5 }] }
    const { tariff_id } = (await request('POST', '/api/v1/billing/tariffs', tariff)).body
    await request('PUT', '/api/v1/chargepoints/CP-5/tariff', { tariff_id })
  }
  const before = await bootChargePoint(service, 'CP-5')
  await sells(service.request)
  const guest = service.request('POST', '/api/v1/sessions/guest/authorize', authorize)
  await before.answerNext({ status: 'Accepted' })
  t.equal((await guest).status, 201)
  await service.request('DELETE', '/api/v1/chargepoints/CP-5')
  await before.closed
  await other.register('CP-5')
  await sells(other.request)
  const after = await connectOcpp(`${service.ocppUrl}/CP-5`)
  await after.boot()
  const theirs = other.request('POST', '/api/v1/sessions/guest/authorize', authorize)
  void after.answerNext({ status: 'Accepted' })
  t.equal((await theirs).status, 201)
  t.match(await other.request('POST', '/api/v1/sessions/guest/authorize', authorize), { status: 409 }, 'it does now')
})
