// The machine loses power under load: every write that no sync has completed is gone, or a random part of them. The store
// opens, and what was acknowledged is there. Killing the process alone would not show it: the kernel keeps its writes.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { chargePointIds, createFleet, registerAll } from './fleet.js'
import { openLedger } from './ledger.js'
import { createOperators } from './operators.js'
import { between, defineScenario, percentile } from './scenario.js'
import { preload } from './shims.js'
import { losePower } from './unsynced-writes.js'
import { verifyLedger } from './verify.js'

/** As long as a slow disk takes; most cuts then come while a commit is under way. */
const syncMs = 5

export const lostWrites = defineScenario({
  name: 'lost-writes',
  promise:
    'a disk that loses every write since its last completed sync loses nothing acknowledged, and the store opens',
  sizes: {
    small: { rounds: 10, chargePoints: 20, operators: 4, longestRunMs: 400 },
    full: { rounds: 200, chargePoints: 100, operators: 8, longestRunMs: 2_000 },
  },
  async run(context, size) {
    const { random, violation } = context
    const ledger = openLedger(context.ledgerFile)
    context.teardown(() => ledger.close())
    const journal = join(context.directory, 'journal')
    const data = join(context.directory, 'data')
    const flags = ['--shards', '1', '--flap-connects-per-minute', '1000000']
    const environment = {
      ...preload('disk', context.directory),
      CHAOS_DISK: data,
      CHAOS_JOURNAL: journal,
      CHAOS_SYNC_MS: String(syncMs),
    }
    let service = await context.service(flags, { environment })
    const ids = chargePointIds(size.chargePoints)
    await registerAll(service, ids)
    const fleet = createFleet({
      chargePointIds: ids,
      service: () => service,
      random,
      ledger,
      answerWithinMs: 20_000,
      pauseMs: 10,
      observer: {
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
    const lost: number[] = []
    let position = 0
    for (let round = 1; round <= size.rounds; round++) {
      await delay(between(random, 50, size.longestRunMs))
      const read = ledger.read(position)
      await service.stop('SIGKILL')
      lost.push(losePower(data, journal, random, round % 2 === 0 ? 'nothing' : 'some sectors'))
      service = await context.service(flags, { environment })
      position = read.position
      await verifyLedger({ service, entries: read.entries, whole: false, violation })
      context.progress(`lost power ${round} times, ${fleet.counts.answered} messages acknowledged`)
    }
    await delay(300)
    await Promise.all([fleet.stop(), operators.stop()])
    const verified = await verifyLedger({ service, entries: ledger.read(0).entries, whole: true, violation })
    const undone = lost.filter((writes) => writes > 0).length
    if (undone === 0) violation('no write was under way at any cut: nothing has been shown')
    return {
      'power cuts': size.rounds,
      'with writes undone': undone,
      'writes undone p50/most': `${percentile(lost, 0.5)} / ${percentile(lost, 1)}`,
      'messages acknowledged': fleet.counts.answered,
      'transactions acknowledged': verified.transactions,
      'commands acknowledged': verified.commands,
      'API writes acknowledged': verified.writes,
    }
  },
})
