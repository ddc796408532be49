// An actor as its host holds it: its state, its mailbox, its timers, and what it is waiting for. actor-host.ts does the work.

import { assert } from '../assert.js'
import type { ErrorCode } from '../errors.js'
import type { ActorParts, Address, Context, Effect, ReplyAddress } from './actor.js'
import type { Delivery } from './actor-host-ports.js'
import type { Notes } from './notes.js'
import { partitionOf } from './partition-table.js'
import { type Throws, wholeActor } from './quarantine.js'
import type { Timer, Timers } from './timers.js'
import type { AtOnce } from './turn.js'

/** A definition of any state and message: the host only hands their own values back to them. */
export interface Definition {
  readonly kind: string
  readonly readsItsWrites?: boolean
  readonly mailboxMessages?: number
  load(context: Context): unknown
  activated?(state: unknown, context: Context): readonly Effect[]
  handle(state: unknown, message: unknown, context: Context): readonly Effect[]
  refused?(message: unknown, code: ErrorCode, context: Context): readonly Effect[]
  quarantined?(context: Context, part?: string): readonly Effect[]
  readonly parts?: ActorParts<unknown, unknown>
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
  /** What nobody tells again and could not be handled yet, in its order; timers put it back into the mailbox. */
  postponed: Delivery[] | undefined
  /** When the earliest of those timers is due, monotonic ms. */
  resumesAt: number | undefined
  /** Undefined until the first. */
  throws: Throws | undefined
  /** It has left the host's memory; whoever is at its address now is another life of it. */
  evicted: boolean
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

/** The part of the actor that a message concerns. */
export function partOf({ definition: { parts }, loaded, state }: Actor, message: unknown): string {
  return parts === undefined ? wholeActor : parts.of(message, loaded ? state : undefined)
}

/** Whether something is left for it to do, or its state holds what the store does not. */
export function hasWork({ definition, committing, loaded, mailbox, postponed, state, timers }: Actor): boolean {
  const waits = mailbox !== undefined || postponed !== undefined || (timers?.size ?? 0) > 0
  return committing || waits || (loaded && !definition.idle(state))
}

/** Whether it has been active, or left alone, since then. */
export function isWatched({ lastActiveAt, throws }: Actor, since: number): boolean {
  return lastActiveAt > since || throws?.anyAfter(since) === true
}

/** A second timer of the same key replaces the first. */
function arm(timers: Timers<DueTimer>, actor: Actor, key: string, at: number, message: unknown): void {
  disarm(timers, actor, key)
  actor.timers ??= new Map()
  actor.timers.set(key, timers.schedule(at, { actor, key, message }))
}

function disarm(timers: Timers<DueTimer>, actor: Actor, key: string): void {
  const armed = actor.timers?.get(key)
  if (armed === undefined) return
  timers.cancel(armed)
  actor.timers?.delete(key)
}

/** What effects of the current actor do at once. */
export function atOnce(current: () => Actor, timers: Timers<DueTimer>, notes: Notes): AtOnce {
  return {
    schedule: (key, at, message) => arm(timers, current(), key, at, message),
    cancel: (key) => disarm(timers, current(), key),
    note: (note) => notes.add(current().partition, note),
    forget: (table, key) => notes.forget(current().partition, table, key),
  }
}

export function disarmAll(timers: Timers<DueTimer>, actor: Actor): void {
  for (const armed of actor.timers?.values() ?? []) timers.cancel(armed)
  actor.timers = undefined
}

/** What is postponed is looked at again then, at the latest. */
export function resumeAt(timers: Timers<DueTimer>, actor: Actor, at: number): void {
  if (actor.resumesAt !== undefined && actor.resumesAt <= at) return
  actor.resumesAt = at
  timers.schedule(at, { actor, key: undefined, message: undefined })
}

/** Of an actor's key, `kind/id`. */
export function addressOf(key: string): Address {
  const slash = key.indexOf('/')
  return { kind: key.slice(0, slash), id: key.slice(slash + 1) }
}

/** What is postponed, which waits no longer. */
export function takePostponed(actor: Actor): Delivery[] {
  const { postponed = [] } = actor
  if (postponed.length > 0) actor.resumesAt = undefined
  actor.postponed = undefined
  return postponed
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
    resumesAt: undefined,
    throws: undefined,
    evicted: false,
  }
}

/** Empties its mailbox for a turn; undefined when it has nothing to do, or waits for the disk. */
export function takeMailbox(actor: Actor): Delivery[] | undefined {
  const { mailbox } = actor
  if (mailbox === undefined || actor.committing) return undefined
  assert(!actor.evicted, 'an actor that has left the memory has no turn', actor.key)
  actor.mailbox = undefined
  return mailbox
}

/** Who waits for an answer from its memory. One that cannot say is forgotten all the same, and so are others that leave with it. */
export function askersOf(
  { definition, loaded, state }: Actor,
  failed: (error: unknown) => void,
): readonly ReplyAddress[] {
  if (!loaded) return []
  try {
    return definition.askers?.(state) ?? []
  } catch (error) {
    failed(error)
    return []
  }
}

const isOver = ({ expiresAt }: Delivery, now: number): boolean => expiresAt !== undefined && expiresAt <= now

/** Without the questions that nobody waits for any more. */
export function withoutOverdue(mailbox: readonly Delivery[], now: number): readonly Delivery[] {
  return mailbox.some((delivery) => isOver(delivery, now))
    ? mailbox.filter((delivery) => !isOver(delivery, now))
    : mailbox
}

/** What waits for it, the oldest first: it is not handled here any more. */
export function takeUnhandled(actor: Actor): readonly Delivery[] {
  const { postponed = [], mailbox = [] } = actor
  actor.postponed = undefined
  actor.mailbox = undefined
  return [...postponed, ...mailbox]
}

/** Acknowledges what `of` is true of and waits for its turn, without handling it. Returns how many messages that were. */
export function discard(
  actor: Actor | undefined,
  of: (message: unknown) => boolean,
  done: (ticket: number) => void,
): number {
  if (actor?.mailbox === undefined) return 0
  const before = actor.mailbox
  const isDiscarded = ({ message, always }: Delivery): boolean => always !== true && of(message)
  // It has asked for a turn already, which finds what is left.
  actor.mailbox = before.filter((delivery) => !isDiscarded(delivery))
  for (const delivery of before) if (delivery.ticket && isDiscarded(delivery)) done(delivery.ticket)
  return before.length - actor.mailbox.length
}

/** From now on, and until the disk has answered, it has no turn. */
export function beginCommit(actor: Actor): void {
  assert(!actor.committing, 'an actor has one commit on its way', actor.key)
  assert(!actor.evicted, 'an actor that has left the memory writes nothing', actor.key)
  actor.committing = true
}

export function endCommit(actor: Actor): void {
  assert(actor.committing, 'a commit is answered once', actor.key)
  actor.committing = false
}

/** Leaves the host's memory. */
export function evict(actors: Map<string, Actor>, actor: Actor): void {
  actor.evicted = true
  assert(actors.delete(actor.key), 'an actor leaves the memory once', actor.key)
}
