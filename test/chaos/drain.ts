// SIGTERM under load: the service ends in order within its time, tells every socket why, keeps what it has acknowledged,
// and takes up again where it was.

import { setTimeout as delay } from 'node:timers/promises'
import { chargePointIds, createFleet, registerAll } from './fleet.js'
import { openLedger } from './ledger.js'
import { createOperators } from './operators.js'
import { between, defineScenario, percentile } from './scenario.js'
import { verifyLedger } from './verify.js'

const endsWithinMs = 10_000
const goingAway = 1001

export const drain = defineScenario({
  name: 'drain',
  promise: 'SIGTERM under load ends the service in order within ten seconds, with exit code 0',
  sizes: {
    small: { rounds: 2, chargePoints: 30, operators: 4 },
    full: { rounds: 20, chargePoints: 300, operators: 8 },
  },
  async run(context, size) {
    const { random, violation } = context
    const ledger = openLedger(context.ledgerFile)
    context.teardown(() => ledger.close())
    const flags = ['--shards', '2', '--flap-connects-per-minute', '1000000']
    const ids = chargePointIds(size.chargePoints)
    let service = await context.service(flags)
    await registerAll(service, ids)
    let ending = false
    const codes = new Map<number, number>()
    const fleet = createFleet({
      chargePointIds: ids,
      service: () => service,
      random,
      ledger,
      answerWithinMs: 20_000,
      pauseMs: 10,
      observer: {
        closed(id, code, reason) {
          codes.set(code, (codes.get(code) ?? 0) + 1)
          if (!ending) violation(`${id} lost its socket before the end: ${code} ${reason}`)
          else if (code !== goingAway) violation(`${id} was closed with ${code} ${reason}`)
        },
        failed: (id, action, how) => violation(`${id}: ${action} was answered by ${how}`),
        commandRepeated: (id, commandId) => violation(`${id} was sent the command ${commandId} twice`),
      },
    })
    const operators = createOperators({
      count: size.operators,
      chargePointIds: ids,
      service: () => service,
      random,
      ledger,
      unexpected: violation,
    })
    fleet.start()
    operators.start()
    const endsMs: number[] = []
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 500, 2_000))
      ending = true
      const toldAt = performance.now()
      const how = await service.stop('SIGTERM')
      endsMs.push(performance.now() - toldAt)
      if (how !== 0) violation(`the service ended with ${how}`)
      service = await context.service(flags)
      ending = false
      context.progress(`${round} of ${size.rounds}`)
    }
    await delay(500)
    await Promise.all([fleet.stop(), operators.stop()])
    const verified = await verifyLedger({ service, entries: ledger.read(0).entries, whole: true, violation })
    const slowest = percentile(endsMs, 1)
    if (slowest > endsWithinMs) violation(`it took ${Math.round(slowest)} ms to end`)
    return {
      ends: size.rounds,
      'end p50/most ms': `${Math.round(percentile(endsMs, 0.5))} / ${Math.round(slowest)}`,
      'messages acknowledged': fleet.counts.answered,
      'transactions acknowledged': verified.transactions,
      'API answers 503 while it ended': operators.answers.get(503) ?? 0,
      'sockets closed, by code': [...codes].map(([code, count]) => `${code}: ${count}`).join(', '),
    }
  },
})
