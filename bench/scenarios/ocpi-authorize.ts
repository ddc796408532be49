// What the service adds to the time that a roaming partner takes to answer about a card (OCPI 2.2.1, 12.3.2), from the Authorize of a charge point to
// its answer.

import { putRow } from '../../src/api/pipeline/changes.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { ocpiTokensTable } from '../../src/records/ocpi-token.js'
import { installationTable } from '../../src/records/organization.js'
import type { StoreWriter } from '../../src/runtime/store/storage/store-writer.js'
import { demandClean, milliseconds, type Scenario } from '../scenario.js'
import { ask, freePort } from '../servers/server-process.js'
import { connectAll } from './closed-loop.js'
import { partnerRow, tokenRow } from './roaming-rows.js'

async function write(store: StoreWriter, port: number): Promise<void> {
  const organizationId = store.view().get(installationTable, ['installation'])?.default_organization_id
  if (organizationId === undefined) throw new Error('the installation has no organization')
  const at = new Date().toISOString()
  const changes = [
    putRow(ocpiPartnersTable, partnerRow(organizationId, 0, port, at, [{ identifier: 'tokens', role: 'SENDER' }])),
    putRow(ocpiTokensTable, { ...tokenRow(organizationId, 0, at), whitelist: 'NEVER' as const }),
  ]
  const result = await store.commit({ partition: -1, epoch: 0, sequence: 0, changes, conditions: [] })
  if (!result.ok) throw new Error(`the partner cannot be written: ${result.reason}`)
}

export const ocpiAuthorize: Scenario = {
  name: 'ocpi-authorize',
  title: 'Drivers whose roaming partner is asked each time (OCPI 2.2.1)',
  subjects: ['ampshard'],
  parameters: (quick) => ({ chargePoints: quick ? 50 : 1_000, ratePerSecond: 100, seconds: quick ? 2 : 20 }),
  targets: [{ metric: 'added to the time of the partner p99', is: 'at most', value: 5 }],
  async run(bench, subject, { chargePoints = 0, ratePerSecond = 0, seconds = 0 }) {
    const port = await freePort()
    const party = { country_code: 'NL', party_id: 'BEN', business_details: { name: 'Bench' } }
    const server = await bench.start(subject, chargePoints, {
      prepare: async (first) => {
        await ask(first, 'PUT', '/api/v1/ocpi/party', party)
      },
      write: (store) => write(store, port),
    })
    const generator = bench.generator()
    await generator.ask({ type: 'receive-pushes', port, partners: 2 })
    await connectAll(bench, generator, server, 0, chargePoints)
    const authorize = async (label: string, forSeconds: number) => {
      const before = server.process.usage().cpuMs
      const report = await bench.step(label, ratePerSecond * forSeconds, (progress) =>
        generator.ask({ type: 'authorize', ratePerSecond, seconds: forSeconds }, progress),
      )
      demandClean(report, label)
      return { report, cpuMs: server.process.usage().cpuMs - before }
    }
    await authorize('warming up', Math.max(2, seconds / 4))
    const { report, cpuMs } = await authorize('cards are shown', seconds)
    const { p50, p90, p99 } = report.latency
    return [
      milliseconds('added to the time of the partner p50', p50),
      milliseconds('added to the time of the partner p90', p90),
      milliseconds('added to the time of the partner p99', p99),
      { metric: 'CPU per question', value: (cpuMs * 1_000) / report.completed, unit: 'us' },
    ]
  },
}
