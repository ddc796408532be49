// What others have set at a charge point before it was of the site, such as a limit that an operator has set for a connector: it would be stronger
// than the standing limit. So it is cleared at each connector, once; until then the connector counts with all that it can draw. The
// standing limit is set before and after, because a charge point may clear more than it was asked to.

import { clearConnectorCall } from '../../power/limit-profiles.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { type CallMessage, chargePointAddress } from '../charge-point/messages.js'
import { answeredStatus } from '../command-router/outcome.js'
import type { CallOutcome } from '../messages/command.js'
import { siteAddress } from '../messages/site.js'
import { limits } from './limits.js'
import { type ChargerState, connectorIds, connectorOf, holdsOthers, type SentClear, type SiteState } from './state.js'

/** All profiles of all charge points: those that say nothing of their stack levels may have a default of a higher one. */
const wholeChargePoint = 0

/** Before the standing limit is set for the first time: later, it would be cleared as well. */
export function awaitsFirstClear(charger: ChargerState): boolean {
  const { facts, row } = charger
  const isFirst = row.standing.amperes === undefined && row.standing.sent === undefined
  return isFirst && facts.maxStackLevel === undefined && isUncleared(charger, wholeChargePoint)
}

/** All is cleared, and the standing limit is to be set again. */
export function isCleared(charger: ChargerState): boolean {
  return charger.clearing.size > 0 && nextPlace(charger) === undefined
}

/** The standing limit holds after all that was cleared. */
export function noteCleared(charger: ChargerState): void {
  const { row, clearing } = charger
  charger.row = { ...row, cleared: [...(row.cleared ?? []), ...clearing].sort((one, other) => one - other) }
  clearing.clear()
}

export function clearOthers(state: SiteState, context: Context): readonly Effect[] {
  return [...state.chargers.values()].flatMap((charger) => clearNext(state, charger, context))
}

function clearNext(state: SiteState, charger: ChargerState, context: Context): readonly Effect[] {
  const { row, report } = charger
  if (!report.isReady || charger.isClearing || context.monotonic() < charger.clearNotBefore) return []
  const place = nextPlace(charger)
  if (place === undefined || connectorOf(row, place)?.limit.sent !== undefined) return []
  if (place !== wholeChargePoint && row.standing.amperes === undefined) return []
  const commandId = context.newId('call')
  state.sent.set(commandId, {
    type: 'clear',
    chargePointId: row.charge_point_id,
    connectorId: place,
    sentAt: context.monotonic(),
  })
  charger.isClearing = true
  const message: CallMessage = {
    type: 'call',
    commandId,
    ...clearConnectorCall(place),
    remainingMs: limits.limitAnswersMs,
    router: siteAddress(context.id),
  }
  return [effect.send(chargePointAddress(row.charge_point_id), message)]
}

function nextPlace(charger: ChargerState): number | undefined {
  if (charger.row.standing_form === 'none') return undefined
  if (awaitsFirstClear(charger)) return wholeChargePoint
  return connectorIds(charger).find((place) => isUncleared(charger, place))
}

function isUncleared(charger: ChargerState, place: number): boolean {
  return holdsOthers(charger, place) && !charger.clearing.has(place)
}

const unimplemented: ReadonlySet<string> = new Set(['NotImplemented', 'NotSupported'])

export function takeClear(
  charger: ChargerState,
  { connectorId }: SentClear,
  outcome: CallOutcome,
  context: Context,
): void {
  charger.isClearing = false
  if (!isDone(outcome)) {
    charger.clearNotBefore = context.monotonic() + limits.limitAgainMs
    return
  }
  charger.clearing.add(connectorId)
  // What the site itself has set there is gone, too.
  const { row } = charger
  charger.row = { ...row, connectors: row.connectors.filter(({ connector_id }) => connector_id !== connectorId) }
  charger.behaviours.delete(connectorId)
}

/** One that cannot clear profiles is not asked for ever: what it draws shows what it keeps. */
function isDone(outcome: CallOutcome): boolean {
  if (outcome.type === 'call-error') return unimplemented.has(outcome.code)
  if (outcome.type !== 'answered') return false
  const status = answeredStatus(outcome.payload)?.toLowerCase()
  return status === 'accepted' || status === 'unknown'
}
