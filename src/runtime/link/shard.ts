// One shard: binds an actor host to the ports of its peers. Batches come in, the host runs, batches go out, once per turn.
// Does no I/O of its own but reading the store's snapshot.

import type { MessagePort } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Address, Connection, JobOutcome, ReplyAddress } from '../actor/actor.js'
import { createActorHost } from '../actor/actor-host.js'
import type { ActorHost, AnyActorDefinition, HostOptions } from '../actor/actor-host-ports.js'
import type { Quarantined } from '../actor/blame.js'
import { addressKey, asOwner, type PartitionTable, partitionOf } from '../actor/partition-table.js'
import { interruption } from '../actor/refusals.js'
import type { Envelope, Reply, ReplyOutcome } from '../actor/transport.js'
import { createWakeUpSweep } from '../actor/wake-ups.js'
import { assert } from '../assert.js'
import type { Clock } from '../clock.js'
import { overloaded } from '../errors.js'
import { limits } from '../limits.js'
import type { ChangeBatch, CommitResult, ReadView } from '../store/store.js'
import { createDropped } from './dropped.js'
import { frontOf } from './numbers.js'
import { createRecentIds, type RecentIds } from './recent-ids.js'
import { createSingleton, type Singleton } from './singletons.js'
import type { StoreClient } from './store-client.js'
import { inbound, outbound, type ThreadBatch } from './wire.js'

/** Which actors follow a topic of a table that is added to: they are told `appended`, and read on behind what they have seen. */
export interface Followers {
  of(view: ReadView, topic: string): readonly Address[]
  /** Every follower of every topic: what was added while nobody told them is theirs to find. */
  all(view: ReadView): Iterable<Address>
}

export interface AppendedMessage {
  readonly type: 'appended'
}

export interface ShardOptions {
  readonly index: number
  readonly definitions: readonly AnyActorDefinition[]
  readonly store: StoreClient
  readonly partitions: PartitionTable
  readonly clock: Clock
  readonly random: () => number
  readonly log: Logger
  readonly passivateAfterMs: number
  readonly runJob: (job: string, input: unknown) => Promise<JobOutcome>
  /** As in HostOptions. */
  readonly onHandling?: NonNullable<HostOptions['onHandling']>
  readonly quarantined?: readonly Quarantined[]
  readonly followers?: Followers
}

export interface Shard {
  readonly host: ActorHost
  /** Starts taking batches from a front (by its index). */
  connectFront(front: number, port: MessagePort): void
  connectShard(shard: number, port: MessagePort): void
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
  /** True when no actor waits for anything. */
  readonly quiet: boolean
}

interface Lane {
  readonly port: MessagePort
  items: unknown[]
  envelopes: Envelope[]
  lastEnvelope: number
  /** Envelopes that have come over it. */
  readonly handled: RecentIds<number>
  replies: Reply[]
  /** Batches read from it that it has not been told of. */
  read: number
  /** Socket items that have come over it and are not acknowledged yet. */
  unfinished: number
}

interface Attached extends Connection {
  readonly address: Address
  readonly key: string
  readonly front: number
}

const sweepAgainMs = 50

