// Which refused attempts under other ids are likely to be of a charge point that does not come online. Behind one address there may be many others: a
// list of all that knocks there would hide the one that it is. Pure.

import type { attemptView } from './attempt-words.js'

type Line = ReturnType<typeof attemptView>

/** `sinceMs`: when it was connected last. `areOthersAway`: others are gone that came from its address, and could be what knocks there. */
export function likelyAttempts(shown: readonly Line[], sinceMs: number, areOthersAway: boolean): Line[] {
  const later = newestOfEach(shown.filter(({ last_attempted_at }) => Date.parse(last_attempted_at) >= sinceMs))
  const near = later.filter(({ match }) => isNear.has(match))
  const strangers = later.filter(({ match }) => match === 'address')
  if (near.length > 0) return near
  return strangers.length === 1 && !areOthersAway ? strangers : []
}

const isNear: ReadonlySet<Line['match']> = new Set<Line['match']>(['one_character', 'longer', 'shorter'])

function newestOfEach(lines: readonly Line[]): readonly Line[] {
  const byId = new Map<string, Line>()
  for (const line of lines) {
    const name = `${line.match} ${line.charge_point_id}`
    const known = byId.get(name)
    if (known === undefined || known.last_attempted_at < line.last_attempted_at) byId.set(name, line)
  }
  return [...byId.values()]
}
