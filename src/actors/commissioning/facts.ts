// What the steps go by, read from what is stored of the charge point.

import { type ChargePoint, chargePointsTable, maxPowerKwOf } from '../../records/charge-point.js'
import { type BootInformation, chargePointStatesTable } from '../../records/charge-point-state.js'
import { type CommissioningSession, isOfRegistration } from '../../records/commissioning.js'
import { configurationApplicationsTable } from '../../records/configuration.js'
import { modelOf } from '../../records/conformance.js'
import { connectorCount } from '../../records/connector-count.js'
import { foldIdTag } from '../../records/id-tag.js'
import { traitsFor } from '../../records/model-traits.js'
import { isOnline, type LiveNodes } from '../../records/presence.js'
import { type Session, sessionsTable } from '../../records/session.js'
import { lastSeenAt } from '../../records/sign-of-life.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { ReadView } from '../../runtime/store/store.js'
import { mostBetweenOf } from '../charge-point/energy.js'
import { storedRegister } from '../charge-point/session-register.js'
import type { Facts } from './steps.js'

export interface Known extends Facts {
  readonly chargePoint: ChargePoint
  /** What has booted last. */
  readonly boot: BootInformation | undefined
  /** Wall ms, where it is not connected and has said so itself. */
  readonly disconnectedAt: number | undefined
}

/** Undefined where the charge point is no longer registered as it was when the session began. */
export function factsOf(session: CommissioningSession, live: LiveNodes, context: Context): Known | undefined {
  const view = context.read()
  const chargePoint = view.get(chargePointsTable, [session.charge_point_id])
  if (chargePoint === undefined || !isOfRegistration(session, chargePoint.installed)) return undefined
  const state = view.get(chargePointStatesTable, [session.charge_point_id])
  const seenAt = state && lastSeenAt(view, state)
  const charge = chargeWith(session.test?.id_tag, session, chargePoint, view)
  return {
    chargePoint,
    now: context.now(),
    isConnected: isOnline(state, live) && state?.registration === 'Accepted',
    boot: state?.boot,
    disconnectedAt:
      state?.connected === false && state.disconnected_at !== undefined ? Date.parse(state.disconnected_at) : undefined,
    lastSeenAt: seenAt === undefined ? undefined : Date.parse(seenAt),
    connectors: state?.connectors ?? [],
    connectorCount: connectorCount(chargePoint, state),
    application: view.get(configurationApplicationsTable, [session.charge_point_id]),
    charge,
    traits: () => traitsFor(view, modelOf(session.hardware), chargePoint),
    takenWh: charge && takenBy(charge, chargePoint, view),
  }
}

function takenBy(charge: Session, chargePoint: ChargePoint, view: ReadView): number | undefined {
  const { at, taken } = storedRegister(view, charge, mostBetweenOf(maxPowerKwOf(chargePoint, charge), false))
  return at === undefined ? undefined : taken
}

/**
 * The charge with a tag that was made for it, whoever the charge point belonged to when it began. A claim closes what runs by estimate,
 * as the silence of a charge point does: there it runs on, until its StopTransaction corrects that.
 */
export function chargeWith(
  idTag: string | undefined,
  { charge_point_id, installer_id }: CommissioningSession,
  { organization_id }: ChargePoint,
  view: ReadView,
): Session | undefined {
  if (idTag === undefined) return undefined
  for (const owner of new Set([installer_id, organization_id])) {
    const query = { reverse: true, limit: 1 }
    const [found] = view.listBy(sessionsTable, 'startsByIdTag', [owner, foldIdTag(idTag)], query)
    if (found?.charge_point_id !== charge_point_id) continue
    const isSilent = found.flags.includes('charge_point_silent')
    const runsOn = found.status === 'estimated' && (owner !== organization_id || isSilent)
    return runsOn ? { ...found, status: 'active' } : found
  }
  return undefined
}
