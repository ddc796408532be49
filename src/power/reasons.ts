// Why a charger has the limit that it has, in whole sentences with the numbers that it was computed from.

import type { AllocationInput, Limit } from './allocate-power.js'

/** Made once: it takes longer to make than all that it writes for a site. */
const format = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const kw = (watts: number): string => `${format.format(Math.round(watts / 10) / 100)} kW`

export function reasonText(limit: Limit, { available, chargers, priority }: AllocationInput): string {
  const { watts, reason, line = '' } = limit
  const charger = chargers.find(({ id }) => id === limit.id)
  const own = kw(watts)
  const all = `${kw(available.watts)} are shared by ${chargers.length} ${chargers.length === 1 ? 'car' : 'cars'}`
  switch (reason) {
    case 'demand':
      return `It gets the ${own} that it can take.`
    case 'share':
      return `${all}, and ${own} is its equal share.`
    case 'line':
      return `Line ${line} of the site is used up: it gets the ${own} that are left for it on that line.`
    case 'priority': {
      const place = priority.indexOf(limit.id)
      const behind =
        place < 0 ? 'It is not in the order of priority' : `It is number ${place + 1} in the order of priority`
      return `${all}. ${behind}, and gets the ${own} that are left for it.`
    }
    case 'floor':
      return `It gets its minimum of ${own}, because other cars wait for power: ${all}.`
    case 'paused_budget':
      return `It waits for its turn: ${all}, which is not enough for the minimum of each (${kw(charger?.floorWatts ?? 0)} for this one).`
    case 'paused_line':
      return `It waits: line ${line} of the site has less left than its minimum of ${kw(charger?.floorWatts ?? 0)}.`
  }
}
