// What a shard thread does: hosts actors of every kind, links them to fronts and other shards, and shows that it is alive.

import { leftOutCounts, messageCounts, signingCounts } from '../actors/charge-point/statistics.js'
import { actorDefinitions } from '../actors/kinds.js'
import { createOcpiFollowers } from '../actors/ocpi-partner/followers.js'
import { ocpiPushCounts } from '../actors/ocpi-partner/statistics.js'
import { webhookFollowers } from '../actors/webhook-endpoint/followers.js'
import { webhookCounts } from '../actors/webhook-endpoint/statistics.js'
import { canIssue } from '../jobs/pki/authority.js'
import { alone } from '../records/presence.js'
import { sharedPartitionTable } from '../runtime/actor/partition-table.js'
import { createIdMaker } from '../runtime/ids.js'
import { allFollowers, createShard, type Shard, type ShardOptions } from '../runtime/link/shard.js'
import { connectStore } from '../runtime/link/store-client.js'
import { tendShard } from '../runtime/link/tend-shard.js'
import { serviceClock } from '../runtime/steady-time.js'
import type { ReadView } from '../runtime/store/store.js'
import { startClocks } from './clocks.js'
import type { Outside } from './outside.js'
import type { Fault, ShardControl, ShardMain, ShardStart } from './threads.js'

export interface ShardOutside extends Outside {
  readonly view: ReadView
  readonly main: ShardMain
  randomBytes(length: number): Buffer
  /** Notes whose turn it is where the end of the thread does not reach. */
  readonly noteTurn: NonNullable<ShardOptions['onHandling']>
  /** Longest delay of the event loop in the last second, ms. */
  loopDelay(): number
  /** Whether fleets are sampled for their charts. */
  readonly samplesFleets: boolean
  /** Makes the thread fail. */
  fail(fault: Fault): void
}

export interface ShardProgram {
  readonly control: ShardControl
  readonly shard: Shard
}

const aliveEveryMs = 400

/** Runs as long as its thread does. */
export function createShardProgram(start: ShardStart, outside: ShardOutside): ShardProgram {
  const { index, settings } = start
  const { live } = alone(start.run)
  const clock = serviceClock(outside.clock, start.time)
  const definitions = actorDefinitions({
    chargePoint: {
      live,
      heartbeatIntervalSeconds: settings.heartbeat_interval_seconds,
      bootRetrySeconds: settings.boot_retry_seconds,
      provisionalCloseSeconds: settings.provisional_close_seconds,
      signsCertificates: canIssue(settings),
      logsMessages: settings.message_retention_days > 0,
      randomBytes: outside.randomBytes,
    },
  })
  const store = connectStore(start.store, outside.view)
  const shard = createShard({
    index,
    definitions,
    store,
    partitions: sharedPartitionTable(start.partitions),
    clock,
    random: outside.random,
    log: outside.log,
    passivateAfterMs: settings.passivate_seconds * 1000,
    runJob: outside.main.runJob,
    followers: allFollowers([webhookFollowers, createOcpiFollowers(clock)]),
    onHandling: outside.noteTurn,
    quarantined: start.quarantined,
    owns: start.owns,
  })

  for (const [front, port] of start.fronts.entries()) shard.connectFront(front, port)
  for (const { shard: other, port } of start.shards) shard.connectShard(other, port)
  const control: ShardControl = {
    connectShard: (other, port) => shard.connectShard(other, port),
    release: shard.release,
    acquire: shard.acquire,
    statistics: () => ({
      ...shard.host.statistics(),
      connections: shard.connections,
      messages: messageCounts(),
      signings: signingCounts(),
      leftOut: leftOutCounts(),
      dropped: shard.dropped,
      droppedFrames: shard.droppedFrames,
      webhooks: webhookCounts(),
      pushes: ocpiPushCounts(),
      loopDelayMs: outside.loopDelay(),
      loopActiveMs: outside.loopActive(),
      memory: outside.memory(),
    }),
    quiet: () => shard.quiet,
    fail: outside.fail,
  }

  const alive = new Int32Array(start.alive)
  // The first sign ends the patience that a start is given.
  Atomics.add(alive, index, 1)
  setInterval(() => Atomics.add(alive, index, 1), aliveEveryMs)
  tendShard(shard)
  startClocks({
    singleton: shard.singleton,
    clock,
    view: store.view,
    newId: createIdMaker(clock, outside.random),
    log: outside.log,
    live,
    startedAt: start.startedAt,
    settleMs: settings.alert_settle_seconds * 1000,
    surroundings: () => outside.main.surroundings(),
    samplesFleets: outside.samplesFleets,
  })
  return { control, shard }
}
