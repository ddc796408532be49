// A start on a connector that is reserved for somebody else, and stops that contradict the one that ended a session.

import { test } from 'tap'
import { idTagsTable } from '../../../src/records/id-tag.js'
import type { Reservation } from '../../../src/records/reservation.js'
import { reservationsTable } from '../../../src/records/reservation.js'
import { type Charging, charging, minuteMs } from './charge.js'

async function reserved(fields: Partial<Reservation> = {}): Promise<Charging> {
  const charge = await charging()
  await charge.put(reservationsTable, {
    reservation_id: 'res_1',
    ocpp_reservation_id: 7,
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    connector_id: 1,
    id_tag: 'RESERVED',
    status: 'active',
    expiry_date: new Date(charge.clock.wall + 60 * minuteMs).toISOString(),
    created_at: charge.now(),
    ...fields,
  })
  charge.pass(minuteMs)
  return charge
}

const startOf = (charge: Charging, fields: object) =>
  charge.call(1, 'StartTransaction', { connectorId: 1, meterStart: 0, timestamp: charge.now(), ...fields })
const statusOf = (charge: Charging) => charge.view().get(reservationsTable, ['res_1'])?.status

test('reserved connector - another tag is Invalid, the session is kept and the reservation stays', async (t) => {
  const charge = await reserved()
  const start = { idTag: 'OTHER', timestamp: charge.now() }
  const answer = await startOf(charge, start)
  t.match(answer, { idTagInfo: { status: 'Invalid' } })
  const session = charge.session(Number(answer.transactionId))
  t.match(session, { status: 'active', authorization: 'Invalid' })
  t.ok(session.flags.includes('reserved_for_another'))
  t.equal(statusOf(charge), 'active')
  t.match(await startOf(charge, start), { transactionId: answer.transactionId, idTagInfo: { status: 'Invalid' } })
  t.match(
    await startOf(charge, { idTag: 'OTHER', reservationId: 7 }),
    { idTagInfo: { status: 'Invalid' } },
    'naming it is no right to it',
  )
})

test('reserved connector - the tag itself, another connector and a start from before are Accepted', async (t) => {
  const charge = await reserved()
  t.match(await startOf(charge, { idTag: 'OTHER', connectorId: 2 }), { idTagInfo: { status: 'Accepted' } })
  const before = new Date(charge.clock.wall - 30 * minuteMs).toISOString()
  t.match(await startOf(charge, { idTag: 'OTHER', timestamp: before }), { idTagInfo: { status: 'Accepted' } })
  t.match(await startOf(charge, { idTag: 'reserved' }), { idTagInfo: { status: 'Accepted' } })
  t.equal(statusOf(charge), 'used')
})

test('reserved connector - another tag of the group is Accepted', async (t) => {
  const charge = await reserved({ parent_id_tag: 'FAMILY' })
  for (const [id_tag, parent_id_tag] of [
    ['COUSIN', 'Family'],
    ['STRANGER', 'OTHERS'],
  ] as const)
    await charge.put(idTagsTable, {
      organization_id: 'org_1',
      id_tag,
      version: 1,
      status: 'Accepted',
      parent_id_tag,
      created_at: charge.now(),
      updated_at: charge.now(),
    })
  t.match(await startOf(charge, { idTag: 'STRANGER' }), { idTagInfo: { status: 'Invalid' } })
  const answer = await startOf(charge, { idTag: 'COUSIN', meterStart: 5 })
  t.match(answer, { idTagInfo: { status: 'Accepted' } })
  t.notOk(charge.session(Number(answer.transactionId)).flags.includes('reserved_for_another'))
  t.equal(statusOf(charge), 'used')
})

test('reserved connector - of a reservation of any connector the last free one is kept', async (t) => {
  const charge = await reserved({ connector_id: 0 })
  t.match(await startOf(charge, { idTag: 'OTHER' }), { idTagInfo: { status: 'Accepted' } }, 'one of two is left')
  t.match(await startOf(charge, { idTag: 'THIRD', connectorId: 2 }), { idTagInfo: { status: 'Invalid' } })
})

test('reserved connector - one that is reserved while it charges keeps nobody from the other', async (t) => {
  const charge = await reserved()
  const before = new Date(charge.clock.wall - 30 * minuteMs).toISOString()
  t.match(await startOf(charge, { idTag: 'EARLIER', timestamp: before }), { idTagInfo: { status: 'Accepted' } })
  t.match(await startOf(charge, { idTag: 'OTHER', connectorId: 2 }), { idTagInfo: { status: 'Accepted' } })
})

test('reserved connector - a number of who had the charge point before is free, and not its to cancel', async (t) => {
  const charge = await reserved({ organization_id: 'org_former', cancel_owed_by: 'key_former' })
  const asked = { connectorId: 1, expiryDate: charge.now(), idTag: 'TAG-1', reservationId: 7 }
  await charge.command(1, 'CancelReservation', { reservationId: 7 }, { status: 'Accepted' })
  await charge.command(1, 'ReserveNow', asked, { status: 'Accepted' })
  t.match(charge.view().get(reservationsTable, ['res_1']), { status: 'active', organization_id: 'org_former' })
  t.match(charge.events('reservation.cancelled'), { length: 0 })
})

test('other stops - one that says something else is kept and flagged, a repeat is not', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  charge.pass(10 * minuteMs)
  const first = { meterStop: 1_250, timestamp: charge.now(), reason: 'UnlockCommand' }
  await charge.stop(transactionId, first)
  charge.pass(minuteMs)
  await charge.stop(transactionId, first)
  const ended = charge.session(transactionId)
  t.same([ended.flags, ended.other_stops], [[], undefined], 'a repeat leaves no trace')

  const second = { meterStop: 1_104, timestamp: ended.started_at, reason: 'Local', idTag: 'TAG-1' }
  await charge.stop(transactionId, second)
  await charge.stop(transactionId, second)
  const { other_stops, ...session } = charge.session(transactionId)
  t.same(session, { ...ended, flags: ['stop_differs'] }, 'the first counts')
  t.match(other_stops, [{ meter_stop: 1_104, reason: 'Local', id_tag: 'TAG-1', timestamp: ended.started_at }])
  t.equal(other_stops?.length, 1)
  for (let meterStop = 2_000; meterStop < 2_030; meterStop++) await charge.stop(transactionId, { meterStop })
  t.equal(charge.session(transactionId).other_stops?.length, 10, 'they are bounded')
})
