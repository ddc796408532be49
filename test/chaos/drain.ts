// SIGTERM under load: the service ends in order within its time, tells every socket why, keeps what it has acknowledged,
// and takes up again where it was.

import { setTimeout as delay } from 'node:timers/promises'
import { between, defineScenario, percentile } from './scenario.js'
import { startUnderLoad, withoutFlapping } from './under-load.js'

const endsWithinMs = 10_000
const goingAway = 1001

export const drain = defineScenario({
  name: 'drain',
  promise: 'SIGTERM under load ends the service in order within ten seconds, with exit code 0',
  sizes: {
    small: { rounds: 2, chargePoints: 30, operators: 4, pauseMs: 100 },
    full: { rounds: 20, chargePoints: 300, operators: 8, pauseMs: 10 },
  },
  async run(context, size) {
    const { random, violation } = context
    let ending = false
    const codes = new Map<number, number>()
    const load = await startUnderLoad(context, {
      ...size,
      flags: () => ['--shards', '2', ...withoutFlapping],
      observer: {
        closed(id, code, reason) {
          codes.set(code, (codes.get(code) ?? 0) + 1)
          if (!ending) violation(`${id} lost its socket before the end: ${code} ${reason}`)
          else if (code !== goingAway) violation(`${id} was closed with ${code} ${reason}`)
        },
      },
    })
    load.begin()
    const endsMs: number[] = []
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 500, 2_000))
      ending = true
      const toldAt = performance.now()
      const how = await load.service.stop('SIGTERM')
      endsMs.push(performance.now() - toldAt)
      if (how !== 0) violation(`the service ended with ${how}`)
      await load.startAgain()
      ending = false
      context.progress(`${round} of ${size.rounds}`)
    }
    await delay(500)
    await load.end()
    const verified = await load.verify()
    const slowest = percentile(endsMs, 1)
    if (slowest > endsWithinMs) violation(`it took ${Math.round(slowest)} ms to end`)
    return {
      ends: size.rounds,
      'end p50/most ms': `${Math.round(percentile(endsMs, 0.5))} / ${Math.round(slowest)}`,
      'messages acknowledged': load.fleet.counts.answered,
      'transactions acknowledged': verified.transactions,
      'API answers 503 while it ended': load.operators.answers.get(503) ?? 0,
      'sockets closed, by code': [...codes].map(([code, count]) => `${code}: ${count}`).join(', '),
    }
  },
})
