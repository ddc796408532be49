// What it takes to tell roaming partners (OCPI 2.2.1) of what happens, and how soon they know: sessions of the drivers of twenty partners at a steady
// rate, with all of them healthy, and again while one never answers; and the status of connectors to a partner.

import { setTimeout as delay } from 'node:timers/promises'
import { everyPlaceWakeUp } from '../../src/actors/messages/ocpi-locations.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { ocpiPlacesTable } from '../../src/records/ocpi-place.js'
import { ocpiTokensTable } from '../../src/records/ocpi-token.js'
import { installationTable } from '../../src/records/organization.js'
import { tariffAssignmentsTable } from '../../src/records/tariff.js'
import { wakeUpsTable } from '../../src/runtime/actor/wake-ups.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import type { Change } from '../../src/runtime/store/store.js'
import type { Generator } from '../generator/generator.js'
import type { GeneratorReport, RoamingPhase } from '../generator/protocol.js'
import {
  type Bench,
  demandClean,
  type Measurement,
  milliseconds,
  type Scenario,
  type StartedServer,
} from '../scenario.js'
import { ask, freePort } from '../servers/server-process.js'
import { connectAll } from './closed-loop.js'
import { partnerRow, type RoamingEndpoint, tokenRow } from './roaming-rows.js'
import { typicalComponents } from './typical-tariff.js'

interface Run {
  readonly report: GeneratorReport
  readonly cpuMs: number
  /** Said less heard: of the last partner, and of what was overtaken. */
  readonly said: number
}

const modules = ['sessions', 'cdrs', 'tariffs'] as const
/** The one that is told of statuses: every session is also a change of one. */
const withLocations = 0
interface Prepared {
  readonly chargePointIds: readonly string[]
  readonly tariffId: string
  readonly partners: number
  readonly port: number
}

async function write(store: StoreWriter, { chargePointIds, tariffId, partners, port }: Prepared): Promise<void> {
  const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id
  if (organizationId === undefined) throw new Error('the installation has no organization')
  const at = new Date().toISOString()
  const sold = chargePointIds.map((charge_point_id) =>
    putRow(tariffAssignmentsTable, {
      charge_point_id,
      organization_id: organizationId,
      version: 1,
      tariff_id: tariffId,
      assigned_at: at,
    }),
  )
  const places = chargePointIds.map((id) =>
    putRow(ocpiPlacesTable, {
      kind: 'charge_point',
      id,
      organization_id: organizationId,
      version: 1,
      publish: true,
      country: 'NL',
      city: 'Utrecht',
      updated_at: at,
    }),
  )
  const known = Array.from({ length: partners }, (_, number) => number).flatMap((number) => [
    putRow(ocpiPartnersTable, partnerRow(organizationId, number, port, at, endpointsOf(number))),
    putRow(ocpiTokensTable, tokenRow(organizationId, number, at)),
  ])
  const wakeUp = putRow(wakeUpsTable, everyPlaceWakeUp(organizationId, 'bench', { steady: Date.now }, 0))
  await commit(store, 0, [...places, ...sold])
  await commit(store, 1, [...known, wakeUp])
}

async function commit(store: StoreWriter, sequence: number, changes: readonly Change[]): Promise<void> {
  const result = await store.commit({ partition: -1, epoch: 0, sequence, changes, conditions: [] })
  if (!result.ok) throw new Error(`the partners cannot be written: ${result.reason}`)
}

const endpointsOf = (number: number): readonly RoamingEndpoint[] =>
  (number === withLocations ? ['locations', ...modules] : modules).map((identifier) => ({
    identifier,
    role: 'RECEIVER',
  }))

/** What a partner has not been told by then has not come at this rate. */
const patienceMs = 3_000

