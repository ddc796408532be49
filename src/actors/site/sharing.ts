// How the power of a site is shared among the cars that charge there. Connectors that no limit holds back are set aside first, then standing
// limits, and the cars share the rest. A standing limit gives way to the shares of cars: nobody has more than its share by it.

import { type AllocationInput, allocatePower, type Charger, type Limit } from '../../power/allocate-power.js'
import { floorAmperes, limitStepWatts, nominalVolts } from '../../power/electricity.js'
import { fits, type Load, leastOf, less, loadOn, noLoad, sumOf, worstOf } from '../../power/load.js'
import type { SiteConfiguration } from '../../records/site-configuration.js'
import type { BoundNow } from './bounds.js'
import { connectorOf } from './counted.js'
import { chargerLines, fullAmperes } from './facts.js'
import type { Place } from './place.js'
import { standingLoad, standingWatts } from './standing.js'

/** Cars that share power among each other. */
export interface Group {
  readonly isOpen: boolean
  readonly input: AllocationInput
}

/** What is shared, and among whom. */
export interface Shareable {
  readonly configuration: SiteConfiguration
  /** The power of the site. */
  readonly capacity: Load
  readonly places: readonly Place[]
  readonly bounds: ReadonlyMap<string, BoundNow>
  /** Ids of places, the highest priority first. */
  readonly priority: readonly string[]
  /** Wall ms. */
  readonly now: number
}

type Standing = ReadonlyMap<string, number>

export interface Shares {
  readonly standing: Standing
  /** By place. */
  readonly groups: ReadonlyMap<string, Group>
  readonly limited: Group
  readonly limits: ReadonlyMap<string, Limit>
}

/** `standing`: by charge point, amperes per phase, as far as there is room for standing limits. */
export function shareWithin(site: Shareable, standing: Standing): Shares {
  const first = shareBy(site, standing)
  if (isWithin(site, first)) return first
  const second = shareBy(site, without(standing, heldBelow(site, first)))
  if (isWithin(site, second)) return second
  const charging = site.places.filter(({ isSharer }) => isSharer)
  return shareBy(site, without(standing, charging))
}

function without(standing: Standing, places: readonly Place[]): Standing {
  const lowered = new Map(standing)
  for (const { charger } of places) lowered.set(charger.row.charge_point_id, 0)
  return lowered
}

function shareBy(site: Shareable, standing: Standing): Shares {
  const { capacity, places } = site
  const open = places.filter(({ isSharer, isOpen }) => isSharer && isOpen)
  const limited = places.filter(({ isSharer, isOpen }) => isSharer && !isOpen)
  const reserved = sumOf(
    places.map((place) => (place.isSharer && place.isOpen ? noLoad : reservedFor(place, standing))),
  )
  const left = less(capacity, reserved)
  // It is counted whatever its cars have, so that it is theirs.
  const ofOpen = sumOf(open.map(({ planned }) => planned))
  const paused = sumOf(limited.map(({ charger }) => standingLoad(charger, charger.row.pauses_with_amperes ?? 0)))
  const openGroup = groupOf(site, open, standing, leastOf(ofOpen, less(left, paused)))
  const limitedGroup = groupOf(site, limited, standing, less(left, ofOpen))
  const given = [
    ...allocateWithLeast(openGroup.input, open, site.bounds),
    ...allocateWithLeast(limitedGroup.input, limited, site.bounds),
  ]
  const groups = new Map([
    ...open.map(({ id }) => [id, openGroup] as const),
    ...limited.map(({ id }) => [id, limitedGroup] as const),
  ])
  return { standing, groups, limited: limitedGroup, limits: new Map(given.map((limit) => [limit.id, limit])) }
}

/** Cars that have less than the standing limit of their charge point, which is counted whatever they have. */
function heldBelow({ places }: Shareable, { standing, groups, limits }: Shares): readonly Place[] {
  return places.filter(({ id, charger }) => {
    if (groups.get(id)?.isOpen !== false) return false
    const amperes = standing.get(charger.row.charge_point_id) ?? 0
    return (limits.get(id)?.watts ?? 0) < standingWatts(charger, amperes) - hair
  })
}

const hair = 1e-6

