// Which charge points have a standing limit: the minimum of a car, for a car that comes while the service cannot reach its charge point. Pure.
// Power that cannot be limited is subtracted from the budget first. Standing limits share the rest, and may all be 0.

import { fits, type Load, less, noLoad, sumOf, times, worstOf } from './load.js'

/** A charge point of a site, with all its connectors together. */
export interface StandingCandidate {
  readonly id: string
  /** By the standing limit of a holder. */
  readonly floor: Load
  /** Counted now whatever its standing limit is. */
  readonly fixed: Load
  /** It confirms no standing limit: all that it can draw is set aside until it does. */
  readonly isUnlimited: boolean
}

/** The part of the budget, without unlimited charge points, that standing limits take at most: cars share the other half by turns. */
const shareOfStanding = 0.5

/** The holders: those of the order of priority first, then by id. `capacity`: the least that the site may ever draw. */
export function standingHolders(
  candidates: readonly StandingCandidate[],
  priority: readonly string[],
  capacity: Load,
): ReadonlySet<string> {
  const ranks = new Map(priority.map((id, rank) => [id, rank]))
  const rankOf = ({ id }: StandingCandidate): number => ranks.get(id) ?? priority.length
  const ordered = [...candidates].sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1))
  return withinRest(withinShare(ordered, capacity), sumOf(candidates.map(({ fixed }) => fixed)), capacity)
}

/** Depends on nothing that changes often: a charge point that goes offline changes no standing limit of another while there is room. */
function withinShare(ordered: readonly StandingCandidate[], capacity: Load): readonly StandingCandidate[] {
  const unlimited = sumOf(ordered.map(({ isUnlimited, fixed }) => (isUnlimited ? fixed : noLoad)))
  return fitting(
    ordered.filter(({ isUnlimited }) => !isUnlimited),
    times(less(capacity, unlimited), shareOfStanding),
    ({ floor }) => floor,
  )
}

function withinRest(candidates: readonly StandingCandidate[], fixed: Load, capacity: Load): ReadonlySet<string> {
  const more = (one: StandingCandidate): Load => less(worstOf(one.fixed, one.floor), one.fixed)
  // A charge point that is counted with its floor already costs nothing more.
  const free = candidates.filter((one) => fits(more(one), noLoad))
  const others = candidates.filter((one) => !fits(more(one), noLoad))
  return new Set([...free, ...fitting(others, less(capacity, fixed), more)].map(({ id }) => id))
}

/** The first candidates that fit together. A smaller one behind would lose its standing limit as soon as the first fits again. */
function fitting(
  candidates: readonly StandingCandidate[],
  capacity: Load,
  costOf: (one: StandingCandidate) => Load,
): readonly StandingCandidate[] {
  let sum = noLoad
  const end = candidates.findIndex((one) => {
    sum = sumOf([sum, costOf(one)])
    return !fits(sum, capacity)
  })
  return end < 0 ? candidates : candidates.slice(0, end)
}
