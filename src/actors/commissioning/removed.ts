// What goes with the registration of a charge point that no organization has claimed. Its installer can make as many as it likes under other ids: what
// is kept of each would have no bound.

import { chargePointsTable } from '../../records/charge-point.js'
import { commissioningSessionsTable, isOfRegistration } from '../../records/commissioning.js'
import { learnedTraitsTable } from '../../records/model-traits.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { stopConfiguring } from './calls.js'
import { commissioningAddress, lookReason, registrationOf } from './messages.js'
import { isAtWork } from './progress.js'

/** `reason`: of the wake-up that the removal has stored. Whoever has registered the id since keeps what is of the new registration. */
export function forgetRegistration(reason: string, context: Context): readonly Effect[] {
  const view = context.read()
  const self = commissioningAddress(context.id)
  const done = wakeNoMore(self, reason)
  const gone = registrationOf(reason)
  if (isOfRegistration(gone, view.get(chargePointsTable, [context.id])?.installed)) return [done]
  const sessions = view
    .listBy(commissioningSessionsTable, 'byChargePoint', [context.id])
    .filter((session) => isOfRegistration(session, gone))
  const running = sessions.find(({ status }) => status === 'running')
  const learned = view.get(learnedTraitsTable, [context.id])
  return [
    done,
    ...sessions.map(({ session_id }) => effect.remove(commissioningSessionsTable, [session_id])),
    ...(sessions.some(isAtWork) ? [wakeNoMore(self, lookReason), effect.cancel(lookReason)] : []),
    ...(running === undefined ? [] : stopConfiguring(running, context)),
    ...(learned !== undefined && isOfRegistration(learned, gone)
      ? [effect.remove(learnedTraitsTable, [context.id])]
      : []),
  ]
}
