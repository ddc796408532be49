// How a site would have shared its power in the past: the plan of the site, over charge points that do what they are sent, and cars that want what
// they drew then. A car that drew all of its limit could have taken more, and is taken to have wanted all that it could get.

import type { BudgetTerms } from '../../power/budget.js'
import type { PowerBucket } from '../../records/power-roll-up.js'
import type { SiteCharger, SiteConnector } from '../../records/site-charger.js'
import type { SiteConfiguration } from '../../records/site-configuration.js'
import { fullPart, headroom } from './behaviours.js'
import type { ChargerFacts } from './facts.js'
import type { Place } from './place.js'
import { makePlan, type Plan } from './plan.js'
import { behaviourOf, type ChargerState, newCharger } from './state.js'

/** A charge point that is in the site now. */
export interface PastCharger {
  readonly id: string
  readonly facts: ChargerFacts
  /** What is known of it: which limits it takes. */
  readonly row: SiteCharger | undefined
}

export interface PastShare {
  readonly chargePointId: string
  readonly allocatedWatts: number
  /** Watts that it drew and would not have had. */
  readonly missedWatts: number
  /** Its cars would have been given less than they wanted; and they were. */
  readonly isLimited: boolean
  readonly wasLimited: boolean
  readonly reason: string
}

export interface PastPlan {
  readonly budgetWatts: number
  readonly shares: readonly PastShare[]
}

/** Since when a connector has power, or waits for it: turns go on from one bucket to the next. */
type Turns = Map<string, Pick<SiteConnector, 'paused_since' | 'served_since'>>

/** Plans one bucket after the other, in the order of time; `drawn` is what charge points of the site drew in it. */
export function pastPlanner(
  configuration: SiteConfiguration,
  terms: BudgetTerms,
  chargers: readonly PastCharger[],
): (at: number, drawn: ReadonlyMap<string, PowerBucket>) => PastPlan {
  let turns: Turns = new Map()
  return (at, drawn) => {
    const states = new Map(
      chargers.map((charger) => [charger.id, supposed(charger, drawn.get(charger.id), configuration, turns)]),
    )
    const plan = makePlan({ configuration, terms, chargers: states }, { now: at, monotonic: 0 }) as Plan
    turns = turnsAfter(plan, turns, at)
    const shares = [...drawn].flatMap(([id, bucket]) => {
      const charger = states.get(id)
      return charger === undefined ? [] : [shareOf(charger, bucket, plan)]
    })
    return { budgetWatts: plan.budgetWatts, shares }
  }
}

/** The most that it can draw with so many cars. */
function fullWatts({ fullWatts }: ChargerFacts, { active }: PowerBucket): number {
  return fullWatts * Math.max(1, active)
}

function wasLimited({ facts }: ChargerState, bucket: PowerBucket): boolean {
  const { allocatedWatts, drawnWatts } = bucket
  const isFull = drawnWatts >= allocatedWatts * fullPart
  return isFull && allocatedWatts < fullWatts(facts, bucket) * fullPart && !isAllOfItsPhases(facts, bucket)
}

/** A single car that had exactly all that the connector gives on one phase, or on two, takes no more. */
function isAllOfItsPhases({ fullWatts, phases }: ChargerFacts, { active, allocatedWatts }: PowerBucket): boolean {
  const used = (allocatedWatts / fullWatts) * phases
  return active === 1 && used > 0.5 && Math.abs(used - Math.round(used)) < 0.005
}

function supposed(
  { id, facts, row }: PastCharger,
  bucket: PowerBucket | undefined,
  { site_id, organization_id, updated_at }: SiteConfiguration,
  turns: Turns,
): ChargerState {
  const connectorIds = Array.from({ length: bucket?.active ?? 0 }, (_, index) => index + 1)
  const places = Array.from({ length: Math.max(facts.connectors, connectorIds.length) }, (_, index) => index + 1)
  const given: SiteCharger = {
    site_id,
    organization_id,
    charge_point_id: id,
    // One that takes no limit is counted with all that it can draw.
    standing: row?.form === 'none' ? {} : { amperes: 0 },
    standing_boot: '',
    cleared: places,
    connectors: connectorIds.map((connector_id) => ({
      connector_id,
      session_id: `${connector_id}`,
      transaction_id: 0,
      limit: row?.form === 'none' ? {} : { amperes: 0 },
      ...turns.get(`${id}/${connector_id}`),
    })),
    ...(row?.form !== undefined && { form: row.form }),
    ...(row?.standing_form !== undefined && { standing_form: row.standing_form }),
    updated_at,
  }
  const state = newCharger(given, facts, {
    type: 'charger-report',
    chargePointId: id,
    isReady: true,
    epoch: 0,
    sessions: connectorIds.map((connectorId) => ({ sessionId: `${connectorId}`, transactionId: 0, connectorId })),
    draws: [],
  })
  if (bucket !== undefined && !wasLimited(state, bucket))
    for (const connectorId of connectorIds)
      behaviourOf(state, connectorId).demandWatts = (bucket.drawnWatts * headroom) / connectorIds.length
  return state
}

function turnsAfter({ places, limits }: Plan, before: Turns, at: number): Turns {
  const after: Turns = new Map()
  for (const { id, isSharer } of places) {
    if (!isSharer) continue
    const known = before.get(id)
    const isPaused = limits.get(id)?.watts === 0
    after.set(id, isPaused ? { paused_since: known?.paused_since ?? at } : { served_since: known?.served_since ?? at })
  }
  return after
}

function shareOf(charger: ChargerState, bucket: PowerBucket, { places, limits }: Plan): PastShare {
  const own = places.filter((place) => place.charger === charger && place.session !== undefined)
  const given = (place: Place): number => limits.get(place.id)?.watts ?? place.counted.watts
  const allocatedWatts = own.reduce((sum, place) => sum + given(place), 0)
  const reasons = own.map(({ id }) => limits.get(id)?.reason ?? 'rejected')
  const isFree = (reason: string): boolean => reason === 'demand' || reason === 'rejected'
  return {
    chargePointId: charger.row.charge_point_id,
    allocatedWatts,
    missedWatts: Math.max(0, bucket.drawnWatts - allocatedWatts),
    isLimited: reasons.some((reason) => !isFree(reason)),
    wasLimited: wasLimited(charger, bucket),
    reason: reasons.find((reason) => !isFree(reason)) ?? reasons[0] ?? 'demand',
  }
}
