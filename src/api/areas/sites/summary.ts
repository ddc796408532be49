// A site at a glance: what it may draw, what it draws, and how its charge points are. It costs its charge points, of which a site has a
// bounded number.

import { Type } from 'typebox'
import { type ChargePoint, chargePointsTable } from '../../../records/charge-point.js'
import { type ChargePointStatus, chargePointStatuses } from '../../../records/charge-point-state.js'
import { energyAssetsTable } from '../../../records/energy-asset.js'
import { chargePointStatus, faultedConnectors, isOnline } from '../../../records/presence.js'
import { sessionsTable } from '../../../records/session.js'
import type { Site } from '../../../records/site.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { walkList } from '../../pipeline/paging.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { stateOf } from '../charge-points/charge-points.js'
import { area, sites } from './area.js'
import { assetSchema, assetsOf, assetView } from './energy-assets.js'
import { budget, budgetKw, chargePointsOf } from './sites.js'

const siteSummary = area.get('/{site_id}/summary', {
  operationId: 'getSiteSummary',
  summary: 'Get the live overview of a site',
  of: sites,
  answer: named('SiteSummary', {
    site_id: Type.String(),
    max_grid_power_kw: Type.Number(),
    budget_kw: nullable(Type.Number({ description: budget })),
    current_draw_kw: Type.Number({
      description:
        'The power that the connected charge points draw, as they have metered it last, or else what the metered currents make. A change of less than 5 % or 50 W is not noted.',
    }),
    charger_statuses: Type.Object(
      Object.fromEntries(chargePointStatuses.map((status) => [status, Type.Integer({ minimum: 0 })])),
      { description: 'The number of charge points with each status.' },
    ),
    faulted: Type.Integer({
      minimum: 0,
      description: 'The number of charge points that report a fault, of one connector or of all of them.',
    }),
    energy_assets: Type.Array(assetSchema),
    active_sessions: Type.Integer({ minimum: 0 }),
    updated_at: timestamp(),
  }),
  sheddable: 'list',
  async read({ row: site }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { index, group } = assetsOf(site)
    const assets = view.listBy(energyAssetsTable, index, group)
    const { watts, statuses, faulted, sessions } = await chargersOf(site, view, services)
    return {
      site_id: site.site_id,
      max_grid_power_kw: site.max_grid_power_kw,
      budget_kw: budgetKw(site, { view, now }),
      current_draw_kw: Math.max(0, watts) / 1_000,
      charger_statuses: statuses,
      faulted,
      energy_assets: assets.map(assetView),
      active_sessions: sessions,
      updated_at: formatTimestamp(now),
    }
  },
})

async function chargersOf(site: Site, view: ReadView, { longReads, presence: { live } }: Services) {
  const statuses = Object.fromEntries(chargePointStatuses.map((status): [ChargePointStatus, number] => [status, 0]))
  let watts = 0
  let faulted = 0
  let sessions = 0
  const begin = longReads.of(site.organization_id)
  const add = (chargePoint: ChargePoint): void => {
    const state = stateOf(view, chargePoint)
    const status = chargePointStatus(state, live)
    if (status === 'faulted' || faultedConnectors(state, live) > 0) faulted++
    statuses[status] = (statuses[status] ?? 0) + 1
    if (state !== undefined && isOnline(state, live)) watts += state.power_watts
    const running = [chargePoint.organization_id, chargePoint.charge_point_id]
    sessions += view.total(sessionsTable, 'activeAtChargePoint', running)
  }
  for await (const rows of walkList({ view, begin, table: chargePointsTable, list: chargePointsOf(site) }))
    for (const row of rows) add(row)
  return { watts, statuses, faulted, sessions }
}

export const summaryRoutes = [siteSummary]
