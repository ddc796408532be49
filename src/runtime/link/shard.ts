// One shard: binds an actor host to the ports of its peers. Batches come in, the host runs, batches go out, once per turn.
// Does no I/O of its own but reading the store's snapshot.

import type { MessagePort } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Address, JobOutcome, ReplyAddress } from '../actor/actor.js'
import { createActorHost } from '../actor/actor-host.js'
import type { ActorHost, AnyActorDefinition, Delivery, HostOptions } from '../actor/actor-host-ports.js'
import type { Quarantined } from '../actor/blame.js'
import { createHoldings } from '../actor/holdings.js'
import {
  addressKey,
  type OwnedPartitions,
  ownedBy,
  type PartitionTable,
  partitionOf,
} from '../actor/partition-table.js'
import { interruption } from '../actor/refusals.js'
import type { Envelope, ReplyOutcome } from '../actor/transport.js'
import { createWakeUpSweep } from '../actor/wake-ups.js'
import { assert } from '../assert.js'
import { overloaded } from '../errors.js'
import { limits } from '../limits.js'
import type { ServiceClock } from '../steady-time.js'
import type { ChangeBatch, CommitResult, ReadView } from '../store/store.js'
import { createDropped } from './dropped.js'
import { type Lane, newLane, sendGathered } from './lane.js'
import { frontOf } from './numbers.js'
import { createShardSockets } from './shard-sockets.js'
import { createSingleton, type Singleton } from './singletons.js'
import type { StoreClient } from './store-client.js'
import { outbound, type ThreadBatch } from './wire.js'

/** Which actors follow a topic of a table that is added to: they are told `appended`, and read on behind what they have seen. */
export interface Followers {
  of(view: ReadView, topic: string): readonly Address[]
  /** Every follower of every topic: what was added while nobody told them is theirs to find. */
  all(view: ReadView): Iterable<Address>
}

/** Several that follow the same topics. */
export function allFollowers(followers: readonly Followers[]): Followers {
  return {
    of: (view, topic) => followers.flatMap((one) => one.of(view, topic)),
    *all(view) {
      for (const one of followers) yield* one.all(view)
    },
  }
}

export interface AppendedMessage {
  readonly type: 'appended'
}

export interface ShardOptions {
  readonly index: number
  readonly definitions: readonly AnyActorDefinition[]
  readonly store: StoreClient
  readonly partitions: PartitionTable
  readonly clock: ServiceClock
  readonly random: () => number
  readonly log: Logger
  readonly passivateAfterMs: number
  readonly runJob: (job: string, input: unknown) => Promise<JobOutcome>
  /** As in HostOptions. */
  readonly onHandling?: NonNullable<HostOptions['onHandling']>
  readonly quarantined?: readonly Quarantined[]
  readonly followers?: Followers
  /** What it owns from its start on; what the table gives to it then, where that cannot change meanwhile. */
  readonly owns?: OwnedPartitions
}

export interface Shard {
  readonly host: ActorHost
  /** Starts taking batches from a front (by its index). */
  connectFront(front: number, port: MessagePort): void
  connectShard(shard: number, port: MessagePort): void
  /**
   * Lets go of partitions that the table has given to another owner: their actors finish the turns in hand and leave, questions are answered
   * as interrupted, other messages go on to the new owner. Resolves when nothing more is written for them, and what was told has been sent.
   */
  release(partitions: readonly number[]): Promise<void>
  /** Hosts the actors of these partitions from now on; what has come for them meanwhile is delivered. */
  acquire(partitions: OwnedPartitions, quarantined: readonly Quarantined[]): void
  /** Runs what is due and sends what has gathered. */
  turn(): void
  /** What exists once, to do where it is this shard's. */
  singleton(name: string): Singleton
  /** Tells its actors what they wanted to be told by now. */
  wake(): void
  /** At the start: tells every follower of its own to look at what was added before. */
  catchUp(): void
  readonly connections: number
  /** Messages that full mailboxes did not take, by kind of actor. */
  readonly dropped: Readonly<Record<string, number>>
  /** Frames that were not handled, because their socket had sent more than it may. */
  readonly droppedFrames: number
  /** True when no actor waits for anything. */
  readonly quiet: boolean
}

interface Early {
  readonly partition: number
  readonly to: Address
  readonly message: unknown
  readonly always: true | undefined
}

const sweepAgainMs = 50

