// An actor as its host holds it: its state, its mailbox, its timers, and what it is waiting for. Only shapes: actor-host.ts does the work.

import type { Address, Context, Effect, ReplyAddress } from './actor.js'
import type { Delivery } from './actor-host-ports.js'
import type { ErrorCode } from './errors.js'
import { partitionOf } from './partition-table.js'
import { newThrowRecord, type ThrowRecord } from './quarantine.js'
import type { Timer } from './timers.js'

/** A definition of any state and message: the host only hands their own values back to them. */
export interface Definition {
  readonly kind: string
  readonly readsItsWrites?: boolean
  readonly mailboxMessages?: number
  load(context: Context): unknown
  activated?(state: unknown, context: Context): readonly Effect[]
  handle(state: unknown, message: unknown, context: Context): readonly Effect[]
  refused?(message: unknown, code: ErrorCode, context: Context): readonly Effect[]
  quarantined?(context: Context): readonly Effect[]
  idle(state: unknown): boolean
  askers?(state: unknown): readonly ReplyAddress[]
}

export interface Actor {
  readonly definition: Definition
  readonly address: Address
  readonly key: string
  readonly partition: number
  state: unknown
  loaded: boolean
  mailbox: Delivery[] | undefined
  /** A commit is on its way: nothing is handled until the disk has it. */
  committing: boolean
  lastActiveAt: number
  timers: Map<string, Timer<DueTimer>> | undefined
  /** What nobody tells again and could not be handled yet, in its order; a timer puts it back into the mailbox. */
  postponed: Delivery[] | undefined
  readonly throws: ThrowRecord
}

export interface DueTimer {
  readonly actor: Actor
  /** Undefined for the one that ends a postponement. */
  readonly key: string | undefined
  readonly message: unknown
}

/** Adds to what waits; of what is said again and again, one is enough. */
export function postpone(postponed: Delivery[], delivery: Delivery): void {
  const { repeated } = delivery
  if (repeated === undefined || !postponed.some((other) => other.repeated === repeated)) postponed.push(delivery)
}

export function newActor(definition: Definition, address: Address, key: string, now: number): Actor {
  return {
    definition,
    address,
    key,
    partition: partitionOf(key),
    state: undefined,
    loaded: false,
    mailbox: undefined,
    committing: false,
    lastActiveAt: now,
    timers: undefined,
    postponed: undefined,
    throws: newThrowRecord(),
  }
}
