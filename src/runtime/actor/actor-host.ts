// Runs the actors of one shard, in one thread: mailboxes, turns, commits, and the release of effects after the commit.
// Knows nothing of threads or sockets: it is driven by deliver() and run(), and speaks through its ports.

import { assert } from '../assert.js'
import { type ErrorCode, internalError } from '../errors.js'
import { limits } from '../limits.js'
import type { ChangeBatch, CommitResult } from '../store/store.js'
import type { Address, Effect, ReplyAddress } from './actor.js'
import { createContext } from './actor-context.js'
import { type ActorHost, type Delivery, type HostOptions, letOut } from './actor-host-ports.js'
import type { Quarantined } from './blame.js'
import { createDepartures } from './departures.js'
import {
  type Actor,
  addressOf,
  askersOf,
  atOnce,
  beginCommit,
  type Definition,
  type DueTimer,
  disarmAll,
  discard,
  endCommit,
  evict,
  hasWork,
  isWatched,
  newActor,
  partOf,
  postpone,
  resumeAt,
  takeMailbox,
  takePostponed,
  takeUnhandled,
  withoutOverdue,
} from './hosted-actor.js'
import { type LostTurns, lostBy } from './lost-turns.js'
import { createNotes } from './notes.js'
import { createNumberSequences } from './number-sequences.js'
import { addressKey, partitionOf } from './partition-table.js'
import { createThrows, wholeActor } from './quarantine.js'
import { interruption, refusal } from './refusals.js'
import { createSlices } from './slices.js'
import { createTimers, earlier } from './timers.js'
import { gatherInto, markOf, newTurn, type Part, splitAt, undoTo, writtenBy } from './turn.js'

/** How long a message that nobody tells again waits after a commit that failed. */
const toldAgainAfterMs = 5_000

