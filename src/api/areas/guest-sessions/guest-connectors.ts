// One guest at a time on each connector: whoever asks for one claims it in a commit that only one of several can win, before
// anybody's money is touched.

import { limits as chargePointLimits } from '../../../actors/charge-point/limits.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { connectorCount } from '../../../records/connector-count.js'
import {
  type GuestConnector,
  type GuestSession,
  guestConnectorsTable,
  guestSessionsTable,
} from '../../../records/guest-session.js'
import { reservationsTable, takesReservedPlace } from '../../../records/reservation.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { type AmpshardError, storageUnavailable } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { below, putRow, unchanged } from '../../pipeline/changes.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { connectorInUse } from './errors.js'
import { limits } from './limits.js'

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
    const running = runningSessions(view, place)
    if (running.some((session) => session.connector_id === connector_id))
      throw inUse(place, 'a session is running on it')
    const reserved = activeReservations(place)
    if (isReserved(view, place, running, services)) throw inUse(place, 'it is reserved')
    const row: GuestConnector = {
      charge_point_id,
      connector_id,
      version: (before?.version ?? 0) + 1,
      guest_session_id: guestSessionId,
      claimed_at: new Date(services.clock.now()).toISOString(),
    }
    const result = await services.commit(
      [putRow(guestConnectorsTable, row)],
      [
        unchanged(guestConnectorsTable, key, before),
        below(
          reservationsTable,
          'byChargePointStatus',
          reserved,
          view.total(reservationsTable, 'byChargePointStatus', reserved) + 1,
        ),
      ],
    )
    if (result.ok) return
    if (result.reason !== 'condition_failed')
      throw storageUnavailable('the store cannot take writes now; try again later')
  }
  throw inUse(place, 'another guest has it')
}

function isClaimed(view: ReadView, claim: GuestConnector | undefined, now: number): boolean {
  if (claim === undefined) return false
  const guest = view.get(guestSessionsTable, [claim.guest_session_id])
  if (guest === undefined) return Math.abs(now - Date.parse(claim.claimed_at)) < claimedForMs
  return guest.status !== 'stopped'
}

function runningSessions(view: ReadView, { organization_id, charge_point_id }: Place): readonly Session[] {
  const group = [organization_id, charge_point_id]
  return view.listBy(sessionsTable, 'activeAtChargePoint', group, { limit: limits.runningSessionsLookedAt })
}

const activeReservations = ({ organization_id, charge_point_id }: Place) => [organization_id, charge_point_id, 'active']

/** A guest's tag is nobody's: every reservation is for another. */
function isReserved(view: ReadView, place: Place, running: readonly Session[], { clock }: Services): boolean {
  const { charge_point_id, connector_id } = place
  const query = { from: [clock.now() + 1], limit: chargePointLimits.activeReservations }
  const reservations = view.listBy(reservationsTable, 'byChargePointStatus', activeReservations(place), query)
  const chargePoint = view.get(chargePointsTable, [charge_point_id])
  if (reservations.length === 0 || chargePoint === undefined) return false
  const count = connectorCount(chargePoint, stateOf(view, chargePoint))
  const elsewhere = running.map((session) => session.connector_id).filter((one) => one !== connector_id)
  return takesReservedPlace(reservations, connector_id, elsewhere, count)
}

function inUse({ charge_point_id, connector_id }: Place, why: string): AmpshardError {
  return connectorInUse(`connector ${connector_id} is in use: ${why}`, {
    chargePointId: charge_point_id,
  })
}
