// The charging profile that is in force for a session of a managed site (OCPI 2.2.1, 14.5.1): what its charge point has confirmed now, and from then
// on what the partner allows, as far as the site gives as much. What a charge point without a site makes of a profile is not known here.

import { writeDateTime } from '../../ocpi/date-time.js'
import type { ActiveChargingProfile } from '../../ocpi/schemas/charging-profile.js'
import { amperesOf, boundAt, type ChargeBound, nextChangeOf } from '../../power/charge-bound.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { ocpiChargingProfilesTable } from '../../records/ocpi-charging-profile.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import { sessionsTable } from '../../records/session.js'
import { siteChargersTable } from '../../records/site-charger.js'
import { siteConfigurationsTable } from '../../records/site-configuration.js'
import type { ReadView } from '../../runtime/store/store.js'
import { factsOf, fullAmperes } from '../site/facts.js'
import type { ActiveProfile } from './source.js'

/** So far ahead a partner is told (14.3.2: between 5 and 60 minutes). */
const aheadSeconds = 3_600
/** Limits have one decimal. */
const rounding = 0.05

export function readActiveProfile(
  view: ReadView,
  { partner_id }: OcpiPartner,
  sessionId: string,
  told: string | undefined,
  now: number,
): ActiveProfile | undefined {
  const row = view.get(ocpiChargingProfilesTable, [partner_id, sessionId])
  const session = view.get(sessionsTable, [sessionId])
  if (row?.set_by === undefined || session?.roaming?.partner_id !== partner_id || session.status !== 'active')
    return undefined
  const chargePoint = view.get(chargePointsTable, [session.charge_point_id])
  if (chargePoint === undefined) return undefined
  const facts = factsOf(chargePoint, { read: () => view })
  const { site_id: siteId } = chargePoint
  const isManaged = siteId !== undefined && view.get(siteConfigurationsTable, [siteId]) !== undefined
  const full = fullAmperes(facts)
  // Out of its site, nothing limits it any more: its site has cleared its limits.
  if (!isManaged) return told === undefined ? undefined : { ...made({ now, present: full }), to: session.roaming }
  const charger = view.get(siteChargersTable, [siteId, session.charge_point_id])
  const connector = charger?.connectors.find(({ session_id }) => session_id === sessionId)
  const present = connector?.limit.amperes
  if (present === undefined) return undefined
  const phases = connector?.phases ?? facts.phases
  return {
    ...made({ now, present: Math.min(present, full), full, phases, bound: row.profile, setBy: row.set_by }),
    to: session.roaming,
  }
}

interface Terms {
  readonly now: number
  /** Amperes per phase. */
  readonly present: number
  readonly full?: number
  readonly phases?: number
  readonly bound?: ChargeBound | undefined
  readonly setBy?: string
}

function made({ now, present, full = present, phases = 1, bound, setBy }: Terms): Omit<ActiveProfile, 'to'> {
  const from = Math.floor(now / 1_000) * 1_000
  const allowedAt = (at: number): number => {
    const limit = bound && boundAt(bound, at)
    return bound === undefined || limit === undefined ? full : Math.min(full, amperesOf(limit, bound.unit, phases))
  }
  // Where the site gives less than the partner allows, it is not known for how long.
  const isSites = present < allowedAt(now) - rounding
  const most = isSites ? present : full
  const periods = [{ start_period: 0, limit: oneDecimal(present) }]
  for (
    let at = bound && nextChangeOf(bound, now);
    bound !== undefined && at !== undefined;
    at = nextChangeOf(bound, at)
  ) {
    const start_period = Math.ceil((at - from) / 1_000)
    if (start_period >= aheadSeconds) break
    const limit = oneDecimal(Math.min(most, allowedAt(at)))
    if (limit !== periods.at(-1)?.limit) periods.push({ start_period, limit })
  }
  const body: ActiveChargingProfile = {
    start_date_time: writeDateTime(from),
    charging_profile: { duration: aheadSeconds, charging_rate_unit: 'A', charging_profile_period: periods },
  }
  return { body, mark: JSON.stringify([oneDecimal(present), setBy]) }
}

function oneDecimal(limit: number): number {
  return Math.round(limit * 10) / 10
}
