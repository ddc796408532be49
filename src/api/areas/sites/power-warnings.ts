// What is taken as it was asked for, and does not work as it is: it does once something else has changed, such as a charge point that is yet
// to be installed.

import { type Static, Type } from 'typebox'
import { factsOf } from '../../../actors/site/facts.js'
import { floorAmperes, nominalVolts } from '../../../power/electricity.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { energyAssetsTable } from '../../../records/energy-asset.js'
import { defaultTimeZone } from '../../../records/organization.js'
import type { Site } from '../../../records/site.js'
import { siteChargersTable } from '../../../records/site-charger.js'
import { budgetTerms, type SiteConfiguration } from '../../../records/site-configuration.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable } from '../../pipeline/schemas.js'
import { stateOf } from '../charge-points/charge-points.js'
import { assetsOf } from './energy-assets.js'

const codes = ['never_connected', 'not_in_site', 'nobody_can_charge', 'schedule_not_used'] as const

const warningSchema = named('PowerWarning', {
  code: Type.Enum([...codes]),
  message: Type.String(),
  charge_point_id: nullable(Type.String({ description: 'The charge point that the warning is about.' })),
})

export const warningsSchema = Type.Array(warningSchema, {
  description: 'Reasons for which the site cannot work as it is now.',
})

export type PowerWarning = Static<typeof warningSchema>

export function powerWarning(
  code: (typeof codes)[number],
  message: string,
  chargePointId: string | null = null,
): PowerWarning {
  return { code, message, charge_point_id: chargePointId }
}

/** Until it has connected and confirmed its standing limit, it is counted with all that it can draw. */
export function neverConnected(chargePoint: ChargePoint, view: ReadView): PowerWarning[] {
  const state = stateOf(view, chargePoint)
  if (state?.connection_epoch !== undefined || state?.connected_at !== undefined) return []
  const id = chargePoint.charge_point_id
  const message =
    `${id} has never been connected: the site sets aside all that it can draw until it has connected and has confirmed its standing limit. ` +
    'Link it once it is installed.'
  return [powerWarning('never_connected', message, id)]
}

/** `members`: the charge points of the site. It costs a few reads of each. */
export function nobodyCanCharge(
  site: Site,
  stored: SiteConfiguration,
  members: readonly ChargePoint[],
  view: ReadView,
): PowerWarning[] {
  // A charge point that takes no standing limit has all its power set aside for its cars.
  const isUnlimited = ({ charge_point_id }: ChargePoint): boolean =>
    view.get(siteChargersTable, [site.site_id, charge_point_id])?.standing_form === 'none'
  if (members.some(isUnlimited)) return []
  const { max_current_per_phase_a: perLine = Number.POSITIVE_INFINITY } = stored
  if (perLine === 0) return [powerWarning('nobody_can_charge', 'No car can charge: max_current_per_phase_a is 0.')]
  const setAsideWatts = members.reduce(
    (sum, member) => sum + (neverConnected(member, view).length > 0 ? fullWatts(member, view) : 0),
    0,
  )
  const mostWatts = highestBudget(site, stored, view)
  const least = leastOf(stored, members, perLine, view)
  if (mostWatts - setAsideWatts >= least.watts && least.amperes <= perLine) return []
  const setAside =
    setAsideWatts > 0
      ? `, ${kw(setAsideWatts)} kW of it are set aside for charge points that have never been connected,`
      : ''
  const text =
    least.amperes > perLine
      ? `each line carries ${perLine} A, and a car is charged with ${Math.ceil(least.amperes * 10) / 10} A at least.`
      : `the highest budget is ${kw(mostWatts)} kW${setAside} and a car is charged with ${kw(least.watts)} kW at least.`
  return [powerWarning('nobody_can_charge', `No car can charge: ${text}`)]
}

const kw = (watts: number): number => Math.round(watts) / 1000

function highestBudget(site: Site, stored: SiteConfiguration, view: ReadView): number {
  const { index, group } = assetsOf(site)
  const assets = view.listBy(energyAssetsTable, index, group)
  const { watts, schedule, gridWatts, assetWatts } = budgetTerms(stored, site, assets, defaultTimeZone)
  const held = stored.strategy === 'scheduled' ? schedule.map((entry) => entry.watts) : []
  return Math.min(gridWatts, Math.max(watts, ...held)) + assetWatts
}

function fullWatts(member: ChargePoint, view: ReadView): number {
  const facts = factsOf(member, { read: () => view })
  return facts.fullWatts * facts.connectors
}

/** The least with which a car is charged at one of them: on all phases, until its meter values show that it draws on fewer. */
function leastOf(
  { min_power_kw }: SiteConfiguration,
  members: readonly ChargePoint[],
  perLine: number,
  view: ReadView,
): { readonly watts: number; readonly amperes: number } {
  const on = (phases: number, fullWatts = Number.POSITIVE_INFINITY) => {
    const amperes = floorAmperes(min_power_kw, phases)
    const watts = Math.min(fullWatts, amperes * nominalVolts * phases)
    return { watts, amperes: watts / nominalVolts / phases }
  }
  if (members.length === 0) return on(1)
  const all = members.map((member) => {
    const facts = factsOf(member, { read: () => view })
    return on(facts.phases, facts.fullWatts)
  })
  const fitting = all.filter(({ amperes }) => amperes <= perLine)
  return (fitting.length > 0 ? fitting : all).reduce((one, other) => (other.watts < one.watts ? other : one))
}
