// The number of a new transaction. After some millions a partition's numbers begin anew: one that belongs to a session which still runs is
// passed over, and so is one that this charge point itself may still speak of. What another charge point says of the same number finds
// its own session (sessions.ts), so that no charge point can use up the numbers of others.

import { type Session, sessionsTable, transactionSequence } from '../../records/session.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { limits } from './limits.js'

/** How long a charge point may keep messages of a transaction before it sends them. */
const spokenOfMs = 365 * 24 * 3_600_000

export function newTransactionId(context: Context): number {
  let passedOver = 0
  return context.nextNumber(transactionSequence, (number) => {
    const sessions = sessionsOfNumber(context.read(), number)
    if (sessions.some(({ status }) => status === 'active')) return true
    return sessions.some((session) => mayBeSpokenOf(session, context)) && ++passedOver <= limits.ownNumbersPassedOver
  })
}

function mayBeSpokenOf({ charge_point_id, received_at }: Session, context: Context): boolean {
  return charge_point_id === context.id && Date.parse(received_at) > context.now() - spokenOfMs
}

/** The sessions that have had a transaction id, whosever they are, newest first: one, until numbers begin anew. */
export function sessionsOfNumber(view: ReadView, transactionId: number): readonly Session[] {
  const query = { reverse: true, limit: limits.sessionsOfOneNumber }
  return view.listBy(sessionsTable, 'byTransaction', [transactionId], query)
}
