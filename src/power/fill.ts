// Max-min fairness by progressive filling: all begin at their floors, and a level rises for all at once until a capacity is used up. Those
// that need that capacity stay there; the level rises on for the others. Nobody can have more without someone who has less losing.

/** One that shares, watts. Its floor is at most its cap. */
export interface Sharer {
  readonly floor: number
  readonly cap: number
}

/** Something that is shared: who draws from it, and which part of a sharer's watts comes out of it. */
export interface Capacity {
  readonly watts: number
  /** By sharer; 0 for one that draws nothing from it. */
  readonly parts: Float64Array
}

/** For each sharer its watts, and the capacity that stopped it; undefined for one that has its cap. The floors fit in every capacity. */
export interface Filled {
  readonly watts: readonly number[]
  readonly stoppedBy: readonly (number | undefined)[]
}

export function fill(sharers: readonly Sharer[], capacities: readonly Capacity[]): Filled {
  const watts = sharers.map(({ floor }) => floor)
  const stoppedBy: (number | undefined)[] = new Array(sharers.length).fill(undefined)
  const levels = Float64Array.from(sharers.flatMap(({ floor, cap }) => [floor, cap])).sort()
  let rising = sharers.map((_, index) => index)
  while (rising.length > 0) {
    const tops = capacities.map((capacity) => levelOf(capacity, sharers, watts, rising, levels))
    const level = Math.min(...tops)
    for (const index of rising) watts[index] = at(sharers[index] as Sharer, level)
    if (level === Number.POSITIVE_INFINITY) break
    const full = tops.indexOf(level)
    const parts = capacities[full]?.parts as Float64Array
    for (const index of rising)
      if (parts[index] !== 0 && (watts[index] as number) < (sharers[index] as Sharer).cap) stoppedBy[index] = full
    rising = rising.filter((index) => parts[index] === 0)
  }
  return { watts, stoppedBy }
}

function at({ floor, cap }: Sharer, level: number): number {
  return Math.min(cap, Math.max(floor, level))
}

/** The highest level at which the capacity holds; infinite where it holds the caps of all that still rise. */
function levelOf(
  { watts: capacity, parts }: Capacity,
  sharers: readonly Sharer[],
  watts: readonly number[],
  rising: readonly number[],
  levels: Float64Array,
): number {
  const members = rising.filter((index) => parts[index] !== 0)
  if (members.length === 0) return Number.POSITIVE_INFINITY
  const isMember = new Uint8Array(parts.length)
  for (const index of members) isMember[index] = 1
  let fixed = 0
  for (let index = 0; index < parts.length; index++)
    if (isMember[index] === 0) fixed += (parts[index] as number) * (watts[index] as number)
  const drawnAt = (level: number): number => {
    let drawn = fixed
    for (const index of members) drawn += (parts[index] as number) * at(sharers[index] as Sharer, level)
    return drawn
  }
  let [low, high] = [0, levels.length - 1]
  if (drawnAt(levels[high] as number) <= capacity) return Number.POSITIVE_INFINITY
  // The last of the levels that it holds; between two of them, what is drawn grows evenly.
  while (low + 1 < high) {
    const middle = (low + high) >> 1
    if (drawnAt(levels[middle] as number) <= capacity) low = middle
    else high = middle
  }
  const [below, above] = [levels[low] as number, levels[high] as number]
  const [drawnBelow, drawnAbove] = [drawnAt(below), drawnAt(above)]
  return below + ((above - below) * Math.max(0, capacity - drawnBelow)) / (drawnAbove - drawnBelow)
}
