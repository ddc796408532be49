// The month of a large network, closed by the real shard over the real store: while that lasts, the shard hears of everything else.

import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import pino from 'pino'
import { type Test, test } from 'tap'
import { billing } from '../../../src/actors/billing/billing.js'
import { billingAddress } from '../../../src/actors/billing/messages.js'
import { periodAround } from '../../../src/actors/billing/periods.js'
import { tables } from '../../../src/records/index.js'
import { type Invoice, invoicesTable } from '../../../src/records/invoice.js'
import type { AnyActorDefinition } from '../../../src/runtime/actor/actor-host-ports.js'
import { sharedPartitionTable } from '../../../src/runtime/actor/partition-table.js'
import { systemClock } from '../../../src/runtime/clock.js'
import { createShard, type Shard } from '../../../src/runtime/link/shard.js'
import { connectStore } from '../../../src/runtime/link/store-client.js'
import { openView } from '../../../src/runtime/store/lmdb-store.js'
import { neverSet } from '../../support/fake-clock.js'
import { until } from '../../support/until.js'
import type { MonthStoreStart } from './month-store.js'

const organizationId = 'org_vast'
/** 450,000 is what 15,000 charge points have with a session a day, and takes minutes; what is checked does not depend on it. */
const sessions = Number(process.env.MONTH_SESSIONS ?? 150_000)
const withinMs = 280_000
/** Parts of a month between two looks at the loop, which are a millisecond apart or more: a part takes longer than that. */
const partsAtOnce = 10
/** A machine with other work takes a thread off its core at any moment: in milliseconds only what is far off is wrong. */
const heldAtWorstMs = 1_000

async function startMonthStore(t: Test) {
  const month = periodAround(periodAround(Date.now(), 'UTC').from - 1, 'UTC')
  const { port1, port2 } = new MessageChannel()
  const path = t.testdir()
  const start: MonthStoreStart = { path, organizationId, sessions, from: month.from, to: month.to, port: port2 }
  const worker = new Worker(new URL('./month-store.js', import.meta.url), { workerData: start, transferList: [port2] })
  await once(worker, 'message')
  const view = openView(path, tables)
  t.teardown(async () => {
    port1.close()
    await view.close()
    await worker.terminate()
  })
  return { view, store: connectStore(port1, view), month: month.month }
}

interface Looks {
  /** How long the event loop was away, ms, the shortest first. */
  readonly away: readonly number[]
  /** The most turns that actors had between two looks. */
  readonly mostTurns: number
}

/** Looks at the loop again and again, until the returned function is called. */
function watchLoop(shard: Shard): () => Looks {
  const away: number[] = []
  let mostTurns = 0
  let last = { at: performance.now(), turns: 0 }
  const timer = setInterval(() => {
    const now = { at: performance.now(), turns: shard.host.statistics().turns }
    away.push(now.at - last.at)
    mostTurns = Math.max(mostTurns, now.turns - last.turns)
    last = now
  }, 1)
  return () => {
    clearInterval(timer)
    return { away: away.sort((one, other) => one - other), mostTurns }
  }
}

test('billing - the month of a large network is closed while its shard goes on with everything else', async (t) => {
  const { view, store, month } = await startMonthStore(t)
  const shard = createShard({
    index: 0,
    definitions: [billing] as unknown as readonly AnyActorDefinition[],
    store,
    partitions: sharedPartitionTable(),
    clock: neverSet(systemClock),
    random: Math.random,
    log: pino({ level: 'silent' }),
    passivateAfterMs: 60_000,
    runJob: () => Promise.resolve({ ok: false, message: 'there are no jobs here' }),
  })
  const invoices = (): Invoice[] => view.listBy(invoicesTable, 'byMonth', [organizationId, month])
  const looks = watchLoop(shard)
  const startedAt = performance.now()
  shard.host.deliver(billingAddress(organizationId), { message: { type: 'close-months' } })
  shard.turn()
  const [invoice] = await until(() => (invoices().length > 0 ? invoices() : undefined), withinMs)
  const tookMs = performance.now() - startedAt
  const { away, mostTurns } = looks()
  const [p99, longest] = [0.99, 1].map((share) => away[Math.ceil(away.length * share) - 1] as number)
  t.comment(
    `closed in ${Math.round(tookMs)} ms; the loop was away for ${p99?.toFixed(1)} ms (p99), ${longest?.toFixed(1)} ms at most`,
  )
  t.match(invoice, { count: sessions, total: sessions * 6.25 })
  t.ok(mostTurns <= partsAtOnce, `${mostTurns} parts at once`)
  t.ok((longest as number) < heldAtWorstMs, `held for ${longest} ms at most`)
})
