// Warnings about a site as it is now: nobody can charge there, whatever the reason.

import { floorAmperes } from '../../power/electricity.js'
import { fits, type Load, loadOn, noLoad, sumOf } from '../../power/load.js'
import { chargerLines, fullAmperes } from './facts.js'
import type { Place } from './place.js'
import type { Plan } from './plan.js'
import { setAsideFor, wasNeverConnected } from './set-aside.js'
import { reservedFor } from './sharing.js'

export interface SiteWarning {
  readonly code: 'nobody_can_charge'
  readonly message: string
  readonly charge_point_id: null
}

const kw = (watts: number): number => Math.round(watts / 10) / 100

export function warningsOf(plan: Plan): SiteWarning[] {
  const { places, limited, givenWatts } = plan
  if (places.length === 0 || places.some((place) => canCharge(place, plan))) return []
  const left = Math.max(0, limited.input.available.watts)
  const least = Math.min(...places.map((place) => floorLoad(place, plan).watts))
  const setAside =
    givenWatts - left > 5 ? ` (${kw(givenWatts - left)} kW are set aside for ${setAsideFor(plan, limited)})` : ''
  const message = `No car can charge: ${kw(left)} of ${kw(givenWatts)} kW can be given to cars${setAside}, and a car is charged with ${kw(least)} kW at least.`
  return [{ code: 'nobody_can_charge', message, charge_point_id: null }]
}

/** A new car draws on all phases until its meter values show fewer. */
function floorLoad({ charger, phases, session }: Place, { minPowerKw }: Plan): Load {
  const { facts } = charger
  const used = session === undefined ? facts.phases : phases
  const amperes = Math.min(fullAmperes(facts), floorAmperes(minPowerKw, used))
  return loadOn(chargerLines(facts, used), amperes)
}

function canCharge(place: Place, plan: Plan): boolean {
  const { id, charger, isSharer, isOpen, planned } = place
  if (wasNeverConnected(charger)) return false
  const floor = floorLoad(place, plan)
  // Without a limit of the service, a car can have everything that is set aside for it.
  if (!isSharer && (isOpen || !charger.report.isReady)) return planned.watts >= floor.watts
  const { watts, amperes = plan.capacity.amperes } = (plan.groups.get(id) ?? plan.limited).input.available
  return fits(floor, sumOf([{ watts, amperes }, isSharer ? noLoad : reservedFor(place, plan.standing)]))
}
