// Reservations over the built service: the charge point's consent, use, expiry, cancellation, and what a restart leaves.

import { test } from 'tap'
import { settableClock } from '../chaos/shims.js'
import { bootChargePoint, command, historyOf, secondsAgo, sessionOf, startRequest } from '../support/charge-point.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { type Answer, type Service, startService } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await tenantOf(await sharedService())
const hourMs = 3_600_000

const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString()

function wish(chargePointId: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { charge_point_id: chargePointId, connector_id: 1, id_tag: 'Tag-1', expiry_date: inHours(1), ...fields }
}

/** A charge point of a test's own, and what the test asks about its reservations. */
function reservationsOf(service: Service, id: string) {
  const ask = (fields: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
    service.request('POST', '/api/v1/reservations', wish(id, fields))
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  const list = async (query = ''): Promise<any[]> =>
    (await service.request('GET', `/api/v1/reservations?charge_point_id=${id}${query}`)).body.data
  return {
    ask,
    list,
    /** Asks for one and has the charge point answer; resolves with the answer and the CALL. */
    async reserve(
      client: OcppClient,
      fields: Readonly<Record<string, unknown>> = {},
      status = 'Accepted',
    ): Promise<{ answer: Answer; call: unknown[] }> {
      const asked = ask(fields)
      const call = await client.answerNext({ status })
      return { answer: await asked, call }
    },
    async statusIs(reservationId: string, status: string): Promise<void> {
      await until(async () =>
        (await list()).some((row) => row.reservation_id === reservationId && row.status === status),
      )
    },
    isOffline: () =>
      until(async () => (await command(service, id, 'soft_reset')).body.error.code === 'charge_point_offline'),
  }
}

test('reservations - one is stored when the charge point accepts it, and not otherwise', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-1')
  const { ask, list, reserve } = reservationsOf(service, 'RESERVED-1')
  const refused = await reserve(client, {}, 'Occupied')
  t.match(refused.answer, { status: 422, body: { error: { code: 'ocpp_rejected', charge_point_id: 'RESERVED-1' } } })
  t.same(await list(), [])

  const asked = ask()
  const call = await client.nextFrame()
  const meanwhile = await ask({ id_tag: 'TAG-2' })
  t.equal(meanwhile.status, 409, 'one is being made')
  client.raw(JSON.stringify([3, call[1], { status: 'Accepted' }]))
  const answer = await asked
  t.equal(answer.status, 201)
  t.match(answer.body, { status: 'active', connector_id: 1, id_tag: 'Tag-1', charge_point_id: 'RESERVED-1' })
  const number = answer.body.ocpp_reservation_id
  t.ok(Number.isInteger(number) && number > 0 && number < 2 ** 31)
  t.match(call, [2, String, 'ReserveNow', { connectorId: 1, idTag: 'Tag-1', reservationId: number }])
  t.same(await list(), [answer.body])

  const second = await ask({ id_tag: 'TAG-2' })
  t.match(second, { status: 409, body: { error: { code: 'conflict' } } }, 'a connector has one reservation')
  const other = await reserve(client, { connector_id: 2 })
  t.equal(other.answer.status, 201)
  t.not(other.answer.body.ocpp_reservation_id, number)
  t.same(
    (await historyOf(service, 'RESERVED-1')).map((entry) => `${entry.command} ${entry.status}`),
    ['ReserveNow Accepted', 'ReserveNow Accepted', 'ReserveNow Rejected'],
  )
})

test('reservations - what cannot be is refused before the charge point is asked', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-2')
  const { ask, list } = reservationsOf(service, 'RESERVED-2')
  const past = await ask({ expiry_date: secondsAgo(1) })
  t.match(past, { status: 400, body: { error: { details: [{ path: '/expiry_date' }] } } })
  t.equal((await ask({ connector_id: 3 })).status, 400)
  t.equal((await ask({ charge_point_id: 'NOBODY' })).status, 404)
  t.equal((await ask({ id_tag: 'x'.repeat(21) })).status, 400)
  await client.close()
  await until(async () => (await ask()).body.error.code === 'charge_point_offline')
  t.same(await list(), [])
})

test('reservations - a session of its tag uses it up, in any spelling, and one of another tag does not', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-3')
  const { list, reserve } = reservationsOf(service, 'RESERVED-3')
  const { answer } = await reserve(client)
  await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'TAG-1' }))
  await client.call('StartTransaction', startRequest({ idTag: 'OTHER' }))
  t.equal((await list())[0].status, 'active', 'neither another connector nor another tag')
  const { payload } = await client.call('StartTransaction', startRequest({ idTag: 'tAG-1' }))
  const [used] = await list('&status=used')
  const session = await sessionOf(service, 'RESERVED-3', payload.transactionId)
  t.match(used, { reservation_id: answer.body.reservation_id, session_id: session.session_id })
  t.same(await list('&status=active'), [])
})

test('reservations - another tag of the group may use it, and one on connector 0 holds anywhere', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-4')
  const { list, reserve } = reservationsOf(service, 'RESERVED-4')
  for (const id_tag of ['ELDER', 'YOUNGER'])
    await service.request('POST', '/api/v1/id-tags', { id_tag, parent_id_tag: 'Family' })
  const { call } = await reserve(client, { connector_id: 0, id_tag: 'ELDER' })
  t.match(call[3], { connectorId: 0, parentIdTag: 'Family' })
  await client.call('StartTransaction', startRequest({ connectorId: 2, idTag: 'younger' }))
  t.equal((await list())[0].status, 'used')
})