export function createActorHost(options: HostOptions): ActorHost {
  const { clock, ports, store, log, partitions, holds = () => true } = options
  const definitions = new Map(
    options.definitions.map((definition) => [definition.kind, definition as unknown as Definition]),
  )
  const actors = new Map<string, Actor>()
  const timers = createTimers<DueTimer>(clock)
  const sequences = createNumberSequences(() => store.view(), partitions.epoch)
  const slices = createSlices<Actor>({
    clock,
    runActor,
    ended: () => options.onHandling?.(undefined, undefined, wholeActor),
    again: ports.again ?? (() => void setImmediate(slices.run)),
  })
  const departures = createDepartures(leave)
  const notes = createNotes(clock, (partition, changes) => store.commit(batchOf(partition, { changes })))
  let sequence = 0
  let waiting = 0
  let committing = 0
  let turns = 0
  let failures = 0

  // One context serves every actor: handlers are synchronous, so only one is current at a time.
  let current: Actor
  let currentReplyTo: ReplyAddress | undefined
  let turn = newTurn()
  const doneAtOnce = atOnce(() => current, timers, notes)
  const context = createContext(options, {
    actor: () => current,
    replyTo: () => currentReplyTo,
    turns: () => turns,
    number(name, isInUse) {
      const taken = sequences.take(name, current.partition, isInUse)
      if (taken.reservation !== undefined) turn.reservations.push(taken.reservation)
      return taken.number
    },
  })

  function actorAt(address: Address): Actor {
    const key = addressKey(address)
    const known = actors.get(key)
    if (known !== undefined) return known
    const definition = definitions.get(address.kind)
    if (definition === undefined) throw new Error(`there is no actor of kind ${address.kind}`)
    const actor = newActor(definition, address, key, clock.monotonic())
    assert(holds(actor.partition), 'an actor comes into memory only where its partition is held', key)
    actors.set(key, actor)
    return actor
  }

  function deliver(to: Address, delivery: Delivery): boolean {
    const actor = actorAt(to)
    // Behind what was said before it; parts have an order of their own, and the one that waits may not keep the others waiting.
    if (delivery.always === true && actor.postponed !== undefined && actor.definition.parts === undefined) {
      postpone(actor.postponed, delivery)
      return true
    }
    if (actor.mailbox === undefined) {
      actor.mailbox = [delivery]
      if (!actor.committing) slices.add(actor)
    } else {
      const bound = actor.definition.mailboxMessages ?? limits.mailboxMessages
      if (actor.mailbox.length >= bound && delivery.always !== true) return false
      actor.mailbox.push(delivery)
    }
    waiting++
    return true
  }

  /** Effects of the current actor. */
  const gather = (effects: readonly Effect[]): void => gatherInto(turn, effects, clock.now(), doneAtOnce)

  function release(actor: Actor, effects: readonly Effect[]): void {
    for (const effect of effects)
      if (effect.type === 'job') startJob(actor, effect)
      else letOut(ports, effect)
  }

  function startJob(actor: Actor, effect: Extract<Effect, { type: 'job' }>): void {
    const epoch = partitions.epoch(actor.partition)
    void ports.runJob(effect.job, effect.input).then((outcome) => {
      if (!holds(actor.partition) || partitions.epoch(actor.partition) !== epoch) return
      deliver(actor.address, { message: effect.answer(outcome), always: true, isOwn: true })
      slices.runLater()
    })
  }

  function activate(actor: Actor): void {
    actor.state = actor.definition.load(context)
    actor.loaded = true
    if (actor.definition.activated !== undefined) gather(actor.definition.activated(actor.state, context))
  }

  /** One message. A throw undoes the message's effects, and the state with them: returns the part of the actor that is to be forgotten. */
  function handleOne(actor: Actor, delivery: Delivery): string | undefined {
    const before = markOf(turn)
    currentReplyTo = delivery.replyTo
    const part = partOf(actor, delivery.message)
    options.onHandling?.(actor.key, delivery.message, part)
    try {
      if (!actor.loaded) activate(actor)
      gather(actor.definition.handle(actor.state, delivery.message, context))
      return undefined
    } catch (error) {
      undoTo(turn, before)
      log.error({ actor: actor.key, part, err: error }, 'an actor failed to handle a message')
      noteThrow(actor, part)
      return part
    }
  }

  function noteThrow(actor: Actor, part: string): void {
    failures++
    actor.throws ??= createThrows()
    if (!actor.throws.note(part, clock.monotonic())) return
    log.error({ actor: actor.key, part }, 'an actor failed repeatedly and is quarantined for a minute')
    announceQuarantine(actor, part)
  }

  function announceQuarantine(actor: Actor, part: string): void {
    try {
      gather(actor.definition.quarantined?.(context, part === wholeActor ? undefined : part) ?? [])
    } catch (error) {
      log.error({ actor: actor.key, err: error }, 'an actor failed to tell of its quarantine')
    }
  }

  /** Who has ended earlier lives of this host has no turn for a while; what is stored about it is the actor's own to say. */
  function leaveAlone({ actor: key, part, forMs }: Quarantined): void {
    const address = addressOf(key)
    if (!definitions.has(address.kind) || !holds(partitionOf(key))) return
    const actor = actorAt(address)
    actor.throws ??= createThrows()
    actor.throws.quarantine(part, clock.monotonic() + forMs)
    current = actor
    turn = newTurn()
    announceQuarantine(actor, part)
    settle(actor, [{ turn, handled: [] }])
  }

  /** Drops what is in memory; the next message loads what the disk has. Who waited for it, and is not `told`, is told now. */
  function forget(actor: Actor, told: ReadonlySet<ReplyAddress | undefined>): void {
    const failed = (err: unknown) => log.error({ actor: actor.key, err }, 'an actor failed to say who waits for it')
    for (const asker of askersOf(actor, failed)) if (!told.has(asker)) ports.reply(asker, interruption)
    actor.state = undefined
    actor.loaded = false
    disarmAll(timers, actor)
  }

  /** For another owner: returns what it has not handled. */
  function leave(actor: Actor): readonly Delivery[] {
    forget(actor, new Set())
    waiting -= actor.mailbox?.length ?? 0
    evict(actors, actor)
    return takeUnhandled(actor)
  }

  /** What a message that failed may have left half done is lost: the part of the actor that it concerned, or all of it. */
  function forgetPart(actor: Actor, part: string, told: ReplyAddress | undefined): void {
    const { parts } = actor.definition
    try {
      if (parts === undefined || !actor.loaded) forget(actor, new Set([told]))
      else for (const asker of parts.forget(actor.state, part)) if (asker !== told) ports.reply(asker, interruption)
    } catch (error) {
      log.error({ actor: actor.key, part, err: error }, 'an actor failed to forget a part of its state')
      forget(actor, new Set([told]))
    }
  }

  function refuse(actor: Actor, delivery: Delivery, code: ErrorCode, text?: string): void {
    if (delivery.replyTo !== undefined) ports.reply(delivery.replyTo, refusal(code, text))
    current = actor
    currentReplyTo = delivery.replyTo
    try {
      release(actor, actor.definition.refused?.(delivery.message, code, context) ?? [])
    } catch (error) {
      log.error({ actor: actor.key, err: error }, 'an actor failed to refuse a message')
    }
    if (delivery.ticket) ports.done(delivery.ticket)
  }

  /** For what could not be handled at no fault of its own: others may try again, what nobody tells again waits until `at`. */
  function turnAway(actor: Actor, deliveries: readonly Delivery[], code: ErrorCode, at: number, text?: string): void {
    for (const delivery of deliveries) {
      if (delivery.always !== true) refuse(actor, delivery, code, text)
      else {
        actor.postponed ??= []
        postpone(actor.postponed, delivery)
        resumeAt(timers, actor, at)
      }
    }
  }

  /** Turns away what concerns a part that is left alone; returns the rest. */
  function withoutQuarantined(actor: Actor, batch: readonly Delivery[], now: number): readonly Delivery[] {
    return batch.filter((delivery) => {
      const until = actor.throws?.quarantinedUntil(partOf(actor, delivery.message)) ?? 0
      if (until <= now) return true
      turnAway(actor, [delivery], internalError.code, until)
      return false
    })
  }

  function runActor(actor: Actor): void {
    const mailbox = takeMailbox(actor)
    if (mailbox === undefined) return
    waiting -= mailbox.length
    turns++
    const now = clock.monotonic()
    actor.lastActiveAt = now
    const asked = withoutOverdue(mailbox, now)
    const batch = actor.throws?.anyAfter(now) === true ? withoutQuarantined(actor, asked, now) : asked
    if (batch.length === 0) return
    current = actor
    turn = newTurn()
    for (let at = 0; at < batch.length; at++) {
      const delivery = batch[at] as Delivery
      const before = markOf(turn)
      const failed = handleOne(actor, delivery)
      if (failed === undefined) {
        const last = at === batch.length - 1
        if (turn.conditions.length > before.conditions) {
          const own = { turn: splitAt(turn, before), handled: [delivery] }
          if (!last) requeue(actor, batch.slice(at + 1))
          settle(actor, [{ turn, handled: batch.slice(0, at) }, own])
          return
        }
        const writes = turn.changes.length > 0 && actor.definition.readsItsWrites === true
        if (last || (!writes && !slices.over)) continue
        requeue(actor, batch.slice(at + 1))
        settle(actor, [{ turn, handled: batch.slice(0, at + 1) }])
        return
      }
      // The memory that earlier messages of this batch changed may be lost with the state: commit what they decided first, then go on.
      const handled = batch.slice(0, at)
      refuse(actor, delivery, internalError.code)
      forgetPart(actor, failed, delivery.replyTo)
      requeue(actor, batch.slice(at + 1))
      settle(actor, [{ turn, handled }])
      return
    }
    settle(actor, [{ turn, handled: batch }])
  }

  function requeue(actor: Actor, deliveries: Delivery[]): void {
    if (deliveries.length === 0) return
    actor.mailbox = [...deliveries, ...(actor.mailbox ?? [])]
    waiting += deliveries.length
    if (!actor.committing) slices.add(actor)
  }

  function batchOf(partition: number, written: Pick<ChangeBatch, 'changes' | 'conditions'>): ChangeBatch {
    return { partition, epoch: partitions.epoch(partition), sequence: ++sequence, ...written }
  }

  /** Commits what the parts of a turn gathered, if anything, one after the other, and lets the effects of each out only then. */
  function settle(actor: Actor, parts: readonly Part[]): void {
    const [part, ...rest] = parts
    if (part === undefined) return
    const { changes, conditions, reservations, refusals, logs } = part.turn
    assert(refusals.length === conditions.length, 'each condition has its refusal', actor.key)
    if (changes.length === 0 && reservations.length === 0 && conditions.length === 0) {
      if (logs.length > 0) void store.commit(batchOf(actor.partition, writtenBy(part.turn))).catch(() => undefined)
      finish(actor, part)
      settle(actor, rest)
      return
    }
    beginCommit(actor)
    committing++
    store.commit(batchOf(actor.partition, writtenBy(part.turn))).then(
      (result) => afterCommit(actor, part, rest, result),
      (error: unknown) => {
        log.error({ actor: actor.key, err: error }, 'a commit failed')
        afterCommit(actor, part, rest, { ok: false, reason: 'storage_unavailable', message: String(error) })
      },
    )
  }

  function afterCommit(actor: Actor, part: Part, rest: readonly Part[], result: CommitResult): void {
    endCommit(actor)
    committing--
    if (result.ok) {
      for (const reservation of part.turn.reservations) reservation.committed()
      finish(actor, part)
      settle(actor, rest)
    } else {
      const lost = lostBy(result, [part, ...rest])
      if (lost.again === undefined) tellFailure(actor, lost, result.reason)
      for (const asker of lost.unanswered) ports.reply(asker, interruption)
      forget(actor, lost.told)
      if (lost.again !== undefined) requeue(actor, lost.again)
      // An owner that has been replaced has no say: its successor is told everything again.
      if (result.reason === 'stale_epoch') return void departures.settled(actor)
    }
    if (!actor.committing) departures.settled(actor)
    if (actor.mailbox !== undefined && !actor.committing) slices.add(actor)
    slices.runLater()
  }

  function tellFailure(actor: Actor, { handled, refusal: { code, message } }: LostTurns, reason: string): void {
    failures++
    // A disk that refuses writes is the store's to tell, once, and what an actor required its asker's; here it would be a line for
    // every message.
    const level = reason === 'stale_epoch' ? 'warn' : 'debug'
    log[level]({ actor: actor.key, reason }, 'a turn could not be committed')
    if (reason !== 'stale_epoch') turnAway(actor, handled, code, clock.monotonic() + toldAgainAfterMs, message)
  }

  function finish(actor: Actor, { turn: { released }, handled }: Part): void {
    assert(!actor.committing, 'what a turn says waits for its commit', actor.key)
    release(actor, released)
    for (const delivery of handled) if (delivery.ticket) ports.done(delivery.ticket)
  }

  for (const quarantined of options.quarantined ?? []) leaveAlone(quarantined)

  return {
    hosts: (kind) => definitions.has(kind),
    deliver,
    discard(to, of) {
      const discarded = discard(actors.get(addressKey(to)), of, ports.done)
      waiting -= discarded
      return discarded
    },
    run: slices.run,
    runTimers() {
      for (const { actor, key, message } of timers.due()) {
        if (key === undefined) {
          requeue(actor, takePostponed(actor))
          continue
        }
        assert(actor.timers?.delete(key) === true, 'a timer fires that is set', actor.key, key)
        deliver(actor.address, { message, always: true, isOwn: true })
      }
      notes.writeDue()
      slices.run()
    },
    nextTimer: () => earlier(timers.next(), notes.next()),
    release(leaving) {
      notes.writeOf(leaving)
      return departures.begin([...actors.values()].filter(({ partition }) => leaving.has(partition)))
    },
    hasActorsOf: (given) => [...actors.values()].some(({ partition }) => given.has(partition)),
    leaveAlone,
    passivate() {
      const before = clock.monotonic() - options.passivateAfterMs
      for (const actor of actors.values()) if (!hasWork(actor) && !isWatched(actor, before)) evict(actors, actor)
      return actors.size
    },
    statistics: () => ({ actors: actors.size, mailbox: waiting, committing, timers: timers.size, turns, failures }),
  }
}
