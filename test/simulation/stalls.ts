// The charge points of sites whose power is shared: how each is wired, what it can give, and how it takes limits. Operators have nothing else
// to do with them, so that whatever happens to them is of their sites.

import type { Random } from '../../bench/client/random.js'

/** How it takes limits. */
export type Manner =
  | 'obeys'
  | 'refuses-tx'
  | 'refuses-amperes'
  | 'refuses-watts'
  | 'refuses-zero'
  | 'slow'
  /** It does not meter power. */
  | 'unmetered'
  /** It takes none at all. */
  | 'refuses-all'
  /** It has none any more when it has lost its power. */
  | 'forgets'
  /** It accepts them, and draws what it likes. */
  | 'ignores'

export interface Stall {
  readonly id: string
  readonly organization: number
  readonly connectors: number
  readonly phases: 1 | 3
  /** Which line of the site its conductors lead to, as OCPP says it. */
  readonly rotation: 'RST' | 'STR' | 'TRS' | 'R' | 'S' | 'T'
  /** What it gives at most, amperes on each phase. */
  readonly maxAmperes: number
  readonly manner: Manner
}

const prefix = 'STALL-'
/** Most sites are small, and some are not. */
const [few, many] = [5, 12]
export const volts = 230
/** The organization that has the sites. */
export const siteOrganization = 1

const manners: readonly Manner[] = [
  'refuses-tx',
  'refuses-amperes',
  'refuses-watts',
  'refuses-zero',
  'slow',
  'unmetered',
  'refuses-all',
  'forgets',
  'ignores',
]

export function makeStalls(random: Random): readonly Stall[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const count = random() < 0.7 ? few : many
  return Array.from({ length: count }, (_, number) => {
    const phases = random() < 0.7 ? 3 : 1
    return {
      id: `${prefix}${number}`,
      organization: siteOrganization,
      connectors: number % 4 === 0 ? 2 : 1,
      phases,
      rotation: phases === 3 ? pick(['RST', 'STR', 'TRS'] as const) : pick(['R', 'S', 'T'] as const),
      maxAmperes: pick([16, 32]),
      manner: random() < 0.55 ? 'obeys' : pick(manners),
    }
  })
}

export function isStall(chargePointId: string): boolean {
  return chargePointId.startsWith(prefix)
}

/** What it does cannot be held against the service: it counts at what the service counts it at. */
export function isDisobedient({ manner }: Pick<Stall, 'manner'>): boolean {
  return manner === 'refuses-all' || manner === 'forgets' || manner === 'ignores'
}
