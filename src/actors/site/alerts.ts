// What somebody has to look at: charge points that take no limits or do not keep them, and a site whose budget does not hold what they may draw.

import { powerLimitIgnored } from '../../alert-kinds/power-limit-ignored.js'
import { powerLimitRefused } from '../../alert-kinds/power-limit-refused.js'
import { sitePowerExceeded } from '../../alert-kinds/site-power-exceeded.js'
import { type AlertAbout, type Finding, finding, openAlert, raise, resolve } from '../../alerts/alert.js'
import { nominalVolts } from '../../power/electricity.js'
import { sumOf } from '../../power/load.js'
import { type SiteCharger, siteChargersTable } from '../../records/site-charger.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { limitBound } from './counted.js'
import { limits } from './limits.js'
import type { Instant } from './place.js'
import type { Plan } from './plan.js'
import type { ChargerState, SiteState } from './state.js'

const kw = (watts: number): number => Math.round(watts / 100) / 10

/** Raises what holds and has no alert, and resolves what has one and holds no more. */
export function followAlerts(state: SiteState, plan: Plan, instant: Instant, context: Context): readonly Effect[] {
  const holding = new Map(causes(state, plan, instant).map((found) => [keyOf(found), found]))
  const raised = [...holding].flatMap(([key, found]) => {
    if (state.alerts.has(key)) return []
    const { alert, effects } = raise(found, context)
    state.alerts.set(key, alert.alert_id)
    return effects
  })
  const over = [...state.alerts].flatMap(([key, open]) => {
    if (holding.has(key)) return []
    state.alerts.delete(key)
    return resolve(open, context)
  })
  return [...raised, ...over]
}

/** Those that an earlier life of the actor has raised, also of charge points that have left the site since. */
export function readAlerts(state: SiteState, context: Context): void {
  const rows = context.read().list(siteChargersTable, [context.id], { limit: 2 * limits.chargersOfSite })
  const organizationId = state.site?.organization_id ?? rows[0]?.organization_id
  for (const subject of [...ofSite(context.id, organizationId), ...rows.flatMap(possibleOf)]) {
    const open = openAlert(context.read(), subject)
    if (open !== undefined) state.alerts.set(keyOf(subject), open.alert_id)
  }
}

/** Of a charge point that is in the site no more. */
export function endAlerts(state: SiteState, { charge_point_id }: SiteCharger, context: Context): readonly Effect[] {
  return endThose(state, context, (subject) => subject === charge_point_id || subject.startsWith(`${charge_point_id}/`))
}

/** Of a site that is managed no more. */
export function endAllAlerts(state: SiteState, context: Context): readonly Effect[] {
  return endThose(state, context, () => true)
}

/** What the store says may be older than what this actor has just resolved. */
function endThose(state: SiteState, context: Context, isOver: (subject: string) => boolean): readonly Effect[] {
  return [...state.alerts].flatMap(([key, open]) => {
    if (!isOver(key.slice(key.indexOf(' ') + 1))) return []
    state.alerts.delete(key)
    return resolve(open, context)
  })
}

type Subject = Pick<Finding, 'kind' | 'organizationId' | 'subject'>

function keyOf({ kind, subject }: Subject): string {
  return `${kind} ${subject}`
}

function about({ organization_id, site_id, charge_point_id }: SiteCharger): AlertAbout {
  return { organizationId: organization_id, subject: charge_point_id, chargePointId: charge_point_id, siteId: site_id }
}

function ofConnector(row: SiteCharger, connectorId: number): AlertAbout {
  return { ...about(row), subject: `${row.charge_point_id}/${connectorId}`, connectorId }
}

function causes(state: SiteState, plan: Plan, instant: Instant): readonly Finding[] {
  return [
    ...exceeded(state, plan, instant),
    ...[...state.chargers.values()].flatMap((charger) => [...refused(charger, plan), ...ignored(charger)]),
  ]
}

function exceeded(state: SiteState, { counted, budgetWatts }: Plan, { monotonic }: Instant): readonly Finding[] {
  const { site } = state
  if (site === undefined || counted.watts <= budgetWatts + 1) {
    state.exceededSince = undefined
    return []
  }
  state.exceededSince ??= monotonic
  if (monotonic - state.exceededSince < limits.exceededMs) return []
  const subject = { organizationId: site.organization_id, subject: site.site_id, siteId: site.site_id }
  return [finding(sitePowerExceeded, subject, { countedKw: kw(counted.watts), budgetKw: kw(budgetWatts) })]
}

function refused(charger: ChargerState, plan: Plan): readonly Finding[] {
  const { row } = charger
  if (row.standing_form !== 'none' && row.form !== 'none') return []
  const own = plan.places.filter((place) => place.charger === charger).map(({ counted }) => counted)
  return [finding(powerLimitRefused, about(row), kw(sumOf(own).watts))]
}

function ignored(charger: ChargerState): readonly Finding[] {
  const { row } = charger
  return row.connectors.flatMap((connector) => {
    const { connector_id, ignores_limit_watts } = connector
    if (ignores_limit_watts === undefined) return []
    const allowedKw = kw(limitBound(charger, connector) * nominalVolts * (connector.phases ?? charger.facts.phases))
    const facts = { connectorId: connector_id, drawnKw: kw(ignores_limit_watts), allowedKw }
    return [finding(powerLimitIgnored, ofConnector(row, connector_id), facts)]
  })
}

function ofSite(siteId: string, organizationId: string | undefined): readonly Subject[] {
  return organizationId === undefined ? [] : [{ kind: sitePowerExceeded.name, organizationId, subject: siteId }]
}

function possibleOf(row: SiteCharger): readonly Subject[] {
  const { organization_id: organizationId, charge_point_id } = row
  const ofCharger: Subject = { kind: powerLimitRefused.name, organizationId, subject: charge_point_id }
  const ofConnectors = row.connectors.map(({ connector_id }): Subject => {
    return { kind: powerLimitIgnored.name, organizationId, subject: `${charge_point_id}/${connector_id}` }
  })
  return [ofCharger, ...ofConnectors]
}
