// What a receipt costs to print in the job pool, one at a time, once a thread has its typeface; and what the first of a new thread costs.
// The thread that asks, as a front does, must not notice.

import { Piscina } from 'piscina'
import { priceSession } from '../../src/pricing/price-session.js'
import type { Receipt } from '../../src/records/receipt.js'
import { measureLoopDelay } from '../../src/runtime/thread/loop-delay.js'
import { type Measurement, milliseconds, type Scenario } from '../scenario.js'

const startedAt = Date.parse('2026-06-01T09:30:00Z')
const endedAt = startedAt + 2 * 3_600_000

/** Three lines, of which one is idle time. */
function exampleReceipt(): Receipt {
  const priced = priceSession(
    {
      sessionId: 'ses_01KAGW3Q3M8V7S5D6C4R2T1X0Z',
      startedAt,
      endedAt,
      energyWh: 31_284,
      samples: [],
      spans: [{ state: 'idle', from: endedAt - 1_500_000, to: endedAt }],
      idTag: '04A1B2C3D4E5F6',
      connectorId: 2,
      chargePointId: 'CP-0042',
    },
    {
      tariff_id: 'trf_1',
      name: 'Public AC 22 kW',
      currency: 'EUR',
      minor_units: 2,
      tax_percentage: 19,
      band: null,
      components: [
        { type: 'energy', price: 0.49, step_size: 1, grace_minutes: 0 },
        { type: 'idle', price: 6, step_size: 60, grace_minutes: 10 },
        { type: 'flat', price: 0.5, step_size: 1, grace_minutes: 0 },
      ],
      time_zone: 'Europe/Berlin',
    },
    [],
  )
  const { trace, ...cost } = priced
  const issuedAt = new Date(endedAt).toISOString()
  return {
    session_id: priced.session_id,
    organization_id: 'org_1',
    version: 1,
    number: 'R-000123',
    revision: 1,
    issued_at: issuedAt,
    revised_at: issuedAt,
    document: {
      seller: { name: 'Stadtwerke Müritz', country: 'DE', contact_email: 'charging@example.com' },
      place: { charge_point_id: 'CP-0042', connector_id: 2, name: 'Marktplatz', address: 'Lange Straße 12, Waren' },
      session: {
        session_id: priced.session_id,
        transaction_id: 1,
        id_tag: '04A1B2C3D4E5F6',
        started_at: new Date(startedAt).toISOString(),
        ended_at: issuedAt,
        time_zone: 'Europe/Berlin',
        energy_wh: trace.energy.measured_wh,
        estimated: false,
      },
      tariff: { name: trace.tariff.name, band: null },
      cost,
      minor_units: 2,
    },
  }
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN

export const receipts: Scenario = {
  name: 'receipts',
  title: 'Receipts printed in the job pool',
  subjects: ['ampshard'],
  parameters: (quick) => ({ receipts: quick ? 50 : 500 }),
  targets: [{ metric: 'receipt p50', is: 'at most', value: 30 }],
  async run(bench, _subject, { receipts: count = 0 }) {
    const filename = new URL('../../src/process/job-thread.js', import.meta.url).href
    const pool = new Piscina({ filename, name: 'runJob', minThreads: 0, maxThreads: 1, idleTimeout: 60_000 })
    const task = { job: 'receipt-pdf', input: exampleReceipt(), settings: {} }
    const timed = async (): Promise<number> => {
      const before = performance.now()
      await pool.run(task)
      return performance.now() - before
    }
    try {
      const first = await timed()
      for (let warm = 0; warm < 20; warm++) await timed()
      const loopDelay = measureLoopDelay()
      loopDelay()
      const times = await bench.step('receipts', count, async (progress) => {
        const measured: number[] = []
        for (let done = 0; done < count; done++) {
          measured.push(await timed())
          progress(done + 1)
        }
        return measured.sort((a, b) => a - b)
      })
      const measurements: Measurement[] = [
        milliseconds('first of a thread', first),
        milliseconds('receipt p50', share(times, 0.5)),
        milliseconds('receipt p99', share(times, 0.99)),
        milliseconds('loop delay of who asks', loopDelay()),
      ]
      return measurements
    } finally {
      await pool.destroy()
    }
  },
}