export function createShard(options: ShardOptions): Shard {
  const { clock, partitions, store } = options
  const own = asOwner(partitions)
  const fronts: (Lane | undefined)[] = []
  const shards: (Lane | undefined)[] = []
  const attached = new Map<number, Attached>()
  const dropped = createDropped(clock, options.log)
  const newest = new Map<string, Attached>()
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  const lane = (port: MessagePort): Lane => ({
    port,
    items: [],
    envelopes: [],
    lastEnvelope: 0,
    handled: createRecentIds(limits.recentEnvelopes),
    replies: [],
    read: 0,
    unfinished: 0,
  })

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
    if (lane === undefined) return
    const epoch = partitions.epoch(partition)
    lane.envelopes.push({ id: ++lane.lastEnvelope, to, message, partition, epoch, ...(always && { always }) })
  }

  const laneOf = (number: number): Lane | undefined => fronts[frontOf(number)]

  /** The front forgets the item: what it promised is on disk. */
  function finished(item: number): void {
    const front = laneOf(item)
    if (front === undefined) return
    front.items.push(outbound.done, item)
    front.unfinished--
    assert(front.unfinished >= 0, 'no more is acknowledged than has come', item)
  }

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
    if (owner !== options.index) post(shards[owner], to, message, partition, always)
    else if (!host.deliver(to, { message, ...(always && { always }) })) dropped.note(to)
  }

  const host = createActorHost({
    ...options,
    partitions: own,
    // What an actor does once its commit is on disk may be another commit or a timer: a turn sends and sets it.
    store: { view: () => store.view(), commit },
    ports: {
      send: tell,
      reply,
      frame(connection, text) {
        soon()
        laneOf(connection)?.items.push(outbound.frame, connection, text)
      },
      close(connection, code, reason) {
        soon()
        laneOf(connection)?.items.push(outbound.close, connection, code, reason)
      },
      done(item) {
        soon()
        finished(item)
      },
      runJob: (job, input) => options.runJob(job, input).finally(soon),
      connectionOf: (key) => newest.get(key),
      again() {
        workIsLeft = true
        soon()
      },
    },
  })

  /** What was sent to an earlier owner was lost with it, also when it comes late: whoever asked is told so. */
  function deliverEnvelope(from: Lane, envelope: Envelope): void {
    const { id, to, message, partition, epoch, replyTo, remainingMs, always } = envelope
    if (!from.handled.add(id)) return
    if (epoch !== own.epoch(partition)) {
      if (replyTo !== undefined) reply(replyTo, interruption)
      return
    }
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

  function attach(
    front: number,
    item: number,
    connection: number,
    address: Address,
    epoch: number,
    details: unknown,
  ): void {
    const key = addressKey(address)
    const entry: Attached = { connection, epoch, details, address: { ...address, key }, key, front }
    attached.set(connection, entry)
    const present = newest.get(key)
    if (present === undefined || present.epoch <= epoch) newest.set(key, entry)
    host.deliver(address, {
      message: { type: 'attached', connection: { connection, epoch, details } },
      ticket: item,
      always: true,
    })
  }

  function detach(item: number, connection: number, code: number, reason: string): void {
    const entry = attached.get(connection)
    if (entry === undefined) return void finished(item)
    attached.delete(connection)
    if (newest.get(entry.key) === entry) newest.delete(entry.key)
    host.deliver(entry.address, {
      message: { type: 'detached', connection, code, reason },
      ticket: item,
      always: true,
    })
  }

  function frame(item: number, connection: number, text: string): void {
    const entry = attached.get(connection)
    if (entry === undefined) return void finished(item)
    if (host.deliver(entry.address, { message: { type: 'frame', connection, text }, ticket: item })) return
    laneOf(connection)?.items.push(outbound.close, connection, 1008, 'too many messages wait')
    finished(item)
  }

  function takeSocketItems(front: number, from: Lane, items: readonly unknown[]): void {
    for (let at = 0; at < items.length; ) {
      from.unfinished++
      const item = items[at + 1] as number
      const connection = items[at + 2] as number
      switch (items[at]) {
        case inbound.frame:
          frame(item, connection, items[at + 3] as string)
          at += 4
          break
        case inbound.attach: {
          const address = { kind: items[at + 3] as string, id: items[at + 4] as string }
          attach(front, item, connection, address, items[at + 5] as number, items[at + 6])
          at += 7
          break
        }
        case inbound.detach:
          detach(item, connection, items[at + 3] as number, items[at + 4] as string)
          at += 5
          break
        default:
          throw new Error(`an unknown socket item: ${String(items[at])}`)
      }
    }
  }

  function send(to: Lane | undefined): void {
    if (to === undefined) return
    const batch: { -readonly [Part in keyof ThreadBatch]: ThreadBatch[Part] } = {}
    if (to.items.length > 0) batch.socketItems = to.items
    if (to.envelopes.length > 0) batch.envelopes = to.envelopes
    if (to.replies.length > 0) batch.replies = to.replies
    if (batch.socketItems === undefined && batch.envelopes === undefined && batch.replies === undefined) return
    if (to.read > 0) batch.read = to.read
    to.port.postMessage(batch)
    to.items = []
    to.envelopes = []
    to.replies = []
    to.read = 0
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
    for (const to of fronts) send(to)
    for (const to of shards) send(to)
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

  function tellFollowers(addresses: Iterable<Address>): void {
    for (const to of addresses) {
      if (partitions.owner(partitionOf(addressKey(to))) !== options.index) continue
      host.deliver(to, { message: { type: 'appended' } satisfies AppendedMessage, always: true, repeated: 'appended' })
    }
    soon()
  }

  const { followers } = options
  if (followers !== undefined)
    store.onAppended((topics) => tellFollowers(topics.flatMap((topic) => followers.of(store.view(), topic))))

  function listen(from: Lane, front: number | undefined): void {
    from.port.on('message', ({ socketItems, envelopes }: ThreadBatch) => {
      if (front !== undefined) from.read++
      if (socketItems !== undefined && front !== undefined) takeSocketItems(front, from, socketItems)
      for (const envelope of envelopes ?? []) deliverEnvelope(from, envelope)
      // However many messages this turn of the event loop brings, the actors run once after them.
      soon()
    })
  }

  return {
    host,
    connectFront(front, port) {
      fronts[front] = lane(port)
      listen(fronts[front], front)
    },
    connectShard(shard, port) {
      shards[shard] = lane(port)
      listen(shards[shard], undefined)
    },
    turn,
    singleton: (name) => createSingleton(name, { owner: options.index, partitions, own, commit, tell, soon }),
    wake,
    catchUp() {
      if (followers !== undefined) tellFollowers(followers.all(store.view()))
    },
    dropped: dropped.counts,
    get connections() {
      return attached.size
    },
    get quiet() {
      const { mailbox, committing } = host.statistics()
      return mailbox === 0 && committing === 0
    },
  }
}
