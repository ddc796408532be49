// A front's transport and shards, linked by real message ports in one thread, over the store in memory.
// A shard can be killed and replaced as the supervisor does it.

import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { Test } from 'tap'
import { createMoves } from '../../src/process/moves.js'
import type { Address, JobOutcome } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import {
  addressKey,
  ownedBy,
  partitionOf,
  sharedPartitionTable,
  type WritablePartitionTable,
} from '../../src/runtime/actor/partition-table.js'
import type { Reply } from '../../src/runtime/actor/transport.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createFrontTransport, type FrontTransport, type LiveSocket } from '../../src/runtime/link/front-transport.js'
import { createShard, type Shard } from '../../src/runtime/link/shard.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { neverSet } from '../support/fake-clock.js'
import { scriptedTables, silent } from './scripted-actors.js'

export const moveSteps = ['release', 'fence', 'acquire', 'reroute'] as const
export type MoveStep = (typeof moveSteps)[number]

export interface Linked {
  readonly transport: FrontTransport
  /** What reached the sockets, oldest first: `1 text`, or `1 closed 1011`. */
  readonly sockets: string[]
  readonly replies: Reply[]
  readonly lostShards: number[]
  /** Ends the jobs that have been begun, the oldest first. */
  readonly jobs: ((outcome: JobOutcome) => void)[]
  /** Sockets that are open, as the listener would hold them. */
  readonly open: Set<LiveSocket>
  shard(index: number): Shard
  /** Ends a shard without a word: what its store had not written is lost. */
  kill(index: number): void
  /** Starts a shard and links it, the first time or after a kill. */
  start(index: number): void
  readonly partitions: WritablePartitionTable
  /** Moves the partitions of these counters to another shard, as the assembly does it. */
  move(ids: readonly string[], to: number): Promise<void>
  /** The next time that a move comes to this step it fails: before the step has been done, or after. */
  failAt(step: MoveStep, when: 'before' | 'after'): void
  /** While true, commits stay in the store's queue. */
  holdCommits(hold: boolean): void
}

export function linkThreads(t: Test, definitions: readonly AnyActorDefinition[], shardCount = 1): Linked {
  const partitions = sharedPartitionTable()
  partitions.begin(shardCount, [])
  const takeOver = (shard: number): void => {
    const owned = [...ownedBy(partitions, shard).keys()]
    const epochs = owned.map((partition) => partitions.assign(partition, shard))
    if (running[shard] === undefined) return
    void store.fence(owned, epochs)
    store.flush()
  }
  const store = openMemoryStore(scriptedTables, { flushWhen: 'manual' })
  let held = false
  const sockets: string[] = []
  const replies: Reply[] = []
  const lostShards: number[] = []
  const jobs: Linked['jobs'] = []
  const open = new Set<LiveSocket>()
  const running: ({ shard: Shard; ports: MessagePort[] } | undefined)[] = []
  for (let shard = 0; shard < shardCount; shard++) takeOver(shard)
  const transport = createFrontTransport({
    front: 0,
    shards: shardCount,
    partitions,
    clock: systemClock,
    sockets: () => open,
    events: {
      frame: (connection, text) => sockets.push(`${connection} ${text}`),
      close: (connection, code) => sockets.push(`${connection} closed ${code}`),
      reply: (reply) => replies.push(reply),
      ping: () => undefined,
      shardLost: (shard) => lostShards.push(shard),
    },
  })

  function start(index: number): void {
    if (running[index] !== undefined) void moves.begins(index, async () => takeOver(index))
    const shard = createShard({
      index,
      definitions,
      store: {
        view: store.view,
        commit: store.commit,
        flush: () => {
          if (!held) store.flush()
        },
        onAppended: () => {},
        pending: 0,
      },
      partitions,
      clock: neverSet(systemClock),
      random: Math.random,
      log: silent,
      passivateAfterMs: 60_000,
      runJob: () => new Promise((resolve) => jobs.push(resolve)),
    })
    const { port1, port2 } = new MessageChannel()
    shard.connectFront(0, port2)
    const ports = [port2]
    for (const [other, entry] of running.entries()) {
      if (entry === undefined || other === index) continue
      const between = new MessageChannel()
      entry.shard.connectShard(index, between.port1)
      shard.connectShard(other, between.port2)
      ports.push(between.port1)
    }
    running[index] = { shard, ports }
    transport.connectShard(index, port1)
  }

  function kill(index: number): void {
    for (const port of running[index]?.ports ?? []) port.close()
    store.crash()
  }

  let fails: string | undefined
  function failHere(place: string): void {
    if (fails !== place) return
    fails = undefined
    throw new Error(`it fails ${place}`)
  }
  async function step(name: MoveStep, act: () => unknown): Promise<void> {
    failHere(`before ${name}`)
    await act()
    failHere(`after ${name}`)
  }

  const moves = createMoves({
    partitions,
    fence: (owned, epochs) =>
      step('fence', () => {
        const fenced = store.fence(owned, epochs)
        store.flush()
        return fenced
      }),
    release: (shard, left) => step('release', () => running[shard]?.shard.release(left)),
    acquire: (shard, owned, quarantined) => step('acquire', () => running[shard]?.shard.acquire(owned, quarantined)),
    reroute: (moved) => [step('reroute', () => transport.reroute(moved))],
    quarantined: () => [],
  })

  t.teardown(() => {
    for (const entry of running) for (const port of entry?.ports ?? []) port.close()
  })
  return {
    transport,
    sockets,
    replies,
    lostShards,
    jobs,
    open,
    start,
    shard: (index) => (running[index] as { shard: Shard }).shard,
    kill,
    partitions,
    move: (ids, to) =>
      moves.move(
        ids.map((id) => partitionOf(`counter/${id}`)),
        to,
      ),
    failAt(step, when) {
      fails = `${when} ${step}`
    },
    holdCommits(hold) {
      held = hold
      if (!hold) store.flush()
    },
  }
}

let epoch = 0

/** A socket of `counter/<id>`; connection numbers carry the front, 0, in their low bits. */
export function openSocket(linked: Linked, id: string, number: number): LiveSocket {
  const address: Address = { kind: 'counter', id }
  const partition = partitionOf(addressKey(address))
  const details = { remoteAddress: '::1' }
  const socket: LiveSocket = { connection: number * 16, address, partition, epoch: ++epoch, details }
  linked.open.add(socket)
  linked.transport.attach(socket)
  return socket
}

/** Resolves when the condition holds; gives up after many turns of the event loop. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 20_000) throw new Error('it never came to hold')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
