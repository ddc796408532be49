// The whole service, killed at random moments under load and started again: what it has acknowledged is there, once.

import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../support/service.js'
import { chargePointIds, createFleet, registerAll } from './fleet.js'
import { openLedger } from './ledger.js'
import { createOperators } from './operators.js'
import { between, defineScenario, percentile } from './scenario.js'
import { verifyLedger } from './verify.js'

const shardCounts = [1, 2]
export const serverKill = defineScenario({
  name: 'server-kill',
  promise: 'what was acknowledged survives SIGKILL, and nothing is there twice',
  // In continuous integration a restart shares its cores with other tests.
  sizes: {
    small: { rounds: 4, chargePoints: 30, operators: 4, longestRunMs: 1_500, restartWithinMs: 60_000 },
    full: { rounds: 200, chargePoints: 200, operators: 8, longestRunMs: 4_000, restartWithinMs: 3_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    const ledger = openLedger(context.ledgerFile)
    context.teardown(() => ledger.close())
    const ids = chargePointIds(size.chargePoints)
    const flags = (): string[] => [
      '--shards',
      String(shardCounts[between(random, 0, 1)]),
      '--flap-connects-per-minute',
      '1000000',
    ]
    let service: Service = await context.service(flags())
    await registerAll(service, ids)
    const fleet = createFleet({
      chargePointIds: ids,
      service: () => service,
      random,
      ledger,
      answerWithinMs: 20_000,
      pauseMs: 10,
      observer: {
        commandRepeated(id, commandId) {
          violation(`${id} was sent the command ${commandId} twice`)
        },
        failed(id, action, how) {
          violation(`${id}: ${action} was answered by ${how}`)
        },
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
    const restartsMs: number[] = []
    let position = 0
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 50, size.longestRunMs))
      const read = ledger.read(position)
      await service.stop('SIGKILL')
      const killedAt = performance.now()
      service = await context.service(flags())
      restartsMs.push(performance.now() - killedAt)
      // What was answered between the reading and the kill is checked in the next round.
      position = read.position
      await verifyLedger({ service, entries: read.entries, whole: false, violation })
      context.progress(`killed ${round} times, ${fleet.counts.answered} messages acknowledged`)
    }
    await delay(500)
    await Promise.all([fleet.stop(), operators.stop()])
    const verified = await verifyLedger({ service, entries: ledger.read(0).entries, whole: true, violation })
    const slowest = Math.max(...restartsMs)
    if (slowest > size.restartWithinMs) violation(`a restart took ${Math.round(slowest)} ms`)
    return {
      kills: size.rounds,
      'messages acknowledged': fleet.counts.answered,
      'transactions acknowledged': verified.transactions,
      'commands acknowledged': verified.commands,
      'API writes acknowledged': verified.writes,
      'sockets lost to kills': fleet.counts.closed,
      'answers given twice': fleet.counts.repeated,
      'restart p50 ms': Math.round(percentile(restartsMs, 0.5)),
      'restart p99 ms': Math.round(percentile(restartsMs, 0.99)),
    }
  },
})
