// Configurations of smart charging that cannot work: those that are refused, and those that are stored with a warning, because they work once
// something else has changed, such as a charge point that is yet to be installed.

import type { Static } from 'typebox'
import { leastAmperes } from '../../../power/electricity.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { Site } from '../../../records/site.js'
import { type SiteConfiguration, siteConfigurationsTable } from '../../../records/site-configuration.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Tenant } from '../../pipeline/owned.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { chargePoints } from '../charge-points/area.js'
import { neverConnected, nobodyCanCharge, type PowerWarning, powerWarning as warning } from '../sites/power-warnings.js'
import { chargePointsOf } from '../sites/sites.js'
import type { configurationBody } from './configuration.js'
import { exceedsGridCapacity } from './errors.js'

type Body = Static<typeof configurationBody>

/** Throws `exceeds_grid_capacity` and `validation_error`. */
export function requireSound(site: Site, body: Body, view: ReadView, principal: Tenant): void {
  const { max_power_kw, schedule = [] } = body
  const most = Math.max(max_power_kw, ...schedule.map((entry) => entry.max_power_kw))
  if (most > site.max_grid_power_kw)
    throw exceedsGridCapacity(
      `the grid connection of the site holds ${site.max_grid_power_kw} kW: ask for no more, or change max_grid_power_kw first`,
    )
  const faults = [...strategyFaults(body), ...currentFaults(body), ...orderFaults(site, body, view, principal)]
  if (faults.length > 0) throw invalid(faults)
}

function strategyFaults({ strategy, priority_order = [], schedule = [] }: Body): readonly ErrorDetail[] {
  if (strategy === 'priority' && priority_order.length === 0)
    return [{ path: '/priority_order', message: 'must name at least one charge point for the strategy priority' }]
  if (strategy === 'scheduled' && schedule.length === 0)
    return [{ path: '/schedule', message: 'must have at least one entry for the strategy scheduled' }]
  return []
}

function currentFaults({ max_current_per_phase_a: amperes }: Body): readonly ErrorDetail[] {
  if (typeof amperes !== 'number' || amperes === 0 || amperes >= leastAmperes) return []
  const message = `must be at least ${leastAmperes}, because no car charges with less, or 0 to pause all cars`
  return [{ path: '/max_current_per_phase_a', message }]
}

/** What the site has stored stays good, so that a configuration that was read can be sent again after a charge point was deleted. */
function orderFaults(
  { site_id }: Site,
  { priority_order = [] }: Body,
  view: ReadView,
  principal: Tenant,
): readonly ErrorDetail[] {
  const stored = new Set(view.get(siteConfigurationsTable, [site_id])?.priority_order)
  return priority_order.flatMap((id, index) =>
    stored.has(id) || chargePoints.find(view, principal, id) !== undefined
      ? []
      : [{ path: `/priority_order/${index}`, message: 'there is no such charge point' }],
  )
}

/** What is stored and cannot work as it is. It costs the charge points of the site, of which there is a bounded number. */
export function warningsOf(site: Site, stored: SiteConfiguration, view: ReadView): PowerWarning[] {
  const { index, group } = chargePointsOf(site)
  const members = view.listBy(chargePointsTable, index, group)
  const ids = new Set(members.map(({ charge_point_id }) => charge_point_id))
  return [
    ...nobodyCanCharge(site, stored, members, view),
    ...(stored.strategy !== 'scheduled' && stored.schedule.length > 0
      ? [warning('schedule_not_used', `The schedule is stored and not used: the strategy is ${stored.strategy}.`)]
      : []),
    ...stored.priority_order
      .filter((id) => !ids.has(id))
      .map((id) => warning('not_in_site', `${id} is in the order of priority, but not linked to the site.`, id)),
    ...members.flatMap((member) => neverConnected(member, view)),
  ]
}
