// The objects of partners from the rows of the service.

import type { Location } from '../../ocpi/schemas/location.js'
import { readReservation } from '../../ocpi/session/make-reservation.js'
import { makeSession } from '../../ocpi/session/make-session.js'
import { readBill } from '../../ocpi/session/read-bill.js'
import { readCdrLocation } from '../../ocpi/session/read-cdr-location.js'
import { changeOfSession, readRoamingSession } from '../../ocpi/session/read-session.js'
import { readTariff, tariffMarker } from '../../ocpi/tariff/read-tariff.js'
import { ocpiLocationObjectsTable, ocpiLocationsTable } from '../../records/ocpi-location.js'
import { type OcpiPartner, sees } from '../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import type { LiveNodes } from '../../records/presence.js'
import { reservationsTable } from '../../records/reservation.js'
import { behindAllOthers, sessionsTable } from '../../records/session.js'
import { type Tariff, tariffsTable } from '../../records/tariff.js'
import type { ReadView } from '../../runtime/store/store.js'
import { after } from '../../runtime/store/table.js'
import { readActiveProfile } from './active-profile.js'
import { limits } from './limits.js'
import type { PushSource, SessionNow } from './source.js'

export function rowSource(live: LiveNodes): PushSource {
  return {
    isLive: (run) => live.has(run),
    party: (view, organizationId) => view.get(ocpiPartiesTable, [organizationId]),
    changedLocations(view, { organization_id }, time, limit, behind) {
      const from = behind === undefined ? [time] : after([time, organization_id, behind])
      return view
        .listBy(ocpiLocationsTable, 'byUpdate', [organization_id], { from, limit })
        .map(({ location_id, updated_at }) => ({ locationId: location_id, updatedAt: updated_at }))
    },
    location(view, { organization_id, location_ids }, locationId) {
      if (!sees(location_ids, locationId)) return undefined
      return view.get(ocpiLocationObjectsTable, [organization_id, locationId])?.object as Location | undefined
    },
    ownerOf(view, id) {
      const row = isReservation(id) ? view.get(reservationsTable, [id]) : view.get(sessionsTable, [id])
      return row?.roaming?.partner_id
    },
    session(view, sessionId, now) {
      if (isReservation(sessionId)) return reservationNow(view, sessionId, now)
      const session = view.get(sessionsTable, [sessionId])
      const roaming = session && readRoamingSession(view, session, now)
      if (session === undefined || roaming === undefined) return undefined
      const body = makeSession(roaming, changeOfSession(view, session, now))
      const { kwh, total_cost, status, end_date_time, charging_periods = [], last_updated } = body
      return {
        id: body.id,
        body,
        patch: { kwh, ...(total_cost !== undefined && { total_cost }), status, last_updated },
        mark: JSON.stringify([kwh, total_cost, status, end_date_time, charging_periods.length]),
        isRunning: status === 'ACTIVE',
        to: body.cdr_token,
      }
    },
    activeProfile: (view, partner, sessionId, told, now) => readActiveProfile(view, partner, sessionId, told, now),
    placeOf(view, sessionId, now) {
      const session = view.get(sessionsTable, [sessionId])
      return session && readCdrLocation(view, session, live, now)
    },
    bill(view, sessionId, known, now) {
      const session = view.get(sessionsTable, [sessionId])
      return session === undefined ? { cdrs: [], pricedAt: '' } : readBill(view, session, known, now)
    },
    runningSessions(view, partnerId, behind, limit) {
      const from = behind === undefined ? [behindAllOthers] : after([behindAllOthers, behind])
      return view
        .listBy(sessionsTable, 'ofPartnerByChange', [partnerId], { from, limit })
        .map(({ session_id }) => session_id)
    },
    tariffs(view, organizationId, now) {
      const markOf = tariffMarker(view, organizationId, now)
      const query = { limit: limits.ocpiTariffs }
      const tariffs = view.listBy(tariffsTable, 'byOrganization', [organizationId], query)
      return new Map(tariffs.map((tariff) => [tariff.tariff_id, markOf(tariff)]))
    },
    tariffMark(view, partner, tariffId, now) {
      const tariff = tariffOf(view, partner, tariffId)
      return tariff && tariffMarker(view, tariff.organization_id, now)(tariff)
    },
    tariff(view, partner, tariffId, now) {
      const tariff = tariffOf(view, partner, tariffId)
      const party = view.get(ocpiPartiesTable, [partner.organization_id])
      if (tariff === undefined || party === undefined) return undefined
      const made = readTariff(view, party, tariff, now)
      return made.ok ? made.tariff : undefined
    },
  }
}

const isReservation = (id: string): boolean => id.startsWith('res_')

function reservationNow(view: ReadView, reservationId: string, now: number): SessionNow | undefined {
  const reservation = view.get(reservationsTable, [reservationId])
  const body = reservation && readReservation(view, reservation, now)
  if (body === undefined) return undefined
  const { id, status, last_updated, cdr_token: to } = body
  const isRunning = status === 'RESERVATION'
  return { id, body, patch: { status, last_updated }, mark: status, isRunning, to }
}

function tariffOf(view: ReadView, { organization_id, tariff_ids }: OcpiPartner, tariffId: string): Tariff | undefined {
  const tariff = view.get(tariffsTable, [tariffId])
  return tariff?.organization_id === organization_id && sees(tariff_ids, tariffId) ? tariff : undefined
}
