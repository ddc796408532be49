// What is shown of an allocation: for each charger its limit, why it is that, and what may be drawn meanwhile.

import type { Charger, Limit } from '../../power/allocate-power.js'
import { leastAmperes, nominalVolts } from '../../power/electricity.js'
import { sumOf } from '../../power/load.js'
import { type LimitReason, reasonText, type Sharing } from '../../power/reasons.js'
import {
  connectorOf,
  isForgetful,
  isUnverified,
  limitBound,
  mayHaveForgotten,
  standingBound,
  takesLimits,
} from './counted.js'
import { fullAmperes } from './facts.js'
import type { Instant, Place } from './place.js'
import type { Plan } from './plan.js'
import { aloneWatts } from './plan.js'
import { setAsideFor, setAsideWatts, wasNeverConnected } from './set-aside.js'
import type { Group } from './sharing.js'
import { type ChargerState, holdsOthers, type SiteState } from './state.js'
import { worthAmperes } from './steps.js'
import { type SiteWarning, warningsOf } from './warnings.js'

export type AllocationState = 'applied' | 'pending' | 'rejected' | 'paused' | 'offline' | 'ignored'

export interface AllocationEntry {
  readonly charge_point_id: string
  readonly connector_id: number
  readonly transaction_id: number
  readonly session_id: string
  readonly demand_kw: number
  readonly allocated_kw: number
  /** What it may draw as far as can be known. */
  readonly counted_kw: number
  readonly drawn_kw: number | null
  readonly alone_kw: number | null
  readonly state: AllocationState
  readonly reason: LimitReason
  readonly explanation: string
  readonly phases: number
  readonly applied_at: string | null
}

/** A charge point that cannot be limited, and what it takes from the site for it. */
export interface UnlimitedEntry {
  readonly charge_point_id: string
  readonly counted_kw: number
  readonly reason: string
}

export interface AllocationView {
  readonly site_id: string
  readonly strategy: string
  readonly total_budget_kw: number
  readonly allocated_kw: number
  /** What all connectors of the site may draw together. */
  readonly counted_kw: number
  /** What is set aside for connectors without a car. */
  readonly reserved_kw: number
  readonly drawn_kw: number
  readonly chargers: readonly AllocationEntry[]
  readonly unlimited: readonly UnlimitedEntry[]
  readonly warnings: SiteWarning[]
  readonly computed_at: string
}

const kw = (watts: number): number => Math.round(watts) / 1000
/** Limits are sent in tenths of an ampere. */
const hair = 0.05 + 1e-6

export function viewOf(state: SiteState, plan: Plan, { now }: Instant): AllocationView {
  const active = plan.places.filter(({ session }) => session !== undefined)
  const idle = plan.places.filter(({ session }) => session === undefined)
  const words = wordsOf(plan)
  const entries = active.map((place) => entryOf(place, plan, words))
  return {
    site_id: state.site?.site_id ?? '',
    strategy: plan.strategy,
    total_budget_kw: kw(plan.budgetWatts),
    allocated_kw: kw(entries.reduce((sum, { allocated_kw }) => sum + allocated_kw * 1000, 0)),
    counted_kw: kw(plan.counted.watts),
    reserved_kw: kw(idle.reduce((sum, place) => sum + setAsideWatts(place, plan), 0)),
    drawn_kw: kw(drawnWatts(state)),
    chargers: entries,
    unlimited: unlimitedOf(plan),
    warnings: warningsOf(plan),
    computed_at: new Date(now).toISOString(),
  }
}

/** What the sentences about all cars have in common. */
interface Words {
  readonly sharingOf: (group: Group) => Sharing
  /** By charge point, from 1. */
  readonly ranks: ReadonlyMap<string, number>
}

function wordsOf(plan: Plan): Words {
  const { givenWatts, limited, places } = plan
  const chargers = new Map(places.map(({ id, charger }) => [id, charger.row.charge_point_id]))
  const ordered = [...new Set(limited.input.priority.map((id) => chargers.get(id) ?? id))]
  const known = new Map<Group, Sharing>()
  return {
    sharingOf(group) {
      const sharing = known.get(group) ?? {
        budgetWatts: givenWatts,
        availableWatts: group.input.available.watts,
        cars: group.input.chargers.length,
        setAsideFor: setAsideFor(plan, group),
      }
      known.set(group, sharing)
      return sharing
    },
    ranks: new Map(ordered.map((id, index) => [id, index + 1])),
  }
}

/** The limit that the car at a connector is to have: steps of limits may go beyond what its connector can give, and it cannot. */
export function allocatedWatts(place: Place, { limits }: Plan): number {
  const limit = limits.get(place.id)
  return limit === undefined ? place.counted.watts : Math.min(limit.watts, fullWatts(place))
}

