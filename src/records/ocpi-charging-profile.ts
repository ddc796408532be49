// The charging profile that a partner has set for a session of its driver (OCPI 2.2.1, 14), and how often it has asked for something. Written under
// its version by the API; the partner's actor removes it when the session is over.

import type { ChargeBound } from '../power/charge-bound.js'
import type { ReadView } from '../runtime/store/store.js'
import { defineTable } from '../runtime/store/table.js'
import { type Session, sessionsTable } from './session.js'

export interface OcpiChargingProfile {
  readonly partner_id: string
  readonly session_id: string
  readonly organization_id: string
  readonly version: number
  /** Wall ms of the last requests that were accepted, the newest first. */
  readonly asked_at: readonly number[]
  /** Absent where the partner has set none, or has taken it back. */
  readonly profile?: ChargeBound
  /** Names the request that has set it, or has taken it back; absent while none was ever set. */
  readonly set_by?: string
}

export const ocpiChargingProfilesTable = defineTable<OcpiChargingProfile>({
  name: 'ocpi_charging_profiles',
  key: (row) => [row.partner_id, row.session_id],
  importance: 'operation',
})

/** What a partner was told last of the profile that is in force for a session. Written by the partner's actor alone. */
export interface OcpiToldProfile {
  readonly partner_id: string
  readonly session_id: string
  /** Another one where the profile in force is another. */
  readonly mark: string
}

export const ocpiToldProfilesTable = defineTable<OcpiToldProfile>({
  name: 'ocpi_told_profiles',
  key: (row) => [row.partner_id, row.session_id],
  importance: 'operation',
})

export interface BoundSession {
  readonly session: Session
  readonly partnerId: string
  /** Absent where the partner has taken it back: it is told of changes all the same (14.3.2). */
  readonly bound?: ChargeBound
}

/** The profile by which a running session is bound; undefined where its partner has never set one, as for most. */
export function boundOfSession(view: ReadView, sessionId: string): BoundSession | undefined {
  const session = view.get(sessionsTable, [sessionId])
  if (session?.roaming === undefined || session.status !== 'active') return undefined
  const { partner_id: partnerId } = session.roaming
  const row = view.get(ocpiChargingProfilesTable, [partnerId, sessionId])
  if (row?.set_by === undefined) return undefined
  return { session, partnerId, ...(row.profile !== undefined && { bound: row.profile }) }
}
