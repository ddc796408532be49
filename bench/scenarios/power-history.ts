// What it costs to read a year of a site in buckets of a quarter of an hour, from the request to the last byte of the answer; and a day of it, which
// shows what every request costs.

import { putRow } from '../../src/api/pipeline/changes.js'
import { type PowerRollUp, powerRollUpsTable, rollUps } from '../../src/records/power-roll-up.js'
import { sitesTable } from '../../src/records/site.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import { createRandom } from '../client/random.js'
import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'
import { ask, bodyBytes } from '../servers/server-process.js'

const dayMs = 86_400_000
const rollUp = rollUps[2]
const bucketsOfDay = 96
const firstDay = Math.floor(Date.now() / dayMs) * dayMs - 365 * dayMs

/** Every bucket is known, and differs from those before. */
async function writeDays(store: StoreWriter, siteId: string, days: number): Promise<void> {
  const site = store.view().get(sitesTable, [siteId])
  if (site === undefined) throw new Error(`there is no site ${siteId}`)
  const random = createRandom(1)
  const bucket = (): readonly number[] => {
    const allocated = Math.round(random() * 400_000) / 10
    return [900_000, 50_000, Math.round(allocated), Math.round(allocated * random()), Math.floor(random() * 12)]
  }
  const changes = Array.from({ length: days }, (_, day) => {
    const starts_at = firstDay + day * dayMs
    const row: PowerRollUp = {
      organization_id: site.organization_id,
      subject_id: siteId,
      site_id: siteId,
      minutes: rollUp.minutes,
      starts_at,
      kept_until: starts_at + rollUp.rowMs + rollUp.keptMs,
      values: Array.from({ length: bucketsOfDay }, bucket).flat(),
    }
    return putRow(powerRollUpsTable, row)
  })
  const result = await store.commit({ partition: -1, epoch: 0, sequence: Date.now(), changes, conditions: [] })
  if (!result.ok) throw new Error(`the history cannot be written: ${result.reason}`)
}

export const powerHistory: Scenario = {
  name: 'power-history',
  title: 'The power history of a site, a year and a day in buckets of 15 minutes',
  subjects: ['ampshard'],
  parameters: (quick) => ({ days: quick ? 10 : 365, repetitions: quick ? 20 : 200 }),
  targets: [{ metric: 'all days p50', is: 'at most', value: 10 }],
  async run(bench, subject, { days = 0, repetitions = 0 }) {
    let siteId = ''
    const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
    const server = await bench.start(subject, 0, {
      prepare: async (first) => {
        siteId = String((await ask(first, 'POST', '/api/v1/sites', place)).site_id)
      },
      write: (store) => writeDays(store, siteId, days),
    })
    const generator = bench.generator()
    const measurements: Measurement[] = []
    for (const [metric, from] of [
      ['all days', firstDay],
      ['one day', firstDay + (days - 1) * dayMs],
    ] as const) {
      const period = `start=${new Date(from).toISOString()}&end=${new Date(firstDay + days * dayMs).toISOString()}`
      const path = `/api/v1/smart-charging/sites/${siteId}/allocation/history?${period}`
      const request = { type: 'get', url: server.process.url, key: server.key, path } as const
      const bytes = await bodyBytes(server, path)
      demandClean(await generator.ask({ ...request, repetitions: 30 }), metric)
      const before = server.process.usage().cpuMs
      const report = await bench.step(metric, repetitions, (progress) =>
        generator.ask({ ...request, repetitions }, progress),
      )
      const cpuMs = server.process.usage().cpuMs - before
      demandClean(report, metric)
      measurements.push(
        milliseconds(`${metric} p50`, report.latency.p50),
        milliseconds(`${metric} p99`, report.latency.p99),
        milliseconds(`${metric}, server CPU`, cpuMs / repetitions),
        { metric: `${metric}, answer`, value: bytes / 1024, unit: 'KiB' },
      )
    }
    return measurements
  },
}
