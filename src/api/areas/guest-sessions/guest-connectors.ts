// One guest at a time on each connector: whoever asks for one claims it in a commit that only one of several can win, before
// anybody's money is touched.

import { limits as chargePointLimits } from '../../../actors/charge-point/limits.js'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { connectorCount } from '../../../records/connector-count.js'
import {
  type GuestConnector,
  type GuestSession,
  guestConnectorsTable,
  guestSessionsTable,
} from '../../../records/guest-session.js'
import { reservationsTable, takesReservedPlace } from '../../../records/reservation.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { type AmpshardError, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { below } from '../../pipeline/changes.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { stateOf } from '../charge-points/charge-points.js'
import { connectorInUse } from './errors.js'
import { limits } from './limits.js'

/** A claim whose guest session has not been stored by then is of a request that came to nothing. */
const claimedForMs = 120_000

type Place = Pick<GuestSession, 'organization_id' | 'charge_point_id' | 'connector_id'>

/** Throws `not_found`, `connector_in_use`, `storage_unavailable`. */
export async function claimConnector(place: Place, guestSessionId: string, services: Services): Promise<void> {
  const taken = () => inUse(place, 'it is taken by another guest')
  await commitDraft(
    {
      attempts: limits.connectorClaimAttempts,
      decide(draft) {
        const { charge_point_id, connector_id } = place
        const { view } = draft
        const now = services.clock.now()
        const chargePoint = draft.get(chargePointsTable, [charge_point_id])
        if (chargePoint?.organization_id !== place.organization_id)
          throw notFound('there is no such charge point', { chargePointId: charge_point_id })
        const claim = draft.get(guestConnectorsTable, [charge_point_id, connector_id])
        if (isClaimed(view, claim, place, now)) throw taken()
        const running = runningSessions(view, place)
        if (running.some((session) => session.connector_id === connector_id))
          throw inUse(place, 'a session is running on it')
        requireNotReserved(draft, chargePoint, connector_id, running, now)
        draft.put(guestConnectorsTable, {
          charge_point_id,
          connector_id,
          organization_id: place.organization_id,
          guest_session_id: guestSessionId,
          claimed_at: new Date(now).toISOString(),
        })
      },
      otherwise: taken,
    },
    services,
  )
}

/** A guest of whoever had the charge point before has no claim on it. */
function isClaimed(
  view: ReadView,
  claim: GuestConnector | undefined,
  { organization_id }: Place,
  now: number,
): boolean {
  if (claim === undefined) return false
  const guest = view.get(guestSessionsTable, [claim.guest_session_id])
  const owner = claim.organization_id ?? guest?.organization_id ?? organization_id
  if (owner !== organization_id) return false
  if (guest === undefined) return Math.abs(now - Date.parse(claim.claimed_at)) < claimedForMs
  return guest.status !== 'stopped'
}

function runningSessions(view: ReadView, { organization_id, charge_point_id }: Place): readonly Session[] {
  const group = [organization_id, charge_point_id]
  return view.listBy(sessionsTable, 'activeAtChargePoint', group, { limit: limits.runningSessionsLookedAt })
}

/** A guest's tag is nobody's: every reservation is for another. Holds as long as no other is made. */
function requireNotReserved(
  draft: Draft,
  chargePoint: ChargePoint,
  connector_id: number,
  running: readonly Session[],
  now: number,
): void {
  const { view } = draft
  const { organization_id, charge_point_id } = chargePoint
  const [index, group] = ['byChargePointStatus', [organization_id, charge_point_id, 'active']]
  const total = view.total(reservationsTable, index, group)
  draft.add({ conditions: [{ condition: below(reservationsTable, index, group, total + 1) }] })
  const query = { from: [now + 1], limit: chargePointLimits.activeReservations }
  const reservations = view.listBy(reservationsTable, index, group, query)
  if (reservations.length === 0) return
  const count = connectorCount(chargePoint, stateOf(view, chargePoint))
  const elsewhere = running.map((session) => session.connector_id).filter((one) => one !== connector_id)
  if (takesReservedPlace(reservations, connector_id, elsewhere, count))
    throw inUse({ charge_point_id, connector_id }, 'it is reserved')
}

function inUse({ charge_point_id, connector_id }: Omit<Place, 'organization_id'>, why: string): AmpshardError {
  return connectorInUse(`connector ${connector_id} is in use: ${why}`, { chargePointId: charge_point_id })
}
