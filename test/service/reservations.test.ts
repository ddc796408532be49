// Reservations over the built service: the charge point's consent, use, expiry, cancellation, and what a restart leaves.

import { type Test, test } from 'tap'
import { bootChargePoint, command, historyOf, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString()

function wish(fields: Readonly<Record<string, unknown>> = {}) {
  return { charge_point_id: 'CP-1', connector_id: 1, id_tag: 'Tag-1', expiry_date: inSeconds(3600), ...fields }
}

/** Asks for a reservation and has the charge point answer; resolves with the answer and the CALL. */
async function reserve(
  service: Service,
  client: OcppClient,
  fields: Readonly<Record<string, unknown>> = {},
  status = 'Accepted',
): Promise<{ answer: Answer; call: unknown[] }> {
  const asked = service.request('POST', '/api/v1/reservations', wish(fields))
  const call = await client.answerNext({ status })
  return { answer: await asked, call }
}

const list = async (service: Service, query = '') =>
  (await service.request('GET', `/api/v1/reservations${query}`)).body.data

async function statusIs(service: Service, reservationId: string, status: string): Promise<void> {
  await until(async () =>
    (await list(service)).some(
      (row: { reservation_id: string; status: string }) =>
        row.reservation_id === reservationId && row.status === status,
    ),
  )
}

async function setUp(t: Test): Promise<{ service: Service; client: OcppClient }> {
  const service = await startService(t)
  return { service, client: await bootChargePoint(service, 'CP-1') }
}

test('reservations - one is stored when the charge point accepts it, and not otherwise', async (t) => {
  const { service, client } = await setUp(t)
  const refused = await reserve(service, client, {}, 'Occupied')
  t.match(refused.answer, { status: 422, body: { error: { code: 'ocpp_rejected', charge_point_id: 'CP-1' } } })
  t.same(await list(service), [])

  const asked = service.request('POST', '/api/v1/reservations', wish())
  const call = await client.nextFrame()
  const meanwhile = await service.request('POST', '/api/v1/reservations', wish({ id_tag: 'TAG-2' }))
  t.equal(meanwhile.status, 409, 'one is being made')
  client.raw(JSON.stringify([3, call[1], { status: 'Accepted' }]))
  const answer = await asked
  t.equal(answer.status, 201)
  t.match(answer.body, { status: 'active', connector_id: 1, id_tag: 'Tag-1', charge_point_id: 'CP-1' })
  const number = answer.body.ocpp_reservation_id
  t.ok(Number.isInteger(number) && number > 0 && number < 2 ** 31)
  t.match(call, [2, String, 'ReserveNow', { connectorId: 1, idTag: 'Tag-1', reservationId: number }])
  t.same(await list(service), [answer.body])

  const second = await service.request('POST', '/api/v1/reservations', wish({ id_tag: 'TAG-2' }))
  t.match(second, { status: 409, body: { error: { code: 'conflict' } } }, 'a connector has one reservation')
  const other = await reserve(service, client, { connector_id: 2 })
  t.equal(other.answer.status, 201)
  t.not(other.answer.body.ocpp_reservation_id, number)
  t.same(
    (await historyOf(service, 'CP-1')).map((entry) => `${entry.command} ${entry.status}`),
    ['ReserveNow Accepted', 'ReserveNow Accepted', 'ReserveNow Rejected'],
  )
})

test('reservations - what cannot be is refused before the charge point is asked', async (t) => {
  const { service, client } = await setUp(t)
  const post = (fields: Readonly<Record<string, unknown>>) =>
    service.request('POST', '/api/v1/reservations', wish(fields))
  const past = await post({ expiry_date: secondsAgo(1) })
  t.match(past, { status: 400, body: { error: { details: [{ path: '/expiry_date' }] } } })
  t.equal((await post({ connector_id: 3 })).status, 400)
  t.equal((await post({ charge_point_id: 'CP-9' })).status, 404)
  t.equal((await post({ id_tag: 'x'.repeat(21) })).status, 400)
  await client.close()
  await until(async () => (await post({})).body.error.code === 'charge_point_offline')
  t.same(await list(service), [])
})

test('reservations - a session of its tag uses it up, in any spelling, and one of another tag does not', async (t) => {
  const { service, client } = await setUp(t)
  const { answer } = await reserve(service, client)
  await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'TAG-1' }))
  await client.call('StartTransaction', startRequest({ idTag: 'OTHER' }))
  t.equal((await list(service))[0].status, 'active', 'neither another connector nor another tag')
  const { payload } = await client.call('StartTransaction', startRequest({ idTag: 'tAG-1' }))
  const [used] = await list(service, '?charge_point_id=CP-1&status=used')
  const session = await sessionOf(service, 'CP-1', payload.transactionId)
  t.match(used, { reservation_id: answer.body.reservation_id, session_id: session.session_id })
  t.same(await list(service, '?status=active'), [])
})

test('reservations - another tag of the group may use it, and one on connector 0 holds anywhere', async (t) => {
  const { service, client } = await setUp(t)
  for (const id_tag of ['TAG-1', 'TAG-2'])
    await service.request('POST', '/api/v1/id-tags', { id_tag, parent_id_tag: 'Family' })
  const { call } = await reserve(service, client, { connector_id: 0, id_tag: 'TAG-1' })
  t.match(call[3], { connectorId: 0, parentIdTag: 'Family' })
  await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'tag-2' }))
  t.equal((await list(service))[0].status, 'used')
})