export function createShard(options: ShardOptions): Shard {
  const { clock, partitions, store } = options
  const own = createHoldings(options.index, partitions, options.owns ?? ownedBy(partitions, options.index))
  const fronts: (Lane | undefined)[] = []
  const shards: (Lane | undefined)[] = []
  const dropped = createDropped(clock, options.log)
  /** For partitions that the table has given to this shard, and that it does not own yet. */
  let early: Early[] = []
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  /** Effects that come out between turns (a commit reached the disk, a job ended) leave together in a turn of their own. */
  let scheduled = false
  let workIsLeft = false
  function soon(): void {
    if (scheduled) return
    scheduled = true
    setImmediate(turn)
  }
  /** Only fronts ask. */
  function reply(to: ReplyAddress, outcome: ReplyOutcome): void {
    soon()
    fronts[to.front]?.replies.push({ to, outcome })
  }

  function post(lane: Lane | undefined, to: Address, message: unknown, partition: number, always?: true): void {
    if (lane === undefined) return void dropped.note(to)
    const epoch = partitions.epoch(partition)
    lane.envelopes.push({ id: ++lane.lastEnvelope, to, message, partition, epoch, ...(always && { always }) })
  }

  const laneOf = (number: number): Lane | undefined => fronts[frontOf(number)]

  let sequence = 0
  async function commit(batch: Omit<ChangeBatch, 'sequence'>): Promise<CommitResult> {
    const result = await store.commit({ ...batch, sequence: ++sequence })
    soon()
    return result
  }

  function tell(to: Address, message: unknown, always?: true): void {
    soon()
    const partition = partitionOf(addressKey(to))
    const owner = partitions.owner(partition)
    if (own.holds(partition)) deliverHere(to, message, always)
    else if (owner !== options.index) post(shards[owner], to, message, partition, always)
    else if (always || early.length < limits.earlyMessages) early.push({ partition, to, message, always })
    else dropped.note(to)
  }

  function deliverHere(to: Address, message: unknown, always: true | undefined): void {
    if (!host.deliver(to, { message, ...(always && { always }) })) dropped.note(to)
  }

  const host = createActorHost({
    ...options,
    partitions: own,
    holds: own.holds,
    // What an actor does once its commit is on disk may be another commit or a timer: a turn sends and sets it.
    store: { view: () => store.view(), commit },
    ports: {
      send: tell,
      reply,
      frame(connection, text) {
        soon()
        laneOf(connection)?.items.push(outbound.frame, connection, text)
      },
      ping(connection) {
        soon()
        laneOf(connection)?.items.push(outbound.ping, connection)
      },
      close(connection, code, reason) {
        soon()
        laneOf(connection)?.items.push(outbound.close, connection, code, reason)
      },
      done(item) {
        soon()
        sockets.finished(item)
      },
      runJob: (job, input) => options.runJob(job, input).finally(soon),
      connectionOf: (key) => sockets.newest(key),
      again() {
        workIsLeft = true
        soon()
      },
    },
  })

  const sockets = createShardSockets({
    own,
    laneOf,
    deliver: (to, delivery) => host.deliver(to, delivery),
    discard: (to, of) => host.discard(to, of),
  })

  function deliverEnvelope(from: Lane, envelope: Envelope): void {
    const { id, to, message, epoch, replyTo, remainingMs, always } = envelope
    if (!from.handled.add(id)) return
    const partition = partitionOf(addressKey(to))
    if (!own.holds(partition) || epoch !== own.epoch(partition)) return void redirect(envelope)
    const delivery = {
      message,
      replyTo,
      ...(always && { always }),
      ...(remainingMs !== undefined && { expiresAt: clock.monotonic() + remainingMs }),
    }
    if (host.deliver(to, delivery)) return
    if (replyTo === undefined) {
      dropped.note(to)
      return
    }
    const outcome: ReplyOutcome = {
      ok: false,
      code: overloaded.code,
      message: 'too many requests wait for the same thing; try again',
    }
    reply(replyTo, outcome)
  }

  /**
   * What was sent to an earlier owner was lost with it, also when it comes late, and whoever asked is told so. What finds no owner here goes
   * to the one that there is, or waits for this shard to be that.
   */
  function redirect({
    to,
    message,
    partition,
    replyTo,
    always,
  }: Pick<Envelope, 'to' | 'message' | 'partition' | 'replyTo' | 'always'>): void {
    if (replyTo !== undefined) reply(replyTo, interruption)
    else if (own.holds(partition)) dropped.note(to)
    else tell(to, message, always)
  }

  /** A front sends a socket's items to the new owner itself; what only the former life of the actor understands goes with it. */
  function passOn(to: Address, { message, replyTo, ticket, repeated, isOwn, always }: Delivery): void {
    if (ticket !== undefined || repeated !== undefined || isOwn === true) return
    redirect({
      to,
      message,
      partition: partitionOf(addressKey(to)),
      ...(replyTo && { replyTo }),
      ...(always && { always }),
    })
  }

  async function release(given: readonly number[]): Promise<void> {
    const leaving = own.leave(given)
    sockets.letGo(leaving)
    wakeUps.forget(leaving)
    const unhandled = await host.release(leaving)
    own.letGo(leaving)
    for (const { to, delivery } of unhandled) passOn(to, delivery)
    turn()
  }

  function acquire(given: OwnedPartitions, quarantined: readonly Quarantined[]): void {
    const missing = new Set([...given.keys()].filter((partition) => !own.holds(partition)))
    assert(!host.hasActorsOf(missing), 'nothing is in memory of partitions that are not held')
    const acquired = new Set(own.acquire(given))
    for (const one of quarantined) if (acquired.has(partitionOf(one.actor))) host.leaveAlone(one)
    const waited = early
    early = []
    for (const { to, message, always } of waited) tell(to, message, always)
    void catchUpIn(acquired)
    wake()
    soon()
  }

  function setTimer(): void {
    const next = host.nextTimer()
    if (next === undefined || next >= timerAt) return
    clearTimeout(timer)
    timerAt = next
    timer = setTimeout(
      () => {
        timerAt = Number.POSITIVE_INFINITY
        turn()
      },
      Math.max(0, Math.ceil(next - clock.monotonic())),
    )
    // What keeps a thread running is its links, not what it may have to do later.
    timer.unref()
  }

  function turn(): void {
    scheduled = true
    workIsLeft = false
    host.runTimers()
    store.flush()
    for (const to of fronts) sendGathered(to)
    for (const to of shards) sendGathered(to)
    setTimer()
    scheduled = false
    if (workIsLeft) soon()
  }

  const wakeUps = createWakeUpSweep({
    view: () => store.view(),
    clock,
    partitions: own,
    owner: options.index,
    host,
    log: options.log,
  })
  let sweepsAgain = false

  /** After a long stop very many are due: the next follow when these have been worked off, and not all at once. */
  function wake(): void {
    if (wakeUps.unfinished && host.statistics().mailbox >= limits.wakeUpsPerSweep) return
    if (wakeUps.sweep() > 0) soon()
    if (!wakeUps.unfinished || sweepsAgain) return
    sweepsAgain = true
    const again = setTimeout(() => {
      sweepsAgain = false
      wake()
    }, sweepAgainMs)
    again.unref()
  }

  function tellFollowers(addresses: Iterable<Address>, of: (partition: number) => boolean = own.holds): void {
    for (const to of addresses) {
      if (!of(partitionOf(addressKey(to)))) continue
      host.deliver(to, { message: { type: 'appended' } satisfies AppendedMessage, always: true, repeated: 'appended' })
    }
    soon()
  }

  const { followers } = options
  function catchUp(): void {
    if (followers !== undefined) tellFollowers(followers.all(store.view()))
  }

  /** The followers of all shards have to be looked through: some in each turn of the event loop, so that frames do not wait for all. */
  async function catchUpIn(acquired: ReadonlySet<number>): Promise<void> {
    let looked = 0
    for (const to of followers?.all(store.view()) ?? []) {
      tellFollowers([to], (partition) => acquired.has(partition) && own.holds(partition))
      if (++looked % limits.rowsPerWalkStep === 0) await new Promise(setImmediate)
    }
  }

  if (followers !== undefined)
    store.onAppended((topics) => tellFollowers(topics.flatMap((topic) => followers.of(store.view(), topic))))

  function listen(from: Lane, front: number | undefined): void {
    from.port.on('message', ({ socketItems, envelopes }: ThreadBatch) => {
      if (front !== undefined) from.read++
      if (socketItems !== undefined) sockets.take(from, socketItems)
      for (const envelope of envelopes ?? []) deliverEnvelope(from, envelope)
      // However many messages this turn of the event loop brings, the actors run once after them.
      soon()
    })
  }

  return {
    host,
    connectFront(front, port) {
      fronts[front] = newLane(port)
      listen(fronts[front], front)
    },
    connectShard(shard, port) {
      shards[shard] = newLane(port)
      listen(shards[shard], undefined)
    },
    release,
    acquire,
    turn,
    singleton: (name) => createSingleton(name, { partitions, own, commit, tell, soon }),
    wake,
    catchUp,
    dropped: dropped.counts,
    get droppedFrames() {
      return sockets.dropped
    },
    get connections() {
      return sockets.size
    },
    get quiet() {
      const { mailbox, committing } = host.statistics()
      return mailbox === 0 && committing === 0
    },
  }
}
