// The whole service, killed at random moments under load and started again: what it has acknowledged is there, once.

import { setTimeout as delay } from 'node:timers/promises'
import { between, defineScenario, percentile } from './scenario.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'

const shardCounts = [1, 2]
export const serverKill = defineScenario({
  name: 'server-kill',
  promise: 'what was acknowledged survives SIGKILL, and nothing is there twice',
  // In continuous integration a restart shares its cores with other tests.
  sizes: {
    small: { rounds: 4, chargePoints: 30, operators: 4, pauseMs: 100, longestRunMs: 1_500, restartWithinMs: 60_000 },
    full: { rounds: 200, chargePoints: 200, operators: 8, pauseMs: 10, longestRunMs: 4_000, restartWithinMs: 3_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => ['--shards', String(shardCounts[between(random, 0, 1)]), ...withoutFlapping],
    })
    const { counts } = load.fleet
    load.begin()
    const restartsMs: number[] = []
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 50, size.longestRunMs))
      restartsMs.push(await load.kill())
      context.progress(`killed ${round} times, ${counts.answered} messages acknowledged`)
    }
    await delay(500)
    await load.end()
    const verified = await load.verify()
    const slowest = Math.max(...restartsMs)
    if (slowest > size.restartWithinMs) violation(`a restart took ${Math.round(slowest)} ms`)
    return {
      kills: size.rounds,
      'messages acknowledged': counts.answered,
      'transactions acknowledged': verified.transactions,
      'commands acknowledged': verified.commands,
      'API writes acknowledged': verified.writes,
      'sockets lost to kills': counts.closed,
      'answers given twice': counts.repeated,
      'restart p50 ms': Math.round(percentile(restartsMs, 0.5)),
      'restart p99 ms': Math.round(percentile(restartsMs, 0.99)),
    }
  },
})
