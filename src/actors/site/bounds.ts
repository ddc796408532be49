// Charges that somebody beside the site has bound, such as a roaming partner by a charging profile (OCPI 2.2.1, 14): the bound only lowers what
// the car is given, as if it could take no more, and what is left goes to the others.

import { boundAt, nextChangeOf, wattsOf } from '../../power/charge-bound.js'
import { limitStepWatts } from '../../power/electricity.js'
import { sessionsTable } from '../../records/session.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { wakeNoMore } from '../../runtime/actor/wake-ups.js'
import { type LimitChangedMessage, ocpiPartnerAddress } from '../messages/ocpi-partner.js'
import { type ProfileChangedMessage, type ProfileReply, siteAddress } from '../messages/site.js'
import { connectorOf, takesLimits } from './counted.js'
import { type ChargerState, readBound, type SiteState } from './state.js'

/** What a car may take by its bound, in watts, in whole steps of limits, and the least with which it is worth charging; none while it has none. */
export interface BoundNow {
  readonly mostWatts: number
  readonly leastWatts?: number
}

const hair = 1e-6

/** `now`: wall ms. */
export function boundNow(
  { bounds }: ChargerState,
  sessionId: string,
  phases: number,
  now: number,
): BoundNow | undefined {
  const bound = bounds.get(sessionId)?.bound
  const limit = bound && boundAt(bound, now)
  if (bound === undefined || limit === undefined) return undefined
  const { unit, least } = bound
  const step = limitStepWatts(phases)
  return {
    mostWatts: Math.floor(wattsOf(limit, unit, phases) / step + hair) * step,
    ...(least !== undefined && { leastWatts: wattsOf(least, unit, phases) }),
  }
}

/** How long until a bound is another one, ms. */
export function untilBoundChanges({ chargers }: SiteState, now: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { bounds } of chargers.values())
    for (const { bound } of bounds.values()) next = Math.min(next, (bound && nextChangeOf(bound, now)) ?? next)
  return next - now
}

/** Reads it as it is stored. */
export function takeProfile(state: SiteState, sessionId: string, context: Context): ProfileReply {
  const session = context.read().get(sessionsTable, [sessionId])
  const charger = session && state.chargers.get(session.charge_point_id)
  if (session === undefined || charger === undefined || state.configuration === undefined) return 'unmanaged'
  readBound(charger, sessionId, context)
  const ignores = connectorOf(charger, session.connector_id)?.ignores_limit_watts !== undefined
  return takesLimits(charger) && !ignores ? 'taken' : 'refused'
}

export function profileChanged(
  state: SiteState,
  { sessionId, wakeUp }: ProfileChangedMessage,
  context: Context,
): readonly Effect[] {
  const reply = takeProfile(state, sessionId, context)
  const { replyTo } = context
  return [wakeNoMore(siteAddress(context.id), wakeUp), ...(replyTo === undefined ? [] : [effect.reply(replyTo, reply)])]
}

/** Charge points that were bound and are of the site no more, or of one that is managed no more: nothing limits them. */
export function tellOfReleased(before: readonly ChargerState[], { chargers }: SiteState): readonly Effect[] {
  const gone = before.filter(({ row }) => !chargers.has(row.charge_point_id))
  return gone.flatMap((charger) => [...charger.bounds.keys()].flatMap((sessionId) => tellBinder(charger, sessionId)))
}

export function boundChargers({ chargers }: SiteState): readonly ChargerState[] {
  return [...chargers.values()].filter(({ bounds }) => bounds.size > 0)
}

/** The limit of a charge is another one: whoever has bound it wants to know. */
export function tellBinder({ bounds }: ChargerState, sessionId: string): readonly Effect[] {
  const bound = bounds.get(sessionId)
  if (bound === undefined) return []
  const message: LimitChangedMessage = { type: 'limit-changed', sessionId }
  return [effect.send(ocpiPartnerAddress(bound.partnerId), message)]
}