function fullWatts({ charger, phases }: Place): number {
  return fullAmperes(charger.facts) * nominalVolts * phases
}

export function drawnWatts(state: SiteState): number {
  let sum = 0
  for (const { report } of state.chargers.values()) for (const { watts } of report.draws) sum += watts
  return sum
}

function entryOf(place: Place, plan: Plan, words: Words): AllocationEntry {
  const { charger, connectorId, session, phases, counted } = place
  const limit = plan.limits.get(place.id)
  const connector = connectorOf(charger, connectorId)
  const drawn = charger.report.draws.find((draw) => draw.connectorId === connectorId)?.watts
  const full = chargerOf(place, plan)?.demandWatts ?? counted.watts
  const alone = aloneWatts(plan, place.id)
  const state = stateOf(place, limit)
  return {
    charge_point_id: charger.row.charge_point_id,
    connector_id: connectorId,
    transaction_id: session?.transactionId ?? 0,
    session_id: session?.sessionId ?? '',
    demand_kw: kw(charger.behaviours.get(connectorId)?.demandWatts ?? full),
    allocated_kw: kw(allocatedWatts(place, plan)),
    counted_kw: kw(counted.watts),
    drawn_kw: drawn === undefined ? null : kw(drawn),
    alone_kw: alone === undefined ? null : kw(Math.min(alone, fullWatts(place))),
    state,
    reason: reasonOf(place, plan),
    explanation: explain(place, limit, state, plan, words),
    phases,
    applied_at: connector?.applied_at ?? null,
  }
}

function chargerOf({ id }: Place, { groups }: Plan): Charger | undefined {
  return groups.get(id)?.input.chargers.find((charger) => charger.id === id)
}

/** Why the car at a connector has its limit. */
export function reasonOf(place: Place, plan: Plan): LimitReason {
  const limit = plan.limits.get(place.id)
  if (isBound(place, plan)) return 'profile'
  // Without a limit, it is neither applied nor paused.
  return limit?.reason ?? (stateOf(place, limit) as Exclude<AllocationState, 'applied' | 'paused'>)
}

/** What holds it back is what a roaming partner allows it. */
function isBound(place: Place, { limits, bounds }: Plan): boolean {
  const [limit, bound] = [limits.get(place.id), bounds.get(place.id)]
  if (limit?.reason !== 'demand' || bound === undefined) return false
  return limit.watts >= bound.mostWatts && bound.mostWatts < fullWatts(place)
}

function boundText(place: Place, plan: Plan): string {
  return `It gets the ${kw(allocatedWatts(place, plan))} kW that the charging profile of a roaming partner allows it.`
}

function stateOf({ charger, connectorId, session, phases }: Place, limit: Limit | undefined): AllocationState {
  const connector = connectorOf(charger, connectorId)
  if (connector?.ignores_limit_watts !== undefined) return 'ignored'
  if (!charger.report.isReady) return 'offline'
  if (!takesLimits(charger)) return 'rejected'
  if (limit === undefined || connector?.session_id !== session?.sessionId) return 'pending'
  const { amperes, sent } = connector?.limit ?? {}
  if (sent !== undefined || amperes === undefined) return 'pending'
  const aim = limit.watts / nominalVolts / phases
  const isHigher = amperes >= leastAmperes && amperes - aim > hair
  // What a smaller raise would bring is not worth a call.
  if (isHigher || aim - amperes >= worthAmperes) return 'pending'
  return limit.watts === 0 ? 'paused' : 'applied'
}

function explain(place: Place, limit: Limit | undefined, state: AllocationState, plan: Plan, words: Words): string {
  const counted = `${kw(place.counted.watts)} kW`
  switch (state) {
    case 'ignored':
      return `The charge point has accepted a limit and draws more, so it is counted with the ${counted} that it may draw.`
    case 'offline':
      return `The charge point cannot be reached, so it is counted with the ${counted} that it may draw until it comes back.`
    case 'rejected':
      return `The charge point takes no limits, so it is counted with all of the ${counted} that it can draw.`
    default: {
      const group = plan.groups.get(place.id)
      if (limit === undefined || group === undefined) return 'It has not been given a limit yet.'
      const why = isBound(place, plan) ? boundText(place, plan) : sharedText(place, limit, group, plan, words)
      return state === 'pending' ? `${why} ${pendingText(place, limit, counted)}` : why
    }
  }
}

