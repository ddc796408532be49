// One guest at a time on each connector: whoever asks for one claims it in a commit that only one of several can win, before
// anybody's money is touched.

import {
  type GuestConnector,
  type GuestSession,
  guestConnectorsTable,
  guestSessionsTable,
} from '../actors/records/guest-session.js'
import { sessionsTable } from '../actors/records/session.js'
import { AmpshardError } from '../runtime/errors.js'
import { limits } from '../runtime/limits.js'
import type { ReadView } from '../runtime/store.js'
import { putRow, unchanged } from './changes.js'
import type { Services } from './services.js'

/** A claim whose guest session has not been stored by then is of a request that came to nothing. */
const claimedForMs = 120_000

type Place = Pick<GuestSession, 'organization_id' | 'charge_point_id' | 'connector_id'>

/** Throws `connector_in_use`, `storage_unavailable`. */
export async function claimConnector(place: Place, guestSessionId: string, services: Services): Promise<void> {
  const { charge_point_id, connector_id } = place
  const key = [charge_point_id, connector_id]
  for (let attempt = 1; attempt <= limits.connectorClaimAttempts; attempt++) {
    const view = services.view()
    const before = view.get(guestConnectorsTable, key)
    if (isClaimed(view, before, services.clock.now())) throw inUse(place, 'another guest has it')
    if (isCharging(view, place)) throw inUse(place, 'a session is running on it')
    const row: GuestConnector = {
      charge_point_id,
      connector_id,
      version: (before?.version ?? 0) + 1,
      guest_session_id: guestSessionId,
      claimed_at: new Date(services.clock.now()).toISOString(),
    }
    const result = await services.commit(
      [putRow(guestConnectorsTable, row)],
      [unchanged(guestConnectorsTable, key, before)],
    )
    if (result.ok) return
    if (result.reason !== 'condition_failed')
      throw new AmpshardError('storage_unavailable', 'the store cannot take writes now; try again later')
  }
  throw inUse(place, 'another guest has it')
}

function isClaimed(view: ReadView, claim: GuestConnector | undefined, now: number): boolean {
  if (claim === undefined) return false
  const guest = view.get(guestSessionsTable, [claim.guest_session_id])
  if (guest === undefined) return Math.abs(now - Date.parse(claim.claimed_at)) < claimedForMs
  return guest.status !== 'stopped'
}

function isCharging(view: ReadView, { organization_id, charge_point_id, connector_id }: Place): boolean {
  const group = [organization_id, charge_point_id]
  const running = view.listBy(sessionsTable, 'activeAtChargePoint', group, { limit: limits.runningSessionsLookedAt })
  return running.some((session) => session.connector_id === connector_id)
}

function inUse({ charge_point_id, connector_id }: Place, why: string): AmpshardError {
  return new AmpshardError('connector_in_use', `connector ${connector_id} is in use: ${why}`, {
    chargePointId: charge_point_id,
  })
}
