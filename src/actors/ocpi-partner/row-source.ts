// The objects of partners from the rows of the service.

import type { Location } from '../../ocpi/schemas/location.js'
import { makeSession } from '../../ocpi/session/make-session.js'
import { readBill } from '../../ocpi/session/read-bill.js'
import { readCdrLocation } from '../../ocpi/session/read-cdr-location.js'
import { changeOfSession, readRoamingSession } from '../../ocpi/session/read-session.js'
import { readTariff, tariffMark } from '../../ocpi/tariff/read-tariff.js'
import { ocpiLocationObjectsTable, ocpiLocationsTable } from '../../records/ocpi-location.js'
import type { OcpiPartner } from '../../records/ocpi-partner.js'
import { ocpiPartiesTable } from '../../records/ocpi-party.js'
import type { LiveNodes } from '../../records/presence.js'
import { sessionsTable } from '../../records/session.js'
import { tariffsTable } from '../../records/tariff.js'
import { limits } from './limits.js'
import type { PushSource } from './source.js'

const sees = (ids: readonly string[] | undefined, id: string): boolean => ids === undefined || ids.includes(id)

export function rowSource(live: LiveNodes): PushSource {
  return {
    isLive: (run) => live.has(run),
    party: (view, organizationId) => view.get(ocpiPartiesTable, [organizationId]),
    changedLocations: (view, { organization_id }, from, limit) =>
      view
        .listBy(ocpiLocationsTable, 'byUpdate', [organization_id], { from: [from], limit })
        .map(({ location_id, updated_at }) => ({ locationId: location_id, updatedAt: updated_at })),
    location(view, { organization_id, location_ids }, locationId) {
      if (!sees(location_ids, locationId)) return undefined
      return view.get(ocpiLocationObjectsTable, [organization_id, locationId])?.object as Location | undefined
    },
    ownerOf: (view, sessionId) => view.get(sessionsTable, [sessionId])?.roaming?.partner_id,
    session(view, sessionId, now) {
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
    placeOf(view, sessionId, now) {
      const session = view.get(sessionsTable, [sessionId])
      return session && readCdrLocation(view, session, live, now)
    },
    bill(view, sessionId, known, now) {
      const session = view.get(sessionsTable, [sessionId])
      return session === undefined ? { cdrs: [], pricedAt: '' } : readBill(view, session, known, now)
    },
    tariffs: (view, partner) =>
      new Map(tariffsOf(view, partner).map((tariff) => [tariff.tariff_id, tariffMark(view, tariff)])),
    tariff(view, { organization_id, tariff_ids }, tariffId) {
      const tariff = view.get(tariffsTable, [tariffId])
      const party = view.get(ocpiPartiesTable, [organization_id])
      if (tariff?.organization_id !== organization_id || party === undefined || !sees(tariff_ids, tariffId))
        return undefined
      const made = readTariff(view, party, tariff)
      return made.ok ? made.tariff : undefined
    },
  }
}

function tariffsOf(view: Parameters<PushSource['tariffs']>[0], { organization_id, tariff_ids }: OcpiPartner) {
  const query = { limit: limits.ocpiTariffs }
  return view
    .listBy(tariffsTable, 'byOrganization', [organization_id], query)
    .filter(({ tariff_id }) => sees(tariff_ids, tariff_id))
}