/** Everything that is counted once all limits are confirmed is within the power of the site, or no standing limit of a car is in the way. */
function isWithin(site: Shareable, shares: Shares): boolean {
  if (heldBelow(site, shares).length === 0) return true
  const { standing, limits } = shares
  const counted = site.places.map((place) => {
    const { id, charger, isSharer, isOpen, planned, phases } = place
    if (!isSharer || isOpen) return isSharer ? planned : reservedFor(place, standing)
    const own = loadOn(chargerLines(charger.facts, phases), (limits.get(id)?.watts ?? 0) / nominalVolts / phases)
    return worstOf(own, standingLoad(charger, leastAmperesOf(place, standing)))
  })
  return fits(sumOf(counted), site.capacity)
}

/** What stays in force of a charge point while its cars are paused. */
function leastAmperesOf({ charger: { row } }: Place, standing: Standing): number {
  return Math.max(standing.get(row.charge_point_id) ?? 0, row.pauses_with_amperes ?? 0)
}

/** What is not there to be shared: for a sharer, the lines of its standing limit that its car does not draw from. */
export function reservedFor(place: Place, standing: Standing): Load {
  const { charger, isSharer, planned, phases } = place
  if (!isSharer) return worstOf(planned, standingLoad(charger, standing.get(charger.row.charge_point_id) ?? 0))
  const used = chargerLines(charger.facts, phases)
  const unused = chargerLines(charger.facts).filter((line) => !used.includes(line))
  return { ...loadOn(unused, leastAmperesOf(place, standing)), watts: 0 }
}

function groupOf(site: Shareable, places: readonly Place[], standing: Standing, available: Load): Group {
  const { configuration, priority, now, bounds } = site
  const { watts, amperes } = available
  const hasLines = configuration.max_current_per_phase_a !== undefined
  return {
    isOpen: places.some(({ isOpen }) => isOpen),
    input: {
      available: hasLines ? { watts, amperes } : { watts },
      strategy: configuration.strategy,
      priority,
      chargers: places.map((place) => chargerOf(place, configuration, standing, bounds.get(place.id))),
      now,
    },
  }
}

function chargerOf(
  { id, charger, connectorId, phases, isOpen }: Place,
  { min_power_kw }: SiteConfiguration,
  standing: Standing,
  bound: BoundNow | undefined,
): Charger {
  const { facts, row } = charger
  const connector = connectorOf(charger, connectorId)
  const isGuaranteed = (standing.get(row.charge_point_id) ?? 0) > 0
  const pausedWatts = isOpen ? 0 : standingWatts(charger, row.pauses_with_amperes ?? 0)
  return {
    id,
    demandWatts: Math.min(fullAmperes(facts) * nominalVolts * phases, bound?.mostWatts ?? Number.POSITIVE_INFINITY),
    floorWatts: floorAmperes(min_power_kw, phases) * nominalVolts * phases,
    stepWatts: limitStepWatts(phases),
    lines: chargerLines(facts, phases),
    ...(isGuaranteed && { isGuaranteed: true }),
    ...(pausedWatts > 0 && { pausedWatts }),
    ...(connector?.paused_since !== undefined && { pausedSince: connector.paused_since }),
    ...(connector?.served_since !== undefined && { servedSince: connector.served_since }),
  }
}

/** Where there is enough for all that everybody could take, nobody is held to what it took lately. */
function allocate(input: AllocationInput, sharers: readonly Place[]): readonly Limit[] {
  const generous = allocatePower(input)
  if (generous.every(({ reason }) => reason === 'demand')) return generous
  const wanted = sharers.map(({ charger, connectorId }) => charger.behaviours.get(connectorId)?.demandWatts)
  const chargers = input.chargers.map((charger, index): Charger => {
    const demandWatts = Math.min(
      charger.demandWatts,
      Math.max(charger.floorWatts, wanted[index] ?? charger.demandWatts),
    )
    return { ...charger, demandWatts }
  })
  return allocatePower({ ...input, chargers })
}

/** What it is worth charging with by a bound counts as the minimum of its car, as long as nobody waits for that. */
function allocateWithLeast(
  input: AllocationInput,
  sharers: readonly Place[],
  bounds: ReadonlyMap<string, BoundNow>,
): readonly Limit[] {
  const limits = allocate(input, sharers)
  const chargers = input.chargers.map((charger) => {
    const least = Math.min(charger.demandWatts, bounds.get(charger.id)?.leastWatts ?? 0)
    return least > charger.floorWatts ? { ...charger, floorWatts: least } : charger
  })
  if (chargers.every((charger, index) => charger === input.chargers[index])) return limits
  const raised = allocate({ ...input, chargers }, sharers)
  return raised.some(({ reason }) => reason.startsWith('paused')) ? limits : raised
}
