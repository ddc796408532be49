// An organization has claimed the charge point from its installer. It is the same hardware under the same registration: what it has said of
// itself stays, and so does its connection. What its installer was told of has ended there, and sessions stay with who had them.

import { causesAlone } from '../../alerts/watch.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { wasLost } from '../../records/presence.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { noteOffline, resolveForeign } from './alerts.js'
import { allowanceFrom } from './allowance.js'
import { handOverConfiguration } from './configuration.js'
import { takenOver } from './connection-events.js'
import { noPower } from './power.js'
import { closeByEstimate } from './sessions.js'
import { keepRow, type State } from './state.js'

const none: readonly Effect[] = []

/** Makes what is of the installer the organization's, where the charge point has been claimed; may be asked again and again. */
export function takeOver(state: State, context: Context): readonly Effect[] {
  const registration = context.read().get(chargePointsTable, [context.id])
  const { row: before, settings } = state
  if (registration === undefined || registration.organization_id === before.organization_id) return none
  if (registration.installed?.installer_id !== before.organization_id) return none
  state.registration = registration
  const ended = state.open.flatMap((session) => closeByEstimate(state, session, { reason: 'Other' }, context).effects)
  const { allowance: _, watches, ...kept } = state.row
  state.row = {
    ...kept,
    organization_id: registration.organization_id,
    ...(watches !== undefined && { watches: causesAlone(watches) }),
  }
  if (wasLost(before, settings.live))
    state.row = {
      ...state.row,
      ...(before.last_seen_at !== undefined && { disconnected_at: before.last_seen_at }),
      connected: false,
      ...noPower,
      ...noteOffline(state, true, context),
    }
  state.allowance = allowanceFrom(undefined, registration, context)
  state.toldOfFreeCharging = false
  state.warnedOfImplausibleAt = Number.NEGATIVE_INFINITY
  return [
    ...ended,
    ...resolveForeign(state, context, 'an organization has claimed the charge point'),
    ...takenOver(state.row, settings.live, context),
    ...handOverConfiguration(state, context),
    keepRow(state, {}),
  ]
}
