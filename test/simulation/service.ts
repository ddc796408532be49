// One process of the service, in simulated threads: the real shards, actors, front transport, asks and store service, tied
// together as src/process/service.ts ties the threads. Its supervisor replaces shards that end; `kill` ends everything at once.

import { actorDefinitions } from '../../src/actors/kinds.js'
import { webhookFollowers } from '../../src/actors/webhook-endpoint/followers.js'
import type { Services } from '../../src/api/pipeline/services.js'
import { startClocks } from '../../src/process/clocks.js'
import { alone } from '../../src/records/presence.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import { sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { type Asks, createAsks } from '../../src/runtime/link/asks.js'
import { createFrontTransport, type FrontTransport } from '../../src/runtime/link/front-transport.js'
import { createShard, type Shard } from '../../src/runtime/link/shard.js'
import { connectStore, type StoreClient } from '../../src/runtime/link/store-client.js'
import { type StoreConnection, serveStore } from '../../src/runtime/link/store-service.js'
import { takeOver } from '../../src/runtime/link/take-over.js'
import { tendShard } from '../../src/runtime/link/tend-shard.js'
import type { CommitRequest, CommitResponse, ThreadBatch } from '../../src/runtime/link/wire.js'
import { createSimulatedApi, frontServices, type SimulatedApi } from './api.js'
import { createEdge, type Edge } from './edge.js'
import { unreliable } from './envelopes.js'
import type { Faults } from './faults.js'
import { createLink, type Later } from './port.js'
import { silentLog } from './silent-log.js'
import { openStore, type SimulatedDisk } from './store.js'
import { newThread, SimulatedDeath, type SimulatedThread, type SimulatedTime } from './time.js'

export const shardCount = 3
export const frontCount = 2

/** What an observer is told of the inside: which life of a shard the store still listens to, and how full queues are. */
export interface Observer {
  /** After every group of commits that the store has written or refused. */
  written(): void
  commitRequested(shard: number, life: number, request: CommitRequest): void
  commitAnswered(shard: number, life: number, response: CommitResponse): void
  /** A shard has been replaced: from now on only this life of it may write. */
  shardStarted(shard: number, life: number): void
}

export interface SimulatedFront {
  readonly thread: SimulatedThread
  readonly edge: Edge
  readonly transport: FrontTransport
  readonly asks: Asks
  readonly store: StoreClient
  /** What routes get, and the API over it. */
  readonly services: Services
  readonly api: SimulatedApi
}

export interface SimulatedService {
  readonly run: number
  readonly fronts: readonly SimulatedFront[]
  readonly shards: readonly (Shard | undefined)[]
  readonly shardDeaths: number
  /** Every thread ends where it is. */
  kill(): void
}

export interface ServiceOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly disk: SimulatedDisk
  readonly observer: Observer
  /** What the service asks of others; the job resolves in `thread`, which waits for it. */
  readonly runJob: (job: string, input: unknown, thread: SimulatedThread) => Promise<JobOutcome>
}

const replaceAfterMs = 20
const storeBusyMs = 200
const passivateAfterMs = 120_000
const alertSettleMs = 5_000

