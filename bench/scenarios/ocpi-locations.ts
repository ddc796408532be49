// What a page of locations costs a roaming partner of a large operator: the first, one from the middle, the last, and of those that have changed
// since a date, of which there are few, half of them, or all. And how long it takes until all of them are there.

import { createHash } from 'node:crypto'
import { everyPlaceWakeUp } from '../../src/actors/messages/ocpi-locations.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { type ChargePoint, chargePointsTable } from '../../src/records/charge-point.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { type OcpiPlace, ocpiPlacesTable } from '../../src/records/ocpi-place.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import { delay } from '../../src/runtime/delay.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Change } from '../../src/runtime/store/store.js'
import { demandClean, type Measurement, milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { ask } from '../servers/server-process.js'

const token = 'bench-token-of-a-roaming-partner'
const credential = `Token ${Buffer.from(token).toString('base64')}`
const list = '/ocpi/cpo/2.2.1/locations'
const perPage = 100
const rowsPerCommit = 4_000

async function write(store: StoreWriter, partnerId: string, count: number): Promise<void> {
  const partner = store.view().get(ocpiPartnersTable, [partnerId])
  if (partner === undefined) throw new Error(`there is no partner ${partnerId}`)
  const { organization_id } = partner
  const sha256 = createHash('sha256').update(token).digest('hex')
  const registered = { ...partner, status: 'registered', inbound_tokens: [{ sha256, used: true }] } as const
  const at = new Date().toISOString()
  const rowsOf = (number: number): Change[] => {
    const charge_point_id = `PLACE-${number}`
    const chargePoint: ChargePoint = {
      charge_point_id,
      organization_id,
      version: 1,
      name: `Charge point ${number}`,
      latitude: 52,
      longitude: 4,
      address: `Street ${number}`,
      connector_count: 2,
      max_power_kw: 22,
      created_at: at,
      updated_at: at,
    }
    const place: OcpiPlace = {
      kind: 'charge_point',
      id: charge_point_id,
      organization_id,
      version: 1,
      publish: true,
      country: 'NL',
      city: 'Utrecht',
      updated_at: at,
    }
    return [putRow(chargePointsTable, chargePoint), putRow(ocpiPlacesTable, place)]
  }
  for (let from = 0; from < count; from += rowsPerCommit / 2) {
    const numbers = Array.from({ length: Math.min(rowsPerCommit / 2, count - from) }, (_, index) => from + index)
    await commit(store, from, numbers.flatMap(rowsOf))
  }
  const wakeUp = everyPlaceWakeUp(organization_id, 'bench', { steady: Date.now }, 0)
  await commit(store, count, [putRow(ocpiPartnersTable, registered), putRow(wakeUpsTable, wakeUp)])
}

async function commit(store: StoreWriter, sequence: number, changes: readonly Change[]): Promise<void> {
  const result = await store.commit({ partition: -1, epoch: 0, sequence, changes, conditions: [] })
  if (!result.ok) throw new Error(`the places cannot be written: ${result.reason}`)
}

// biome-ignore lint/suspicious/noExplicitAny: a page as it comes
async function page({ process }: StartedServer, query: string): Promise<{ total: number; data: any[] }> {
  const response = await fetch(`${process.url}${list}?${query}`, { headers: { authorization: credential } })
  const { data, status_message } = (await response.json()) as { data: []; status_message: string }
  if (response.status !== 200) throw new Error(status_message)
  return { total: Number(response.headers.get('x-total-count')), data }
}

/** Where the next page begins, from the link to it. */
async function linked({ process }: StartedServer, query: string): Promise<string> {
  const response = await fetch(`${process.url}${list}?${query}`, { headers: { authorization: credential } })
  const [, after = ''] = /after=([^&>]+)/.exec(response.headers.get('link') ?? '') ?? []
  return after
}

/** The `last_updated` of the location so many places from the first. */
async function timeAt(server: StartedServer, offset: number): Promise<string> {
  const { data } = await page(server, `limit=1&offset=${offset}`)
  return data[0].last_updated
}

export const ocpiLocations: Scenario = {
  name: 'ocpi-locations',
  title: 'Pages of locations for roaming partners (OCPI 2.2.1)',
  subjects: ['ampshard'],
  parameters: (quick) => ({ locations: quick ? 2_000 : 100_000, repetitions: quick ? 20 : 200 }),
  targets: [
    { metric: 'first page p50', is: 'at most', value: 10 },
    { metric: 'last page p50', is: 'at most', value: 10 },
  ],
  async run(bench, subject, { locations = 0, repetitions = 0 }) {
    let partnerId = ''
    const party = { country_code: 'NL', party_id: 'BEN', business_details: { name: 'Bench' } }
    const server = await bench.start(subject, 0, {
      prepare: async (first) => {
        await ask(first, 'PUT', '/api/v1/ocpi/party', party)
        partnerId = String((await ask(first, 'POST', '/api/v1/ocpi/partners', { name: 'Bench' })).id)
      },
      write: (store) => write(store, partnerId, locations),
    })
    const from = performance.now()
    await bench.step('locations', locations, async (progress) => {
      for (let total = 0; total < locations; progress(total)) {
        await delay(100)
        total = (await page(server, 'limit=1')).total
      }
    })
    const measurements: Measurement[] = [
      { metric: 'until all are there', value: (performance.now() - from) / 1_000, unit: 's' },
    ]
    const half = `date_from=${await timeAt(server, Math.floor(locations / 2))}`
    const pages = [
      ['first page', ''],
      ['middle page', `offset=${Math.floor(locations / 2)}`],
      ['last page', `offset=${locations - perPage}`],
      ['changed: few', `date_from=${await timeAt(server, locations - perPage)}`],
      ['changed: half', half],
      ['changed: half, next page', `${half}&after=${await linked(server, `${half}&limit=${perPage}`)}`],
      ['changed: all', 'date_from=2020-01-01T00:00:00Z'],
    ] as const
    const generator = bench.generator()
    for (const [metric, query] of pages) {
      const path = `${list}?limit=${perPage}&${query}`
      const request = { type: 'get', url: server.process.url, key: credential, path } as const
      demandClean(await generator.ask({ ...request, repetitions: 10 }), metric)
      const report = await bench.step(metric, repetitions, (progress) =>
        generator.ask({ ...request, repetitions }, progress),
      )
      demandClean(report, metric)
      measurements.push(milliseconds(`${metric} p50`, report.latency.p50))
      measurements.push(milliseconds(`${metric} p99`, report.latency.p99))
    }
    return measurements
  },
}
