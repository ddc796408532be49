// The limits of a site at its charge point: whether its calls are for the charge point, and clearing what it has set once the charge point is in no site.

import { clearChargingProfile, remoteStartTransaction, setChargingProfile } from '../../ocpp16/index.js'
import { clearCalls, isSiteProfile } from '../../power/limit-profiles.js'
import type { ChargePoint } from '../../records/charge-point.js'
import { siteConfigurationsTable } from '../../records/site-configuration.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { siteKind } from '../messages/site.js'
import type { OwnCallMessage } from './configuration-messages.js'
import { type CallMessage, chargePointAddress } from './messages.js'
import { connectorCountOf } from './named-connectors.js'
import { ownCall } from './own-call.js'
import { keepRow, registeredFor, type State } from './state.js'

const none: readonly Effect[] = []

/** Whether it would change what the site has set, or would be stronger. A limit of the charge point as a whole only lowers what the site allows. */
export function changesSiteLimits(
  { registration }: State,
  { action, payload }: CallMessage,
  context: Context,
): boolean {
  if (registration === undefined || !isLimiting(action, payload)) return false
  return isManaged(registration, context)
}

function isLimiting(action: string, payload: Readonly<Record<string, unknown>>): boolean {
  const isWhole = (purpose: unknown): boolean => purpose === 'ChargePointMaxProfile'
  switch (action) {
    case setChargingProfile.action: {
      const profile = payload.csChargingProfiles as { readonly chargingProfilePurpose?: unknown } | undefined
      return !isWhole(profile?.chargingProfilePurpose)
    }
    case clearChargingProfile.action:
      // By its id, a profile of others is cleared; without it, all that fit the rest (OCPP 1.6, 5.5).
      return typeof payload.id === 'number' ? isSiteProfile(payload.id) : !isWhole(payload.chargingProfilePurpose)
    case remoteStartTransaction.action:
      return payload.chargingProfile !== undefined
    default:
      return false
  }
}

export function isOfSite({ router }: CallMessage): boolean {
  return router?.kind === siteKind
}

/** It is in this site, and will have its limits from now on. */
export function takesFromSite(state: State, { router }: CallMessage): boolean {
  return router !== undefined && state.registration?.site_id === router.id
}

export function noteSiteLimits(state: State): readonly Effect[] {
  return state.row.site_limits === true ? none : [keepRow(state, { site_limits: true })]
}

/**
 * It was taken out of its site, or its site is managed no more: what was set there is cleared as soon as it can be, and again with its next
 * connection until it has answered. A profile that it does not have does no harm.
 */
export function clearSiteLimits(state: State, context: Context): readonly Effect[] {
  const { registration } = state
  if (state.row.site_limits !== true || registration === undefined || state.clearing.size > 0) return none
  if (isManaged(registration, context) || state.connection === undefined || !registeredFor(state, 'Accepted'))
    return none
  return clearCalls(connectorCountOf(state) ?? 1).flatMap((call) => {
    const callId = context.newId('call')
    state.clearing.add(callId)
    state.cleared = callId
    return ownCall(state, call, context, callId, chargePointAddress(context.id))
  })
}

/** Undefined for a call that was for something else. */
export function clearCallEnded(
  state: State,
  { commandId, outcome }: Extract<OwnCallMessage, { type: 'call-ended' }>,
  context: Context,
): readonly Effect[] | undefined {
  const { clearing, registration } = state
  if (!clearing.delete(commandId)) return undefined
  if (outcome.type !== 'answered' && outcome.type !== 'call-error') {
    // All of it is sent again, now where there is a connection that has taken it, and else with the next one.
    clearing.clear()
    const isWorthIt = outcome.type === 'timeout' || outcome.type === 'connection-lost'
    return isWorthIt ? clearSiteLimits(state, context) : none
  }
  if (clearing.size > 0) return none
  // It was taken into a site again meanwhile, and may have limits again.
  if (registration !== undefined && isManaged(registration, context)) return none
  const { site_limits: _, ...row } = state.row
  state.row = row
  return [keepRow(state, {})]
}

function isManaged({ site_id }: ChargePoint, context: Context): boolean {
  return site_id !== undefined && context.read().get(siteConfigurationsTable, [site_id]) !== undefined
}
