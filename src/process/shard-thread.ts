// The shard thread: a piscina task that never ends. Its worker's death is the supervisor's signal.

import { messageCounts } from '../actors/charge-point/statistics.js'
import { actorDefinitions } from '../actors/kinds.js'
import { webhookFollowers } from '../actors/webhook-endpoint/followers.js'
import { webhookCounts } from '../actors/webhook-endpoint/statistics.js'
import { tables } from '../records/index.js'
import { turnNotes } from '../runtime/actor/current-turn.js'
import { sharedPartitionTable } from '../runtime/actor/partition-table.js'
import { systemClock } from '../runtime/clock.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { createShard } from '../runtime/link/shard.js'
import { connectStore } from '../runtime/link/store-client.js'
import { tendShard } from '../runtime/link/tend-shard.js'
import { createLog } from '../runtime/log.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { threadMemory } from '../runtime/thread/thread-memory.js'
import type { Fault, MainControl, ShardControl, ShardStart } from './threads.js'

const aliveEveryMs = 200

export async function runShard(start: ShardStart): Promise<never> {
  const { index, settings } = start
  const log = createLog({ level: settings.log_level, thread: `shard/${index}`, terminal: process.stdout.isTTY })
  const store = connectStore(start.store, openView(settings.data, tables))
  const main = remoteControl<MainControl>(start.main)
  const loopDelay = measureLoopDelay()
  const turns = turnNotes(start.turns, index)
  const definitions = actorDefinitions({
    chargePoint: {
      run: start.run,
      heartbeatIntervalSeconds: settings.heartbeat_interval_seconds,
      bootRetrySeconds: settings.boot_retry_seconds,
      provisionalCloseSeconds: settings.provisional_close_seconds,
      signsCertificates: settings.client_ca_key_file !== undefined && settings.tls_client_ca_file !== undefined,
    },
  })
  const shard = createShard({
    index,
    definitions,
    store,
    partitions: sharedPartitionTable(start.partitions),
    clock: systemClock,
    random: Math.random,
    log,
    passivateAfterMs: settings.passivate_seconds * 1000,
    runJob: (job, input) => main.runJob(job, input),
    followers: webhookFollowers,
    onHandling: turns.note,
    quarantined: start.quarantined,
  })

  for (const [front, port] of start.fronts.entries()) shard.connectFront(front, port)
  for (const { shard: other, port } of start.shards) shard.connectShard(other, port)
  const api: ShardControl = {
    connectShard: (other, port) => shard.connectShard(other, port),
    statistics: () => ({
      ...shard.host.statistics(),
      connections: shard.connections,
      messages: messageCounts(),
      dropped: shard.dropped,
      webhooks: webhookCounts(),
      loopDelayMs: loopDelay(),
      memory: threadMemory(),
    }),
    quiet: () => shard.quiet,
    fail,
  }
  exposeControl(api, start.control)

  const alive = new Int32Array(start.alive)
  // The first sign ends the patience that a start is given.
  Atomics.add(alive, index, 1)
  setInterval(() => Atomics.add(alive, index, 1), aliveEveryMs)
  tendShard(shard)
  return new Promise<never>(() => {})
}

/** Loads this module, and so everything that a shard runs. */
export function warmUp(): void {}

/** Only called in a process that was started to be broken. */
function fail(fault: Fault): void {
  if (process.env.AMPSHARD_FAULTS !== 'true') return
  setImmediate(() => {
    if (fault === 'throw') throw new Error('a fault that was asked for')
    if (fault === 'spin') for (;;);
    const held: unknown[] = []
    for (;;) held.push(new Array(1_000_000).fill(held.length))
  })
}
