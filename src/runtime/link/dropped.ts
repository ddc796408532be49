// Messages that a full mailbox did not take and that nobody waits for an answer to: counted by the kind of the receiver, and logged
// now and then. Whoever sent them has a deadline of its own; an operator sees here why it passed.

import type { Logger } from 'pino'
import type { Address } from '../actor/actor.js'
import type { Clock } from '../clock.js'

const loggedEveryMs = 10_000

export interface Dropped {
  note(to: Address): void
  /** By kind of actor. */
  readonly counts: Readonly<Record<string, number>>
}

export function createDropped(clock: Clock, log: Pick<Logger, 'warn'>): Dropped {
  const counts: Record<string, number> = {}
  let logAt = Number.NEGATIVE_INFINITY
  let unlogged = 0
  return {
    counts,
    note({ kind, id }) {
      counts[kind] = (counts[kind] ?? 0) + 1
      unlogged++
      if (clock.monotonic() < logAt) return
      logAt = clock.monotonic() + loggedEveryMs
      log.warn({ actor: `${kind}/${id}`, messages: unlogged }, 'messages were dropped: too many wait for their actor')
      unlogged = 0
    },
  }
}
