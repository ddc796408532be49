// Which actors their shards have died of. An actor during whose turns two shards have ended is left alone by the next ones, for
// longer each time it ends another: one message that hangs or fills the memory must not take everybody else's actors with it.

import type { Logger } from 'pino'
import type { Clock } from './clock.js'
import { takeTurn } from './current-turn.js'
import { limits } from './limits.js'

/** An actor that a shard must not give a turn for a while. */
export interface Quarantined {
  /** `kind/id` */
  readonly actor: string
  readonly forMs: number
}

export interface Blame {
  /** A shard has ended, or starts for the first time: notes whose turn it was. */
  ended(shard: number): void
  /** Who is left alone now, among those that `owns` names. */
  quarantined(owns: (actor: string) => boolean): readonly Quarantined[]
}

export const deathsBeforeQuarantine = 2
const firstQuarantineMs = 600_000
const longestQuarantineMs = 86_400_000
/** An actor that has ended no shard for so long begins anew. */
const forgottenAfterMs = 3_600_000

interface Suspect {
  deaths: number
  lastAt: number
  /** Monotonic ms; 0 before the first quarantine. */
  until: number
}

/** `cells`: what newTurnCells made for these shards. */
export function createBlame(cells: SharedArrayBuffer, clock: Clock, log: Logger): Blame {
  const suspects = new Map<string, Suspect>()

  function suspectOf(actor: string, now: number): Suspect {
    const known = suspects.get(actor)
    suspects.delete(actor)
    const stands = known !== undefined && now - Math.max(known.lastAt, known.until) < forgottenAfterMs
    const suspect = stands ? known : { deaths: 0, lastAt: now, until: 0 }
    if (suspects.size >= limits.suspects) suspects.delete(suspects.keys().next().value as string)
    suspects.set(actor, suspect)
    return suspect
  }

  return {
    ended(shard) {
      const turn = takeTurn(cells, shard)
      if (turn === undefined) return
      const now = clock.monotonic()
      const suspect = suspectOf(turn.actor, now)
      suspect.deaths++
      suspect.lastAt = now
      const { deaths } = suspect
      log.error({ shard, ...turn, deaths }, 'a shard has ended while an actor handled a message')
      if (deaths < deathsBeforeQuarantine) return
      const forMs = Math.min(longestQuarantineMs, firstQuarantineMs * 2 ** (deaths - deathsBeforeQuarantine))
      suspect.until = now + forMs
      log.error({ ...turn, minutes: forMs / 60_000 }, 'an actor that shards have ended of is quarantined')
    },
    quarantined(owns) {
      const now = clock.monotonic()
      return [...suspects].flatMap(([actor, { until }]) =>
        until > now && owns(actor) ? [{ actor, forMs: until - now }] : [],
      )
    },
  }
}
