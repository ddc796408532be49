// The context that handlers are given. One serves every actor of a host: handlers are synchronous, so only one is current at a time.

import { createIdMaker } from '../ids.js'
import type { Context, ReplyAddress } from './actor.js'
import type { HostOptions } from './actor-host-ports.js'
import type { Actor } from './hosted-actor.js'
import type { IsInUse } from './number-sequences.js'
import { newestEventId } from './outbox.js'

/** The turn in hand. */
export interface Present {
  actor(): Actor
  replyTo(): ReplyAddress | undefined
  turns(): number
  /** The next of a sequence, for the partition of the actor. */
  number(sequence: string, isInUse: IsInUse | undefined): number
}

export function createContext({ clock, ports, store, random, log }: HostOptions, present: Present): Context {
  return {
    get id() {
      return present.actor().address.id
    },
    get connection() {
      return ports.connectionOf(present.actor().key)
    },
    get replyTo() {
      return present.replyTo()
    },
    get turn() {
      return present.turns()
    },
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    steady: () => clock.steady(),
    confirmed: () => clock.confirmed(),
    newId: createIdMaker(clock, random, newestEventId(store.view())),
    random,
    read: () => store.view(),
    nextNumber: (name, isInUse) => present.number(name, isInUse),
    log,
  }
}
