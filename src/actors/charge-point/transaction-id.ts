// The number of a new transaction. After some millions a partition's numbers begin anew: one that belongs to a session which still runs, or
// which a charge point may still speak of, is passed over.

import { sessionsTable, transactionSequence } from '../../records/session.js'
import type { Context } from '../../runtime/actor/actor.js'

/** How long a charge point may keep messages of a transaction before it sends them. */
const spokenOfMs = 365 * 24 * 3_600_000

export function newTransactionId(context: Context): number {
  return context.nextNumber(transactionSequence, (number) => isInUse(number, context))
}

function isInUse(number: number, context: Context): boolean {
  const [newest] = context.read().listBy(sessionsTable, 'byTransaction', [number], { reverse: true, limit: 1 })
  if (newest === undefined) return false
  return newest.status === 'active' || Date.parse(newest.received_at) > context.now() - spokenOfMs
}