function sharedText(place: Place, limit: Limit, group: Group, plan: Plan, { sharingOf, ranks }: Words): string {
  const others = group.input.chargers.flatMap(({ id }) => plan.limits.get(id) ?? [])
  const withLess = others.filter((other) => limit.watts - other.watts > hair)
  const sharer = {
    floorWatts: leastWatts(chargerOf(place, plan)),
    rank: ranks.get(place.charger.row.charge_point_id),
    takesWatts: place.charger.behaviours.get(place.connectorId)?.demandWatts,
    othersWithLess: withLess.filter(({ reason }) => reason === 'demand').length,
    othersOnLines: withLess.filter(({ reason }) => reason === 'line' || reason === 'paused_line').length,
    othersTooSmall: withLess.filter(({ reason }) => reason === 'paused_minimum').length,
    othersWithMore: others.filter(({ reason }) => reason === 'minimum').length,
  }
  const watts = allocatedWatts(place, plan)
  return `${reasonText({ ...limit, watts }, sharer, sharingOf(group))}${unsentText(place, limit)}`
}

/** Its minimum, in whole steps. */
function leastWatts(charger: Charger | undefined): number {
  return charger === undefined ? 0 : Math.ceil(charger.floorWatts / charger.stepWatts - 1e-6) * charger.stepWatts
}

/** Until a limit is confirmed. One that has not been sent waits for something. */
function pendingText({ charger, connectorId, phases }: Place, limit: Limit, counted: string): string {
  const connector = connectorOf(charger, connectorId)
  if (connector?.limit.sent !== undefined) return `Until it has confirmed this limit, it is counted with ${counted}.`
  if (holdsOthers(charger, connectorId))
    return `It is sent this limit when it has confirmed that limits of others are cleared. Until then, it is counted with ${counted}.`
  const held = connector === undefined ? standingBound(charger) : limitBound(charger, connector)
  return limit.watts > held * nominalVolts * phases + hair
    ? `It is sent this limit when the others have made room for it. Until then, it is counted with ${counted}.`
    : `It has not been sent this limit yet. Until it has confirmed it, it is counted with ${counted}.`
}

/** A raise that is too small for a call: what holds is what was confirmed before. */
function unsentText({ charger, connectorId, phases }: Place, limit: Limit): string {
  const { amperes, sent } = connectorOf(charger, connectorId)?.limit ?? {}
  if (amperes === undefined || sent !== undefined) return ''
  const gain = limit.watts / nominalVolts / phases - amperes
  if (gain <= hair || gain >= worthAmperes) return ''
  return ` Its limit stays at ${kw(amperes * nominalVolts * phases)} kW, because so small a raise is not sent.`
}

function unlimitedOf({ places }: Plan): readonly UnlimitedEntry[] {
  const chargers = [...new Set(places.map(({ charger }) => charger))]
  return chargers.flatMap((charger) => {
    const { row } = charger
    const own = places.filter((place) => place.charger === charger)
    const counted_kw = kw(sumOf(own.map(({ counted }) => counted)).watts)
    const entry = (reason: string): UnlimitedEntry[] => [{ charge_point_id: row.charge_point_id, counted_kw, reason }]
    if (row.standing_form === 'none')
      return entry('It has refused the standing limit, so its connectors are counted with all that they can draw.')
    if (isUnverified(charger) && !isForgetful(charger))
      return entry(
        'It has restarted and has not shown that it holds its limits, so its connectors are counted with all that they can draw.',
      )
    if (mayHaveForgotten(charger))
      return entry(
        'It forgets its limits when it restarts, so it is counted with all that it can draw while it is offline, and until it has confirmed them again.',
      )
    if (wasNeverConnected(charger))
      return entry(
        'It has never been connected, so its connectors are counted with all that they can draw until it has connected and has confirmed the standing limit.',
      )
    if (row.standing.amperes === undefined && hasRefused(charger))
      return entry(
        'It has refused the standing limit so far and is sent it in other ways, so its connectors are counted with all that they can draw.',
      )
    if (row.standing.amperes === undefined && standingBound(charger) > 0)
      return entry(
        'It has not confirmed the standing limit yet, so its connectors are counted with all that they can draw.',
      )
    if (own.some(({ connectorId }) => holdsOthers(charger, connectorId)))
      return entry(
        'It has not confirmed yet that limits that others have set there are cleared, so its connectors are counted with all that they can draw.',
      )
    if (row.connectors.some((one) => one.may_go_on === true && limitBound(charger, one) > standingBound(charger)))
      return entry(
        'A session there was ended without its word, so its car is counted until the charge point says that it has left, or its limit ends.',
      )
    return []
  })
}

function hasRefused({ row, standingRefusals }: ChargerState): boolean {
  return standingRefusals > 0 || row.standing_form !== undefined || row.pauses_with_amperes !== undefined
}