test('reservations - a start that names it uses it, and one that is not authorized does not', async (t) => {
  const { service, client } = await setUp(t)
  await service.request('POST', '/api/v1/id-tags', { id_tag: 'TAG-1', status: 'Blocked' })
  const { answer } = await reserve(service, client)
  const reservationId = answer.body.ocpp_reservation_id
  await client.call('StartTransaction', startRequest({ reservationId }))
  t.equal((await list(service))[0].status, 'active')
  await client.call('StartTransaction', startRequest({ idTag: 'TAG-7', reservationId }))
  t.equal((await list(service))[0].status, 'used', 'the charge point knows best whom it let in')
})

test('reservations - one expires at its time, also over a restart, and a start before it that comes late still uses it', async (t) => {
  const { service, client } = await setUp(t)
  const { answer } = await reserve(service, client, { expiry_date: inSeconds(2) })
  await service.stop('SIGKILL')
  const again = await startService(t, { data: service.data, key: service.key })
  await statusIs(again, answer.body.reservation_id, 'expired')
  await until(async () => (await list(again, '?status=expired')).length === 1)
  const late = await connectOcpp(`${again.ocppUrl}/CP-1`)
  const reservationId = answer.body.ocpp_reservation_id
  await late.call('StartTransaction', startRequest({ timestamp: answer.body.created_at, reservationId }))
  t.equal((await list(again))[0].status, 'used')
})

test('reservations - one that is used does not expire under the session', async (t) => {
  const { service, client } = await setUp(t)
  const short = await reserve(service, client, { expiry_date: inSeconds(2) })
  const other = await reserve(service, client, { connector_id: 2, id_tag: 'TAG-2', expiry_date: inSeconds(2) })
  await client.call('StartTransaction', startRequest())
  await statusIs(service, other.answer.body.reservation_id, 'expired')
  await statusIs(service, short.answer.body.reservation_id, 'used')
})

test('reservations - one is cancelled at once, and the charge point is told', async (t) => {
  const { service, client } = await setUp(t)
  const { answer } = await reserve(service, client)
  const path = `/api/v1/reservations/${answer.body.reservation_id}`
  t.equal((await service.request('DELETE', path)).status, 204)
  t.match((await list(service))[0], { status: 'cancelled', cancel_reason: 'operator' })
  const call = await client.answerNext({ status: 'Rejected' })
  t.match(call, [2, String, 'CancelReservation', { reservationId: answer.body.ocpp_reservation_id }])
  t.equal((await service.request('DELETE', path)).status, 204, 'once more changes nothing')
  t.equal((await service.request('DELETE', '/api/v1/reservations/res_0')).status, 404)
  t.equal((await reserve(service, client)).answer.status, 201, 'the connector is free again')
})

test('reservations - one that is cancelled while the charge point is away is cancelled there when it is back, over a restart too', async (t) => {
  const { service, client } = await setUp(t)
  const { answer } = await reserve(service, client)
  await client.close()
  await until(async () => (await command(service, 'CP-1', 'soft_reset')).body.error.code === 'charge_point_offline')
  t.equal((await list(service))[0].status, 'active', 'losing the connection leaves it as it is')
  t.equal((await service.request('DELETE', `/api/v1/reservations/${answer.body.reservation_id}`)).status, 204)
  t.equal((await list(service))[0].status, 'cancelled')
  await service.stop('SIGKILL')
  const again = await startService(t, { data: service.data, key: service.key })
  const back = await connectOcpp(`${again.ocppUrl}/CP-1`)
  const call = await back.answerNext({ status: 'Accepted' })
  t.match(call, [2, String, 'CancelReservation', { reservationId: answer.body.ocpp_reservation_id }])
  await until(async () => (await historyOf(again, 'CP-1'))[0]?.command === 'CancelReservation')
  await back.close()
  const third = await connectOcpp(`${again.ocppUrl}/CP-1`)
  const reset = command(again, 'CP-1', 'soft_reset')
  t.match(await third.answerNext({ status: 'Accepted' }), [2, String, 'Reset'], 'it is told once')
  await reset
})

test('reservations - a connector that is out of order ends its reservation', async (t) => {
  const { service, client } = await setUp(t)
  await reserve(service, client)
  await reserve(service, client, { connector_id: 2, id_tag: 'TAG-2' })
  await client.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' })
  const rows = await list(service)
  t.same(rows.map((row: { connector_id: number; status: string }) => `${row.connector_id} ${row.status}`).sort(), [
    '1 cancelled',
    '2 active',
  ])
})

test('reservations - one that the charge point never answered does not hold its connector', async (t) => {
  const { service, client } = await setUp(t)
  const asked = service.request('POST', '/api/v1/reservations', wish())
  const call = await client.nextFrame()
  await client.close()
  t.match(await asked, { status: 422, body: { error: { code: 'charge_point_offline' } } })
  const back = await connectOcpp(`${service.ocppUrl}/CP-1`)
  const { reservationId } = call[3] as { reservationId: number }
  t.match(await back.answerNext({ status: 'Accepted' }), [2, String, 'CancelReservation', { reservationId }])
  t.match(await list(service), [{ status: 'cancelled', cancel_reason: 'unanswered' }])
  t.equal((await reserve(service, back)).answer.status, 201)
})
