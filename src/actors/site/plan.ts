// Who should have how much: the budget of the moment, less everything that cannot be limited, shared among the cars that can be. Pure.
// `steps.ts` decides from it what may be sent now.

import { allocatePower, type Limit } from '../../power/allocate-power.js'
import { budgetAt, leastBudget, leastWithin } from '../../power/budget.js'
import { capacityOf, type Load, sumOf } from '../../power/load.js'
import { type BoundNow, boundNow } from './bounds.js'
import { limits } from './limits.js'
import { type Instant, type Place, placeId, placesOf } from './place.js'
import { type Group, shareWithin } from './sharing.js'
import { standingAmperes } from './standing.js'
import { type ChargerState, connectorIds, type SiteState } from './state.js'

export interface Plan {
  readonly budgetWatts: number
  /** Where the schedule is about to lower the budget, the lower one: nothing is given beyond it. */
  readonly givenWatts: number
  readonly capacity: Load
  /** The least with which a car is charged. */
  readonly minPowerKw: number
  readonly places: readonly Place[]
  readonly counted: Load
  /** By place. */
  readonly limits: ReadonlyMap<string, Limit>
  /** By place: what others allow its car. */
  readonly bounds: ReadonlyMap<string, BoundNow>
  /** By place: the cars that it shares with, and the power that they share. */
  readonly groups: ReadonlyMap<string, Group>
  /** For cars that limits hold back; there need be none. */
  readonly limited: Group
  /** Amperes per phase, by charge point. */
  readonly standing: ReadonlyMap<string, number>
  readonly strategy: Group['input']['strategy']
}

/** What a plan follows from, beside the time. */
export type PlannedSite = Pick<SiteState, 'configuration' | 'terms' | 'chargers'>

export function makePlan(state: PlannedSite, instant: Instant): Plan | undefined {
  const { configuration, terms } = state
  if (configuration === undefined || terms === undefined) return undefined
  const givenWatts = leastWithin(terms, instant.now, limits.leadMs)
  const perLine = configuration.max_current_per_phase_a
  const capacity = capacityOf(givenWatts, perLine)
  const places = [...state.chargers.values()].flatMap((charger) => placesOf(charger, instant))
  const bounds = boundsOf(places, instant)
  const {
    groups,
    limited,
    limits: given,
    standing,
  } = shareWithin(
    {
      configuration,
      capacity,
      places,
      bounds,
      priority: configuration.priority_order.flatMap((id) => placeIdsOf(state.chargers.get(id), id)),
      now: instant.now,
    },
    standingAmperes(places, configuration, capacityOf(leastBudget(terms), perLine)),
  )
  return {
    budgetWatts: budgetAt(terms, instant.now),
    givenWatts,
    capacity,
    minPowerKw: configuration.min_power_kw,
    places,
    counted: sumOf(places.map(({ counted }) => counted)),
    limits: given,
    bounds,
    groups,
    limited,
    standing,
    strategy: configuration.strategy,
  }
}

function placeIdsOf(charger: ChargerState | undefined, id: string): readonly string[] {
  return charger === undefined ? [] : connectorIds(charger).map((connectorId) => placeId(id, connectorId))
}

function boundsOf(places: readonly Place[], { now }: Instant): ReadonlyMap<string, BoundNow> {
  const bounds = new Map<string, BoundNow>()
  for (const { id, charger, session, phases, isSharer } of places) {
    const isBound = isSharer && session !== undefined && charger.bounds.size > 0
    const bound = isBound ? boundNow(charger, session.sessionId, phases, now) : undefined
    if (bound !== undefined) bounds.set(id, bound)
  }
  return bounds
}

/** What a place would get if nobody else shared, watts. */
export function aloneWatts({ groups }: Plan, id: string): number | undefined {
  const input = groups.get(id)?.input
  const charger = input?.chargers.find((one) => one.id === id)
  if (input === undefined || charger === undefined) return undefined
  return allocatePower({ ...input, chargers: [charger] })[0]?.watts
}
