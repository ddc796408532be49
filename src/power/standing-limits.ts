// The limit that a charge point keeps for itself, for whatever begins while nobody can tell it another. It is its floor, for as many charge
// points as fit into half of the least budget, whatever the time; the others wait for word of the service with each car.

/** A charge point of a site, with the floors of all its connectors together. */
export interface StandingCandidate {
  readonly id: string
  readonly floorWatts: number
  /** On the line of the site that it draws most from. */
  readonly floorAmperes: number
}

/** What is set aside for them, of the least budget and of each line. */
const setAside = 0.5

/** Who has a standing limit: those of the order of priority first, then by id. */
export function standingHolders(
  candidates: readonly StandingCandidate[],
  priority: readonly string[],
  leastWatts: number,
  perLine: number | undefined,
): ReadonlySet<string> {
  const ranks = new Map(priority.map((id, rank) => [id, rank]))
  const rankOf = ({ id }: StandingCandidate): number => ranks.get(id) ?? priority.length
  const ordered = [...candidates].sort((one, other) => rankOf(one) - rankOf(other) || (one.id < other.id ? -1 : 1))
  const holders = new Set<string>()
  let watts = leastWatts * setAside
  let amperes = (perLine ?? Number.POSITIVE_INFINITY) * setAside
  for (const { id, floorWatts, floorAmperes } of ordered) {
    if (floorWatts > watts || floorAmperes > amperes) break
    watts -= floorWatts
    amperes -= floorAmperes
    holders.add(id)
  }
  return holders
}
