// Why a charger has the limit that it has, in whole sentences with the numbers that it was computed from. No number in them is negative: where
// more is set aside than there is, the sentences say so.

import type { Limit } from './allocate-power.js'

/** Why a charge point had its limit, in words without numbers. The past is stored by their order: new ones go to the end. */
export const limitReasons = {
  demand: 'It had what its cars could take.',
  share: 'The power of the site was shared equally.',
  line: 'A line of the site was used up.',
  priority: 'Others came before it in the order of priority.',
  floor: 'It had its minimum, because other cars waited for power.',
  paused_budget: 'It waited for its turn, because there was not enough power for all cars.',
  paused_line: 'It waited, because a line of the site had less left than its minimum.',
  profile: 'A roaming partner allowed its cars no more.',
  pending: 'It had not been given a limit yet.',
  rejected: 'It takes no limits, so it counted with all that it can draw.',
  offline: 'It could not be reached, so it counted with what it may draw.',
  ignored: 'It drew more than its limit, so it counted with what it may draw.',
  minimum: 'It had its minimum, which was more than an equal share.',
  paused_minimum: 'It could not charge: its minimum was more than the site had to share.',
} as const
export type LimitReason = keyof typeof limitReasons
export const limitReasonNames = Object.keys(limitReasons) as LimitReason[]

/** Made once: it takes longer to make than all that it writes for a site. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const kw = (watts: number): string => `${format.format(Math.round(watts / 10) / 100)} kW`

/** What is shared, the same for all chargers of a site. */
export interface Sharing {
  readonly budgetWatts: number
  /** What is left of it to be shared; negative where more is set aside than there is. */
  readonly availableWatts: number
  readonly cars: number
  /** For what the rest is set aside, in words: `3 connectors without a car`. */
  readonly setAsideFor: string
}

/** Of one charger. */
export interface Sharer {
  readonly floorWatts: number
  /** The place of its charge point in the order of priority, from 1; undefined where it is not in it. */
  readonly rank: number | undefined
  /** What its car has taken lately; undefined if unknown. */
  readonly takesWatts: number | undefined
  /** How many of the others can take no more than less than it has. */
  readonly othersWithLess: number
  /** How many of the others have less, because a line of the site is used up. */
  readonly othersOnLines: number
  /** How many of the others cannot charge with so little. */
  readonly othersTooSmall: number
  /** How many of the others have a minimum that is more than it has. */
  readonly othersWithMore: number
}

/** What it gets comes first, then why: where there is little room, the answer is seen. */
export function reasonText(limit: Limit, sharer: Sharer, sharing: Sharing): string {
  const { floorWatts, rank } = sharer
  const { watts, reason, line = '' } = limit
  const own = kw(watts)
  const shared = sharedText(sharing)
  switch (reason) {
    case 'demand':
      return demandText(watts, sharer)
    case 'share':
      return `${own} is its equal share: ${sharedText(sharing, othersText(sharer))}.`
    case 'minimum':
      return `It gets its minimum of ${own}, which is more than an equal share: ${shared}.`
    case 'line':
      return `It gets the ${own} that are left for it on line ${line} of the site, which is used up.`
    case 'priority': {
      const behind =
        rank === undefined ? 'It is not in the order of priority' : `It is number ${rank} in the order of priority`
      const isLeast = watts <= floorWatts
      return isLeast
        ? `It gets its minimum of ${own}, as every car does before the order of priority counts. ${behind}; ${shared}.`
        : `It gets the ${own} that are left for it. ${behind}; ${shared}.`
    }
    case 'floor':
      return `It gets its minimum of ${own}, because other cars wait for power: ${shared}.`
    case 'paused_budget':
      return `It waits for its turn: ${shared}, which is not enough for the minimum of each (${kw(floorWatts)} for this one).`
    case 'paused_minimum':
      return sharing.availableWatts > 0
        ? `It cannot charge: ${shared}, and its minimum alone is ${kw(floorWatts)}.`
        : `It waits: ${shared}.`
    case 'paused_line':
      return `It waits: line ${line} of the site has less left than its minimum of ${kw(floorWatts)}.`
  }
}

/** Equal parts alone would be another number. */
function othersText({ othersWithLess, othersOnLines, othersTooSmall, othersWithMore }: Sharer): string {
  const which = (count: number, one: string, several: string): string =>
    count === 0 ? '' : `, ${count} of which ${count === 1 ? one : several}`
  return [
    which(othersWithLess, 'takes less', 'take less'),
    which(othersOnLines, 'has less on a full line', 'have less on a full line'),
    which(othersTooSmall, 'cannot charge with so little', 'cannot charge with so little'),
    which(othersWithMore, 'needs more at least', 'need more at least'),
  ].join('')
}

function demandText(watts: number, { floorWatts, takesWatts }: Sharer): string {
  const differs = takesWatts !== undefined && kw(takesWatts) !== kw(watts)
  if (!differs) return `It gets the ${kw(watts)} that it can take.`
  const takes = Math.round(takesWatts / 10) <= 0 ? 'takes nothing now' : `takes ${kw(takesWatts)} now`
  if (takesWatts > watts) return `It gets ${kw(watts)}, the most that its connector can give.`
  return watts <= floorWatts
    ? `It gets ${kw(watts)}, the least that a car is given, and ${takes}.`
    : `It gets ${kw(watts)}, because there is enough for every car, and ${takes}.`
}

function sharedText({ budgetWatts, availableWatts, cars, setAsideFor }: Sharing, ofWhich = ''): string {
  const among = `${cars} ${cars === 1 ? 'car' : 'cars'}`
  const setAsideWatts = budgetWatts - availableWatts
  if (Math.round(setAsideWatts / 10) <= 0) return `${kw(Math.max(0, availableWatts))} are shared by ${among}${ofWhich}`
  const setAside = `${kw(setAsideWatts)} are set aside for ${setAsideFor}`
  return availableWatts > 0
    ? `${kw(availableWatts)} of ${kw(budgetWatts)} are shared by ${among}${ofWhich} (${setAside})`
    : `nothing of the ${kw(budgetWatts)} is left for ${among}, because ${setAside}`
}
