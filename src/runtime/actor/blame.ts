// Which actors their shards have died of. An actor during whose turns two shards have ended is left alone by the next ones, for
// longer each time it ends another: one message that hangs or fills the memory must not take everybody else's actors with it. Of an
// actor that has parts it is the part, and all of it only when more parts have ended shards.

import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import { limits } from '../limits.js'
import { takeTurn } from './current-turn.js'
import { wholeActor } from './quarantine.js'

/** An actor that a shard must not give a turn for a while. */
export interface Quarantined {
  /** `kind/id` */
  readonly actor: string
  /** Empty for all of it. */
  readonly part: string
  readonly forMs: number
}

export interface Blame {
  /** A shard has ended, or starts for the first time: notes whose turn it was. */
  ended(shard: number): void
  /** Who is left alone now, among those that `owns` names. */
  quarantined(owns: (actor: string) => boolean): readonly Quarantined[]
}

export const deathsBeforeQuarantine = 2
const deathsOfPartsBeforeQuarantine = 2 * deathsBeforeQuarantine
const firstQuarantineMs = 600_000
const longestQuarantineMs = 86_400_000
/** An actor that has ended no shard for so long begins anew. */
const forgottenAfterMs = 3_600_000

interface Suspect {
  readonly actor: string
  readonly part: string
  deaths: number
  lastAt: number
  /** Monotonic ms; 0 before the first quarantine. */
  until: number
}

/** `cells`: what newTurnCells made for these shards. */
export function createBlame(cells: SharedArrayBuffer, clock: Clock, log: Logger): Blame {
  const suspects = new Map<string, Suspect>()

  function suspectOf(actor: string, part: string, now: number): Suspect {
    const key = `${actor} ${part}`
    const known = suspects.get(key)
    suspects.delete(key)
    const stands = known !== undefined && now - Math.max(known.lastAt, known.until) < forgottenAfterMs
    const suspect = stands ? known : { actor, part, deaths: 0, lastAt: now, until: 0 }
    if (suspects.size >= limits.suspects) suspects.delete(suspects.keys().next().value as string)
    suspects.set(key, suspect)
    return suspect
  }

  function note(actor: string, part: string, allowed: number): number {
    const now = clock.monotonic()
    const suspect = suspectOf(actor, part, now)
    suspect.deaths++
    suspect.lastAt = now
    const { deaths } = suspect
    if (deaths < allowed) return deaths
    const forMs = Math.min(longestQuarantineMs, firstQuarantineMs * 2 ** (deaths - allowed))
    suspect.until = now + forMs
    log.error({ actor, part, minutes: forMs / 60_000 }, 'an actor that shards have ended of is quarantined')
    return deaths
  }

  return {
    ended(shard) {
      const turn = takeTurn(cells, shard)
      if (turn === undefined) return
      const deaths = note(turn.actor, turn.part, deathsBeforeQuarantine)
      if (turn.part !== wholeActor) note(turn.actor, wholeActor, deathsOfPartsBeforeQuarantine)
      log.error({ shard, ...turn, deaths }, 'a shard has ended while an actor handled a message')
    },
    quarantined(owns) {
      const now = clock.monotonic()
      return [...suspects.values()].flatMap(({ actor, part, until }) =>
        until > now && owns(actor) ? [{ actor, part, forMs: until - now }] : [],
      )
    },
  }
}
