// Reservations by raw OCPP commands over the built service: they are in the list, live as the others do, and no number is used twice.

import { test } from 'tap'
import { bootChargePoint, secondsAgo, startRequest } from '../support/charge-point.js'
import type { OcppClient } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import type { Answer } from '../support/service.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await tenantOf(await sharedService())

async function withChargePoint(id: string) {
  const client: OcppClient = await bootChargePoint(service, id)
  /** Sends a raw command and has the charge point answer it. */
  async function send(name: string, body: object, status = 'Accepted'): Promise<Answer> {
    const asked = service.request('POST', `/api/v1/ocpp16/${name}`, { charge_point_id: id, ...body })
    await client.answerNext({ status })
    return asked
  }
  const wish = (fields: object = {}) => ({
    connector_id: 1,
    id_tag: 'TAG-1',
    expiry_date: secondsAgo(-3600),
    reservation_id: 7,
    ...fields,
  })
  return {
    client,
    send,
    wish,
    reserve: (fields: object = {}, status = 'Accepted') => send('reserve_now', wish(fields), status),
    list: async () => (await service.request('GET', `/api/v1/reservations?charge_point_id=${id}`)).body.data,
    events: async (): Promise<string[]> =>
      (await service.request('GET', '/api/v1/events?limit=1000')).body.data
        .filter(
          ({ event, data }: { event: string; data: { charge_point_id?: string } }) =>
            event.startsWith('reservation.') && data.charge_point_id === id,
        )
        .map(({ event }: { event: string }) => event),
  }
}

test('raw reservations - an accepted one is in the list, is kept from other tags, and is used by its own', async (t) => {
  const { client, reserve, list, events } = await withChargePoint('RAW-1')
  t.equal((await reserve({}, 'Occupied')).body.status, 'Occupied')
  t.same(await list(), [])
  t.equal((await reserve()).body.status, 'Accepted')
  const [listed] = await list()
  t.match(listed, { ocpp_reservation_id: 7, connector_id: 1, id_tag: 'TAG-1', status: 'active', session_id: null })
  const other = await client.call('StartTransaction', startRequest({ idTag: 'OTHER', timestamp: secondsAgo(-1) }))
  t.equal(other.payload.idTagInfo.status, 'Invalid')
  await client.call('StartTransaction', startRequest({ timestamp: secondsAgo(-2), reservationId: 7 }))
  t.match(await list(), [{ reservation_id: listed.reservation_id, status: 'used', session_id: String }])
  t.same(await events(), ['reservation.created', 'reservation.used'])
})

test('raw reservations - send_command and connector 0 count too, a raw cancellation ends any, DELETE ends a raw one', async (t) => {
  const { client, reserve, send, list } = await withChargePoint('RAW-2')
  t.equal((await reserve({ connector_id: 0 })).status, 200)
  await send('cancel_reservation', { reservation_id: 7 })
  t.match(await list(), [{ connector_id: 0, status: 'cancelled', cancel_reason: 'operator' }])
  const payload = { connectorId: 2, expiryDate: secondsAgo(-60), idTag: 'A', parentIdTag: 'G', reservationId: 7 }
  await send('send_command', { command: 'ReserveNow', payload })
  const [second] = await list()
  t.match(second, { connector_id: 2, id_tag: 'A', parent_id_tag: 'G', status: 'active' })
  t.equal((await service.request('DELETE', `/api/v1/reservations/${second.reservation_id}`)).status, 204)
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'CancelReservation', { reservationId: 7 }])
  t.match(await list(), [{ status: 'cancelled' }, { status: 'cancelled' }])
})

test('raw reservations - a number that the charge point knows is replaced, and one of the API is not', async (t) => {
  const { client, reserve, wish, send, list } = await withChargePoint('RAW-3')
  await reserve()
  await reserve({ id_tag: 'TAG-2' })
  t.match(await list(), [
    { id_tag: 'TAG-2', status: 'active' },
    { id_tag: 'TAG-1', status: 'cancelled', cancel_reason: 'replaced' },
  ])
  const asked = service.request('POST', '/api/v1/reservations', wish({ charge_point_id: 'RAW-3', connector_id: 2 }))
  await client.answerNext({ status: 'Accepted' })
  const own = (await asked).body
  const refused = await service.request('POST', '/api/v1/ocpp16/reserve_now', {
    charge_point_id: 'RAW-3',
    ...wish({ reservation_id: own.ocpp_reservation_id }),
  })
  t.match(refused, { status: 409, body: { error: { code: 'conflict' } } })
  // The next number that the API would give out.
  const next = own.ocpp_reservation_id + 1
  await reserve({ reservation_id: next, id_tag: 'TAG-3' })
  for (const reservation_id of [7, own.ocpp_reservation_id]) await send('cancel_reservation', { reservation_id })
  const again = service.request('POST', '/api/v1/reservations', wish({ charge_point_id: 'RAW-3', connector_id: 2 }))
  await client.answerNext({ status: 'Accepted' })
  t.not((await again).body.ocpp_reservation_id, next)
})

test('raw reservations - one that is accepted after its command has timed out is in the list', async (t) => {
  const { client, wish, list } = await withChargePoint('RAW-4')
  const asked = service.request('POST', '/api/v1/ocpp16/reserve_now', { charge_point_id: 'RAW-4', ...wish() })
  const [, messageId] = await client.nextFrame()
  t.equal((await asked).status, 408)
  t.same(await list(), [])
  client.raw(JSON.stringify([3, messageId, { status: 'Accepted' }]))
  await until(async () => (await list())[0]?.status === 'active')
})
