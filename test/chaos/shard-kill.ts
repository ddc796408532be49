// Shards killed under load by a throw, by exhausted memory and by an endless loop: no charge point loses its socket, and
// every message that was sent is answered.

import { setTimeout as delay } from 'node:timers/promises'
import type { Fault } from '../../src/process/threads.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import { until } from '../support/until.js'
import { metric } from './metric.js'
import { between, defineScenario, oneOf, percentile } from './scenario.js'
import { startUnderLoad } from './under-load.js'

const shards = 2
const faults = ['throw', 'exhaust-memory', 'spin'] as const satisfies readonly Fault[]
/** Each shard in turn: one that lives for twice this long counts as one that came up, and ten deaths in quicker succession end the process. */
const settledMs = 3_000

export const shardKill = defineScenario({
  name: 'shard-kill',
  promise: 'no socket and no message is lost when a shard dies',
  // `answerWithinMs` is for a message that meets a death, the second without a sign of life of a loop included; in
  // continuous integration the shard that takes its place shares its cores with other tests.
  sizes: {
    small: { rounds: 6, chargePoints: 40, operators: 2, pauseMs: 100, answerWithinMs: 60_000 },
    full: { rounds: 300, chargePoints: 300, operators: 6, pauseMs: 20, answerWithinMs: 10_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    /** The longest time without an answer of the shard's charge points since its last fault. */
    const silences = Array.from({ length: shards }, () => ({ since: performance.now(), longestMs: 0 }))
    const latencies: number[] = []
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => [
        ...['--shards', String(shards)],
        ...['--stuck-shard-seconds', '1', '--shard-memory-megabytes', '128'],
      ],
      observer: {
        closed: (id, code, reason) => violation(`${id} lost its socket: ${code} ${reason}`),
        answered(id, _action, milliseconds) {
          latencies.push(milliseconds)
          const silence = silences[partitionOf(`charge-point/${id}`) % shards]
          if (silence === undefined) return
          const now = performance.now()
          silence.longestMs = Math.max(silence.longestMs, now - silence.since)
          silence.since = now
        },
      },
    })
    const { service } = load
    const { counts } = load.fleet
    load.begin()
    await delay(1_000)
    const recoveries: Record<(typeof faults)[number], number[]> = { throw: [], 'exhaust-memory': [], spin: [] }
    for (let round = 1; round <= size.rounds; round++) {
      const shard = round % shards
      const fault = faults[round % faults.length] ?? oneOf(random, faults)
      const silence = silences[shard]
      if (silence === undefined) continue
      silence.longestMs = 0
      const restartsBefore = await metric(service, 'ampshard_shard_restarts_total')
      service.fail(shard, fault)
      // More than one: on a machine that does much else, a second without a sign of life also takes a shard that is only slow.
      const died = async () => (await metric(service, 'ampshard_shard_restarts_total')) > restartsBefore
      await until(died).catch(() => violation(`a shard outlived ${fault}`))
      await delay(settledMs + between(random, 0, 500))
      recoveries[fault].push(Math.max(silence.longestMs, performance.now() - silence.since))
      context.progress(`killed ${round} times, ${counts.answered} messages answered`)
    }
    await load.end()
    const restartsInAll = await metric(service, 'ampshard_shard_restarts_total')
    if (service.process.exitCode !== null) violation(`the process ended with ${service.process.exitCode}`)
    const verified = await load.verify()
    const share = (fault: (typeof faults)[number], of: number): number => Math.round(percentile(recoveries[fault], of))
    return {
      kills: size.rounds,
      'shards replaced': restartsInAll,
      'messages answered': counts.answered,
      'sockets lost': counts.closed,
      'messages not answered': counts.failed,
      'answers given twice': counts.repeated,
      'transactions acknowledged': verified.transactions,
      'commands acknowledged': verified.commands,
      'answer p50 ms': percentile(latencies, 0.5).toFixed(1),
      'answer p99 ms': percentile(latencies, 0.99).toFixed(1),
      'recovery from a throw p50/p99 ms': `${share('throw', 0.5)} / ${share('throw', 0.99)}`,
      'from exhausted memory p50/p99 ms': `${share('exhaust-memory', 0.5)} / ${share('exhaust-memory', 0.99)}`,
      'from an endless loop p50/p99 ms': `${share('spin', 0.5)} / ${share('spin', 0.99)}`,
    }
  },
})