test('reservations - a start that names it uses it, and one that is not authorized does not', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-5')
  const { list, reserve } = reservationsOf(service, 'RESERVED-5')
  await service.request('POST', '/api/v1/id-tags', { id_tag: 'BLOCKED', status: 'Blocked' })
  const { answer } = await reserve(client, { id_tag: 'BLOCKED' })
  const reservationId = answer.body.ocpp_reservation_id
  await client.call('StartTransaction', startRequest({ idTag: 'BLOCKED', reservationId }))
  t.equal((await list())[0].status, 'active')
  await client.call('StartTransaction', startRequest({ idTag: 'TAG-7', reservationId }))
  t.equal((await list())[0].status, 'used', 'the charge point knows best whom it let in')
})

test('reservations - over a restart, one expires at its time unless a session uses it, and a charge point that was away is told', async (t) => {
  const clock = settableClock(t.testdir({}))
  const { environment } = clock
  const first = await startService(t, { environment })
  const waiting = await bootChargePoint(first, 'RESERVED-6')
  const { answer } = await reservationsOf(first, 'RESERVED-6').reserve(waiting)
  const away = await bootChargePoint(first, 'RESERVED-9')
  const ofAway = reservationsOf(first, 'RESERVED-9')
  const cancelled = (await ofAway.reserve(away)).answer.body
  await away.close()
  await ofAway.isOffline()
  t.equal((await ofAway.list())[0].status, 'active', 'losing the connection leaves it as it is')
  t.equal((await first.request('DELETE', `/api/v1/reservations/${cancelled.reservation_id}`)).status, 204)
  t.equal((await ofAway.list())[0].status, 'cancelled')
  await first.stop('SIGKILL')
  const service = await startService(t, { environment, data: first.data, key: first.key })
  await t.test(
    'one that was cancelled while the charge point was away is cancelled there when it is back',
    async (t) => {
      const back = await connectOcpp(`${service.ocppUrl}/RESERVED-9`)
      const call = await back.answerNext({ status: 'Accepted' })
      t.match(call, [2, String, 'CancelReservation', { reservationId: cancelled.ocpp_reservation_id }])
      await until(async () => (await historyOf(service, 'RESERVED-9'))[0]?.command === 'CancelReservation')
      await back.close()
      const third = await connectOcpp(`${service.ocppUrl}/RESERVED-9`)
      const reset = command(service, 'RESERVED-9', 'soft_reset')
      t.match(await third.answerNext({ status: 'Accepted' }), [2, String, 'Reset'], 'it is told once')
      await reset
    },
  )
  const charging = await bootChargePoint(service, 'RESERVED-7')
  const { reserve, statusIs } = reservationsOf(service, 'RESERVED-7')
  const short = await reserve(charging)
  const other = await reserve(charging, { connector_id: 2, id_tag: 'TAG-2' })
  await charging.call('StartTransaction', startRequest())
  clock.set(2 * hourMs)
  await t.test('one that is used does not expire under the session', async () => {
    await statusIs(other.answer.body.reservation_id, 'expired')
    await statusIs(short.answer.body.reservation_id, 'used')
  })
  await t.test('a start before its end that comes late still uses it', async (t) => {
    const { list, statusIs } = reservationsOf(service, 'RESERVED-6')
    await statusIs(answer.body.reservation_id, 'expired')
    await until(async () => (await list('&status=expired')).length === 1)
    const late = await connectOcpp(`${service.ocppUrl}/RESERVED-6`)
    const reservationId = answer.body.ocpp_reservation_id
    await late.call('StartTransaction', startRequest({ timestamp: answer.body.created_at, reservationId }))
    t.equal((await list())[0].status, 'used')
  })
})

test('reservations - one is cancelled at once, and the charge point is told', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-8')
  const { list, reserve } = reservationsOf(service, 'RESERVED-8')
  const { answer } = await reserve(client)
  const path = `/api/v1/reservations/${answer.body.reservation_id}`
  t.equal((await service.request('DELETE', path)).status, 204)
  t.match((await list())[0], { status: 'cancelled', cancel_reason: 'operator' })
  const call = await client.answerNext({ status: 'Rejected' })
  t.match(call, [2, String, 'CancelReservation', { reservationId: answer.body.ocpp_reservation_id }])
  t.equal((await service.request('DELETE', path)).status, 204, 'once more changes nothing')
  t.equal((await service.request('DELETE', '/api/v1/reservations/res_0')).status, 404)
  t.equal((await reserve(client)).answer.status, 201, 'the connector is free again')
})

test('reservations - a connector that is out of order ends its reservation', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-10')
  const { list, reserve } = reservationsOf(service, 'RESERVED-10')
  await reserve(client)
  await reserve(client, { connector_id: 2, id_tag: 'TAG-2' })
  await client.call('StatusNotification', { connectorId: 1, status: 'Faulted', errorCode: 'GroundFailure' })
  const rows = await list()
  t.same(rows.map((row: { connector_id: number; status: string }) => `${row.connector_id} ${row.status}`).sort(), [
    '1 cancelled',
    '2 active',
  ])
})

test('reservations - one that the charge point never answered does not hold its connector', async (t) => {
  const client = await bootChargePoint(service, 'RESERVED-11')
  const { ask, list, reserve } = reservationsOf(service, 'RESERVED-11')
  const asked = ask()
  const call = await client.nextFrame()
  await client.close()
  t.match(await asked, { status: 422, body: { error: { code: 'charge_point_offline' } } })
  const back = await connectOcpp(`${service.ocppUrl}/RESERVED-11`)
  const { reservationId } = call[3] as { reservationId: number }
  t.match(await back.answerNext({ status: 'Accepted' }), [2, String, 'CancelReservation', { reservationId }])
  t.match(await list(), [{ status: 'cancelled', cancel_reason: 'unanswered' }])
  t.equal((await reserve(back)).answer.status, 201)
})