export function startService({ time, faults, disk, observer, runJob }: ServiceOptions): SimulatedService {
  const { random } = faults
  const threads: SimulatedThread[] = []
  function thread(name: string): SimulatedThread {
    const made = newThread(name)
    threads.push(made)
    return made
  }
  const supervisor = thread('main')
  const storeThread = thread('store')
  const shards = new Array<Shard | undefined>(shardCount).fill(undefined)
  const shardThreads: SimulatedThread[] = []
  const lives = new Array<number>(shardCount).fill(0)
  const partitions = sharedPartitionTable()
  let shardDeaths = 0

  const store = openStore({
    disk,
    thread: storeThread,
    time,
    faults,
    written: observer.written,
    appended(topics) {
      for (const connection of connections) connection.announce(topics)
    },
  })
  partitions.begin(store.epochs())
  const connections = new Set<StoreConnection>()
  const delay = (): number => 0.02 + random() * random() * 2
  const storeDelay = (): number => delay() + (faults.happens('storeBusy') ? random() * storeBusyMs : 0)
  const between = unreliable(faults)

  /** Ends the shard that this thread is, before or after what it is about to do. */
  function dies(owner: SimulatedThread): void {
    if (!shardThreads.includes(owner) || !owner.alive || !faults.happens('shardCrash')) return
    owner.alive = false
    shardDeaths++
    const shard = shardThreads.indexOf(owner)
    shards[shard] = undefined
    time.after(replaceAfterMs, supervisor, () => startShard(shard))
    throw new SimulatedDeath()
  }

  /** What a thread sends; what a shard sends may be the last that it does, or be what it died of before. */
  function sending(message: unknown, from: SimulatedThread, later: Later): unknown {
    dies(from)
    return between(message as ThreadBatch, later)
  }

  function link(from: SimulatedThread, to: SimulatedThread) {
    return createLink({ time, delay, sending, settles: hasReplies, sent: dies }, from, to)
  }

  function storeLink(owner: SimulatedThread, shard?: { readonly index: number; readonly life: number }) {
    const { near, far } = createLink(
      {
        time,
        delay: storeDelay,
        sending(message, from) {
          dies(from)
          if (shard !== undefined && from === owner) {
            observer.commitRequested(shard.index, shard.life, message as CommitRequest)
          } else if (shard !== undefined) observer.commitAnswered(shard.index, shard.life, message as CommitResponse)
          return message
        },
        settles: (message) => 'results' in (message as object),
        sent: dies,
      },
      owner,
      storeThread,
    )
    connections.add(serveStore(store, far))
    return connectStore(near, store.view())
  }

  const hasReplies = (message: unknown): boolean => (message as ThreadBatch).replies !== undefined

  const fronts = Array.from({ length: frontCount }, (_, index): SimulatedFront => {
    const owner = thread(`front/${index}`)
    const edge = createEdge({
      front: index,
      incarnation: store.run,
      time,
      transport: () => transport,
      view: () => client.view(),
    })
    const transport = createFrontTransport({
      front: index,
      shards: shardCount,
      partitions,
      clock: time,
      sockets: edge.sockets,
      events: {
        frame: edge.frame,
        close: edge.close,
        reply: (reply) => asks.settle(reply),
        shardLost: (shard) => asks.abandon(shard),
      },
    })
    const asks = createAsks({ front: index, clock: time, transport, shardOf: transport.shardOf })
    const client = storeLink(owner)
    const parts = { thread: owner, edge, transport, asks, store: client }
    const services = frontServices(parts, { time, random, run: store.run })
    return { ...parts, services, api: createSimulatedApi(services) }
  })

  /** As the supervisor of src/process/service.ts does: fence, link to the fronts, link to the others, start. */
  function startShard(index: number): void {
    const life = (lives[index] ?? 0) + 1
    lives[index] = life
    void takeOver({ shard: index, shards: shardCount, partitions, fence: store.fence }).then(() =>
      time.settleAfter(delay(), supervisor, () => {
        observer.shardStarted(index, life)
        linkShard(index, life)
      }),
    )
  }

  function linkShard(index: number, life: number): void {
    const owner = thread(`shard/${index}`)
    const frontPorts = fronts.map((front) => {
      const { near, far } = link(front.thread, owner)
      time.settleAfter(delay(), front.thread, () => front.transport.connectShard(index, near))
      return far
    })
    // Longer than any of the fronts takes to hear of it.
    time.settleAfter(5, owner, () => {
      shardThreads[index] = owner
      // With those that are there by now: whoever starts later links to this one.
      const others = shards.flatMap((other, number) => {
        const otherThread = shardThreads[number]
        if (other === undefined || otherThread === undefined || number === index) return []
        const { near, far } = link(otherThread, owner)
        time.settleAfter(delay(), otherThread, () => other.connectShard(index, near))
        return [{ number, port: far }]
      })
      const client = storeLink(owner, { index, life })
      const shard = createShard({
        index,
        definitions,
        store: client,
        partitions,
        clock: time,
        random,
        log: silentLog,
        passivateAfterMs,
        runJob: (job, input) => runJob(job, input, owner),
        followers: webhookFollowers,
        onHandling: () => dies(owner),
      })
      shards[index] = shard
      for (const [front, port] of frontPorts.entries()) shard.connectFront(front, port)
      for (const { number, port } of others) shard.connectShard(number, port)
      tendShard(shard)
      startClocks({
        singleton: shard.singleton,
        clock: time,
        view: client.view,
        newId: createIdMaker(time, random),
        log: silentLog,
        live: alone(store.run).live,
        startedAt,
        settleMs: alertSettleMs,
        surroundings: async () => ({ takesAlerts: true, certificates: [] }),
      })
    })
  }

  const startedAt = { wall: time.now(), monotonic: time.monotonic() }
  const definitions = actorDefinitions({
    chargePoint: {
      live: alone(store.run).live,
      heartbeatIntervalSeconds: 400,
      bootRetrySeconds: 30,
      provisionalCloseSeconds: 90,
      signsCertificates: false,
    },
  })
  for (let index = 0; index < shardCount; index++) startShard(index)

  return {
    run: store.run,
    fronts,
    shards,
    get shardDeaths() {
      return shardDeaths
    },
    kill() {
      for (const one of threads) one.alive = false
    },
  }
}
