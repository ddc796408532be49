// The wall clock of the service is set at the end of a month: six hours back, two days ahead over the month's end, and 400 days ahead. Sessions
// end all the while, and the service starts again while the clock is wrong. Every session is on exactly one invoice, a delivery that
// failed while the clock was ahead is retried within seconds, and nothing is pruned.

import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { tables } from '../../../src/records/index.js'
import { invoiceItemsTable, invoicesTable } from '../../../src/records/invoice.js'
import { sessionCostsTable } from '../../../src/records/session-cost.js'
import { openView } from '../../../src/runtime/store/lmdb-store.js'
import { bootChargePoint } from '../../support/charge-point.js'
import { startReceiver } from '../../support/receiver.js'
import { priceEnergyAt } from '../../support/sell.js'
import type { Service } from '../../support/service.js'
import { until } from '../../support/until.js'
import { type ChaosContext, defineScenario } from '../scenario.js'
import { settableClock } from '../shims.js'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How far the clock is off, one after the other; in between it is right. */
const jumpsMs = [-6 * hourMs, 2 * dayMs, 400 * dayMs]
const id = 'CP-1'
const clockPath = '/api/v1/installation/clock'
/** The first retry of payload format b comes after five seconds. */
const retriedWithinMs = 60_000
const invoicedWithinMs = 90_000

export const clockMonths = defineScenario({
  name: 'clock-months',
  promise:
    'whatever the clock is set to, every session is on exactly one invoice, no retry sleeps and nothing is removed',
  sizes: {
    small: { rounds: 1, sessions: 2, wrongMs: 2_000 },
    full: { rounds: 2, sessions: 10, wrongMs: 75_000 },
  },
  async run(context, { rounds, sessions, wrongMs }) {
    const { violation } = context
    const { environment, now, set } = settableClock(context.directory)
    const right = endOfMonth() - Date.now()
    set(right)
    const accepted = new Set<string>()
    const receiver = await startReceiver(context, ({ json }) => {
      if (now() - Date.now() - right > dayMs) return { status: 500 }
      accepted.add(json.object.session_id)
      return { status: 200 }
    })
    const start = () => context.service(['--allow-insecure-webhooks', 'true'], { environment })
    let service = await start()
    await service.register(id)
    await priceEnergyAt(service, id, 1)
    await service.request('POST', '/api/v1/webhooks/endpoints', {
      url: receiver.url,
      events: ['session.ended'],
      payload_format: 'b',
    })
    let charged = 0
    const charge = async (): Promise<void> => {
      await chargeAt(service, sessions, now)
      charged += sessions
    }
    await charge()
    for (let round = 0; round < rounds; round++)
      for (const jumpMs of jumpsMs) {
        const entries = await auditEntries(service)
        set(right + jumpMs)
        await charge()
        // Soon after a start, the service looks for months that are over.
        await service.stop('SIGTERM')
        service = await start()
        await charge()
        await delay(wrongMs)
        const { is_confirmed } = (await service.request('GET', clockPath)).body
        if (is_confirmed !== jumpMs < 0) violation(`set by ${jumpMs} ms, the clock is confirmed: ${is_confirmed}`)
        if ((await auditEntries(service)) < entries) violation(`set by ${jumpMs} ms, the audit log has been pruned`)
        const invoices = (await service.request('GET', '/api/v1/billing/invoices')).body.total
        if (invoices !== 0) violation(`set by ${jumpMs} ms, ${invoices} months were closed that are not over`)
        set(right)
        await charge()
        await deliveredAll(accepted, charged, context)
        context.progress(`set by ${jumpMs} ms, ${charged} sessions`)
      }
    set(right + dayMs)
    await service.request('POST', `${clockPath}/confirm`)
    await service.stop('SIGTERM')
    service = await start()
    const current = service
    await until(
      async () => (await current.request('GET', '/api/v1/billing/invoices')).body.total > 0,
      invoicedWithinMs,
    ).catch(() => violation('the month is over, and has no invoice'))
    await service.stop('SIGTERM')
    const billed = await verifyBills(join(context.directory, 'data'), violation)
    if (billed !== charged) violation(`${charged} sessions have ended, ${billed} have a price`)
    return { 'clock set': rounds * jumpsMs.length, 'sessions billed': billed }
  },
})

/** Twelve hours before the end of this month, ms: a jump of two days is over it. */
function endOfMonth(): number {
  const today = new Date()
  return Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1) - dayMs / 2
}

/** Sessions that begin and end now, by a clock that the charge point takes from the service. */
async function chargeAt(service: Service, sessions: number, now: () => number): Promise<void> {
  const client = await bootChargePoint(service, id)
  const timestamp = () => new Date(now()).toISOString()
  for (let session = 0; session < sessions; session++) {
    const begin = { connectorId: 1, idTag: 'TAG-1', meterStart: 1_000 * session, timestamp: timestamp() }
    const { transactionId } = (await client.call('StartTransaction', begin)).payload
    await client.call('StopTransaction', { transactionId, meterStop: 1_000 * (session + 1), timestamp: timestamp() })
  }
  client.socket.terminate()
}

async function auditEntries(service: Service): Promise<number> {
  return (await service.request('GET', '/api/v1/org/audit-log')).body.total
}

async function deliveredAll(
  accepted: ReadonlySet<string>,
  charged: number,
  { violation }: ChaosContext,
): Promise<void> {
  await until(() => accepted.size >= charged, retriedWithinMs).catch(() =>
    violation(`${charged} sessions have ended, ${accepted.size} were delivered`),
  )
}

/** Returns how many sessions have a price. */
async function verifyBills(data: string, violation: (text: string) => void): Promise<number> {
  const view = openView(data, tables)
  const costs = view.list(sessionCostsTable, [])
  const invoices = new Set(view.list(invoicesTable, []).map(({ invoice_id }) => invoice_id))
  for (const { session_id, ended_at } of costs) {
    const items = view.listBy(invoiceItemsTable, 'bySession', [session_id])
    const billed = items.filter(({ invoice_id }) => invoices.has(invoice_id)).length
    if (billed !== 1) violation(`${session_id}, which ended at ${ended_at}, is on ${billed} invoices`)
  }
  await view.close()
  return costs.length
}