export const ocpiPush: Scenario = {
  name: 'ocpi-push',
  title: 'Pushes to roaming partners (OCPI 2.2.1), with and without one that hangs',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    partners: quick ? 4 : 20,
    chargePoints: quick ? 50 : 2_000,
    connectors: quick ? 4 : 10,
    updatesPerSecond: quick ? 50 : 1_000,
    statusesPerMinute: quick ? 600 : 5_000,
    seconds: quick ? 2 : 10,
    turns: quick ? 1 : 2,
  }),
  targets: [
    { metric: 'session updates told', is: 'at least', value: 990 },
    { metric: 'p99 beside one that hangs, of without', is: 'at most', value: 1.1 },
    { metric: 'status to partner p99', is: 'at most', value: 2_000 },
  ],
  async run(bench, subject, sizes) {
    const {
      partners = 0,
      chargePoints = 0,
      connectors = 0,
      updatesPerSecond = 0,
      statusesPerMinute = 0,
      seconds = 0,
      turns = 0,
    } = sizes
    const port = await freePort()
    let [prefix, tariffId] = ['', '']
    const party = { country_code: 'NL', party_id: 'BEN', business_details: { name: 'Bench' } }
    const server = await bench.start(subject, chargePoints, {
      connectors,
      prepare: async (first) => {
        prefix = first.prefix
        await ask(first, 'PUT', '/api/v1/ocpi/party', party)
        const tariff = { name: 'Bench', currency: 'EUR', components: typicalComponents, tax_percentage: 21 }
        tariffId = String((await ask(first, 'POST', '/api/v1/billing/tariffs', tariff)).tariff_id)
      },
      write: (store) => {
        const chargePointIds = Array.from({ length: chargePoints }, (_, number) => `${prefix}${number}`)
        return write(store, { chargePointIds, tariffId, partners, port })
      },
    })
    const generator = bench.generator()
    await generator.ask({ type: 'receive-pushes', port, partners })
    await connectAll(bench, generator, server, 0, chargePoints)
    const roam = (
      label: string,
      what: RoamingPhase,
      ratePerSecond: number,
      from: number,
      count: number,
    ): Promise<Run> =>
      measureRoaming(bench, label, { server, generator }, { what, ratePerSecond, from, count, connectors, partners })

    const perSecond = statusesPerMinute / 60
    const changes = Math.ceil(perSecond * seconds)
    await roam('statuses, warming up', 'status', perSecond, 0, changes)
    const statuses = await roam('statuses', 'status', perSecond, changes, 2 * changes)
    const updates = updatesPerSecond * seconds
    const begun = await roam('sessions begin', 'start', updatesPerSecond / 4, 0, 2 * updates)
    await roam('sessions go on, warming up', 'meter', updatesPerSecond, 0, 2 * updates)
    const healthy: Run[] = []
    const besideHanging: Run[] = []
    for (let turn = 1; turn <= turns; turn++) {
      // What has been told of a session is told anew after a minute.
      await bench.step('a minute', 60, () => delay(60_000))
      healthy.push(await roam(`sessions go on, all healthy, ${turn}`, 'meter', updatesPerSecond, 0, updates))
      await generator.ask({ type: 'hang', hangs: true })
      besideHanging.push(await roam(`sessions go on, one hangs, ${turn}`, 'meter', updatesPerSecond, updates, updates))
      await generator.ask({ type: 'hang', hangs: false })
    }
    const p99 = mean(healthy, ({ report }) => report.latency.p99)
    const beside = mean(besideHanging, ({ report }) => report.latency.p99)
    const others = (partners - 1) / partners
    const measurements: Measurement[] = [
      {
        metric: 'session updates told',
        value: mean(
          [...healthy, ...besideHanging],
          ({ report, said }) => (report.completed / (said * others)) * updatesPerSecond,
        ),
        unit: '/s',
      },
      { metric: 'CPU per update', value: mean(healthy, ({ cpuMs, said }) => (cpuMs * 1_000) / said), unit: 'us' },
      milliseconds('session to partner p99, at its start', begun.report.latency.p99),
      milliseconds(
        'update to partner p50',
        mean(healthy, ({ report }) => report.latency.p50),
      ),
      milliseconds('update to partner p99', p99),
      milliseconds('p99 beside one that hangs', beside),
      { metric: 'p99 beside one that hangs, of without', value: beside / p99, unit: 'x' },
      { metric: 'statuses told', value: statuses.report.completed / statuses.said, unit: 'x' },
      milliseconds('status to partner p50', statuses.report.latency.p50),
      milliseconds('status to partner p99', statuses.report.latency.p99),
    ]
    return measurements
  },
}

async function measureRoaming(
  bench: Bench,
  label: string,
  { server, generator }: { readonly server: StartedServer; readonly generator: Generator },
  asked: {
    readonly what: RoamingPhase
    readonly ratePerSecond: number
    readonly from: number
    readonly count: number
    readonly connectors: number
    readonly partners: number
  },
): Promise<Run> {
  return bench.step(label, asked.count, async (progress) => {
    await generator.ask({ type: 'mark' })
    const before = server.process.usage().cpuMs
    const report = await generator.ask({ type: 'roam', ...asked, patienceMs }, progress)
    demandClean(report, label)
    return { report, cpuMs: server.process.usage().cpuMs - before, said: asked.count }
  })
}

const mean = (runs: readonly Run[], of: (run: Run) => number): number =>
  runs.reduce((sum, run) => sum + of(run), 0) / runs.length
