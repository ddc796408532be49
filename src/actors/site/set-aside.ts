// What a site sets aside and does not share, in numbers and in words: for connectors without a car, and for what cannot be limited now.

import { mayHaveForgotten } from './counted.js'
import type { Place } from './place.js'
import type { Plan } from './plan.js'
import { type Group, reservedFor } from './sharing.js'
import type { ChargerState } from './state.js'

/** So many charge points are named in a sentence. */
const namedInWords = 3

export function setAsideWatts(place: Place, { standing }: Plan): number {
  return reservedFor(place, standing).watts
}

/** No connection of it is known to the organization that it belongs to. */
export function wasNeverConnected({ report, row }: ChargerState): boolean {
  return report.epoch === 0 && !report.isReady && row.standing.amperes === undefined
}

/** After "are set aside for", in an explanation of a car of the group. */
export function setAsideFor(plan: Plan, { isOpen }: Group): string {
  const never = new Set<string>()
  const unlimited = new Set<string>()
  let cars = 0
  let idle = 0
  for (const place of plan.places) {
    const { charger, session } = place
    if (isOpen ? place.isSharer : !isSetAside(place, plan)) continue
    const { row } = charger
    if (wasNeverConnected(charger)) never.add(row.charge_point_id)
    else if (hasNoStandingLimit(charger)) unlimited.add(row.charge_point_id)
    else if (session === undefined) idle += 1
    else cars += 1
  }
  const parts = [
    ...(idle > 0 ? [counted(idle, 'connector without a car', 'connectors without a car')] : []),
    ...(cars > 0
      ? [counted(cars, 'car whose limit cannot be changed now', 'cars whose limits cannot be changed now')]
      : []),
    ...(unlimited.size > 0
      ? [`${names(unlimited)}, which ${unlimited.size === 1 ? 'has' : 'have'} not confirmed a standing limit`]
      : []),
    ...(never.size > 0 ? [`${names(never)}, which ${never.size === 1 ? 'has' : 'have'} never been connected`] : []),
  ]
  return parts.length === 0 ? 'what cannot be limited' : parts.join('; and for ')
}

function isSetAside(place: Place, plan: Plan): boolean {
  return place.isSharer ? place.isOpen : setAsideWatts(place, plan) > 0
}

function hasNoStandingLimit(charger: ChargerState): boolean {
  const { standing, standing_form } = charger.row
  return standing.amperes === undefined || standing_form === 'none' || mayHaveForgotten(charger)
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

function names(ids: ReadonlySet<string>): string {
  const named = [...ids].sort().slice(0, namedInWords)
  const more = ids.size - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ').replace(/, ([^,]*)$/, ' and $1')
}
