// Transaction ids and reservation numbers of a partition that has given out all of them once: they go round, whoever used them up.

import { test } from 'tap'
import { type Reservation, reservationSequence, reservationsTable } from '../../../src/records/reservation.js'
import {
  type Session,
  sessionsTable,
  transactionSequence,
  unmatchedTransactionsTable,
} from '../../../src/records/session.js'
import { numberSequencesTable } from '../../../src/runtime/actor/number-sequences.js'
import { partitionCount, partitionOf } from '../../../src/runtime/actor/partition-table.js'
import { type Charging, charging, minuteMs } from './charge.js'

const partition = partitionOf('charge-point/CP-1')
const numbers = 2 ** 31 / partitionCount
const first = partition * numbers + 1

/** As if every number of the partition had been given out. */
async function useUp(actor: Charging, sequence: string): Promise<void> {
  await actor.put(numberSequencesTable, { sequence, partition, partitions: partitionCount, reserved: numbers - 1 })
  actor.restart()
  await actor.attach(1, 200)
}

/** An ended session like one of CP-1, with another number. */
function past(like: Session, transactionId: number, fields: Partial<Session> = {}): Session {
  const session_id = `${like.session_id.slice(0, -8)}${String(transactionId).padStart(8, '0').slice(-8)}`
  return { ...like, session_id, transaction_id: transactionId, start_key: session_id, ...fields }
}

async function ended(actor: Charging): Promise<Session> {
  const number = await actor.start()
  await actor.stop(number)
  return actor.session(number)
}

test('numbers begun anew - those that other charge points have used up are given out again, but not of sessions that run', async (t) => {
  const actor = await charging()
  const like = await ended(actor)
  const others = { charge_point_id: 'CP-2' }
  await actor.put(sessionsTable, past(like, first, { ...others, status: 'active' }))
  for (let at = 1; at < 10; at++) await actor.put(sessionsTable, past(like, first + at, others))
  await useUp(actor, transactionSequence)
  actor.pass(minuteMs)
  t.equal(await actor.start(), first + 1)
})

test('numbers begun anew - those that a charge point may speak of itself are passed over, within a bound', async (t) => {
  const actor = await charging()
  const like = await ended(actor)
  for (let at = 0; at < 300; at++) await actor.put(sessionsTable, past(like, first + at))
  await useUp(actor, transactionSequence)
  actor.pass(minuteMs)
  t.equal(await actor.start(), first + 256)
})

test('numbers begun anew - a stop that is repeated late finds its own session, though another charge point has the number since', async (t) => {
  const actor = await charging()
  const own = await ended(actor)
  const newer = past(own, own.transaction_id, { session_id: 'ses_9', charge_point_id: 'CP-2', status: 'active' })
  await actor.put(sessionsTable, newer)
  actor.restart()
  await actor.attach(1, 200)
  await actor.stop(own.transaction_id)
  t.same(actor.view().list(unmatchedTransactionsTable, []), [], 'it is no unmatched one')
  t.same(actor.view().get(sessionsTable, ['ses_9']), newer)
  await actor.meter(own.transaction_id, 12_000)
  t.same(actor.view().get(sessionsTable, ['ses_9']), newer)
})

test('numbers begun anew - a reservation takes a number that only other charge points have had', async (t) => {
  const actor = await charging()
  const at = new Date(actor.clock.wall).toISOString()
  const reservation = (number: number, charge_point_id: string): Reservation => ({
    reservation_id: `res_${number}`,
    ocpp_reservation_id: number,
    organization_id: 'org_1',
    charge_point_id,
    connector_id: 1,
    id_tag: 'TAG-1',
    status: 'used',
    expiry_date: at,
    created_at: at,
  })
  for (let at = 0; at < 3; at++) await actor.put(reservationsTable, reservation(first + at, at < 2 ? 'CP-1' : 'CP-2'))
  await useUp(actor, reservationSequence)
  t.match(await actor.ask({ type: 'reserve', connectorId: 1 }), { type: 'held', number: first + 2 })
})
