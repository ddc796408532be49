// For which session a partner asks, and whether it may: what is answered at once (OCPI 2.2.1, 14.4.1), and how often is too often.

import { type ChargerFacts, factsOf } from '../../../actors/site/facts.js'
import { sessionIdOf } from '../../../ocpi/ids.js'
import type { ChargingProfileResponseType } from '../../../ocpi/schemas/charging-profile.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { reportedConfigurationsTable } from '../../../records/configuration.js'
import { type OcpiChargingProfile, ocpiChargingProfilesTable } from '../../../records/ocpi-charging-profile.js'
import { isOnline } from '../../../records/presence.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { siteConfigurationsTable } from '../../../records/site-configuration.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { isOwnDriver } from '../../surfaces/ocpi-sender.js'
import type { OcpiPrincipal } from '../../surfaces/ocpi-token.js'
import { limits } from './limits.js'

export interface Asked {
  readonly session: Session
  readonly facts: ChargerFacts
  /** Of a charge point whose site shares its power. */
  readonly siteId: string | undefined
  readonly isOnline: boolean
  /** As it is stored with this request. */
  readonly row: Omit<OcpiChargingProfile, 'version'>
}

export type Refused = Exclude<ChargingProfileResponseType, 'ACCEPTED'>

export const isRefused = (asked: Asked | Refused): asked is Refused => typeof asked === 'string'

/** Nothing is stored here: the caller puts the row. */
export function askedOf(principal: OcpiPrincipal, id: string, draft: Draft, services: Services): Asked | Refused {
  const { partner, organization } = principal
  if (!partner.commands) return 'NOT_SUPPORTED'
  const { view } = draft
  const sessionId = sessionIdOf(id)
  const { partner_id } = partner
  const session = view.get(sessionsTable, [sessionId])
  if (session?.organization_id !== organization.organization_id || session.roaming === undefined)
    return 'UNKNOWN_SESSION'
  // Of a driver of another party, or over.
  if (!isOwnDriver(principal, session.roaming) || session.status !== 'active') return 'REJECTED'
  const chargePoint = view.get(chargePointsTable, [session.charge_point_id])
  if (chargePoint?.organization_id !== organization.organization_id) return 'REJECTED'
  const reported = view.get(reportedConfigurationsTable, [session.charge_point_id])
  const features = reported?.keys.supportedfeatureprofiles?.value
  if (features !== undefined && !features.includes('SmartCharging')) return 'NOT_SUPPORTED'
  const now = services.clock.now()
  const before = draft.get(ocpiChargingProfilesTable, [partner_id, sessionId])
  const lately = (before?.asked_at ?? []).filter((at) => Math.abs(now - at) < limits.ocpiProfileRequestsMs)
  if (lately.length >= limits.ocpiProfileRequests) return 'TOO_OFTEN'
  const { site_id: siteId } = chargePoint
  const isManaged = siteId !== undefined && view.get(siteConfigurationsTable, [siteId]) !== undefined
  const { version: _, ...known } = before ?? { version: 0 }
  return {
    session,
    facts: factsOf(chargePoint, { read: () => view }),
    siteId: isManaged ? siteId : undefined,
    isOnline: isOnline(view.get(chargePointStatesTable, [session.charge_point_id]), services.presence.live),
    row: {
      ...known,
      partner_id,
      session_id: sessionId,
      organization_id: organization.organization_id,
      asked_at: [now, ...lately],
    },
  }
}
