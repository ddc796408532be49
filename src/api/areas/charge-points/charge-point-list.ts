// The list of charge points: by status, site, tariff and text.

import { type Static, type TObject, Type } from 'typebox'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { chargePointStatesTable, chargePointStatuses } from '../../../records/charge-point-state.js'
import { chargePointStatus, listsByStatus } from '../../../records/presence.js'
import { defaultTariff, sellingTariff } from '../../../records/selling-tariff.js'
import { tariffAssignmentsTable } from '../../../records/tariff.js'
import type { ReadView } from '../../../runtime/store/store.js'
import {
  type List,
  type Page,
  type PageQuery,
  readFilteredPage,
  readPage,
  readPageOfAll,
} from '../../pipeline/paging.js'
import { showingOf } from '../../pipeline/record-routes.js'
import type { Services } from '../../pipeline/services.js'
import { area } from './area.js'
import { chargePointSchema, chargePointView, stateOf } from './charge-points.js'

const listFilters = {
  status: Type.Optional(
    Type.Enum([...chargePointStatuses], { description: 'Returns only charge points with this status.' }),
  ),
  site_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 64, description: 'Returns only charge points of this site.' }),
  ),
  tariff: Type.Optional(
    Type.Enum(['none'], {
      description:
        '`none` lists charge points that have no tariff of their own, if neither their site nor the organization has a default tariff.',
    }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'A part of the id, the name, the serial number or the address, in upper or lower case.',
    }),
  ),
}

const listChargePoints = area.list('/chargepoints', {
  operationId: 'listChargePoints',
  summary: 'List charge points',
  filters: listFilters,
  name: 'charge_points',
  row: chargePointSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const { rows, total } = await readChargePoints(principal.organization.organization_id, query, services)
    const showing = showingOf(services)
    return { rows: rows.map((row) => chargePointView(row, showing)), total }
  },
})

/** What somebody on the phone can read out. */
const searched = ({ charge_point_id, name, serial_number, address }: ChargePoint): readonly (string | undefined)[] => [
  charge_point_id,
  name,
  serial_number,
  address,
]

async function readChargePoints(
  organization_id: string,
  query: Static<TObject<typeof listFilters>> & PageQuery,
  services: Services,
): Promise<Page<ChargePoint>> {
  const view = services.view()
  const { status, site_id, q, tariff } = query
  const isByStatus = status !== undefined && status !== 'offline'
  if (isByStatus && site_id === undefined && q === undefined && tariff === undefined) {
    const lists = listsByStatus(organization_id, status, services.presence.live)
    const states = readPageOfAll({ view, table: chargePointStatesTable, lists, query })
    const rows = states.rows.map((state) => view.get(chargePointsTable, [state.charge_point_id]))
    // Where it was removed a moment ago, and somebody else has registered its id, the actor has yet to remove the state.
    return {
      rows: rows.filter((row) => row?.organization_id === organization_id) as ChargePoint[],
      total: states.total,
    }
  }
  const list: List =
    site_id === undefined
      ? { index: 'byOrganization', group: [organization_id] }
      : { index: 'bySite', group: [organization_id, site_id] }
  const options = { view, begin: services.longReads.of(organization_id), table: chargePointsTable, list, query }
  if (status === undefined && q === undefined && tariff === undefined) return readPage(options)
  if (tariff === 'none' && everyOneSells(view, organization_id)) return { rows: [], total: 0 }
  const wanted = q?.toLowerCase()
  return readFilteredPage({
    ...options,
    keep: (row) =>
      (wanted === undefined || searched(row).some((text) => text?.toLowerCase().includes(wanted))) &&
      (tariff === undefined || sellingTariff(view, organization_id, row.charge_point_id) === undefined) &&
      (status === undefined || chargePointStatus(stateOf(view, row), services.presence.live) === status),
  })
}

/** Decided by counts alone, so that a list of none costs nothing. */
function everyOneSells(view: ReadView, organizationId: string): boolean {
  const group = [organizationId]
  return (
    defaultTariff(view, organizationId) !== undefined ||
    view.total(tariffAssignmentsTable, 'byOrganization', group) >=
      view.total(chargePointsTable, 'byOrganization', group)
  )
}

export const chargePointListRoutes = [listChargePoints]
