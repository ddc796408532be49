// How many sessions a second end and are priced, in the commit that ends them: under a tariff of four components and five billing
// rules, with sixty meter values each. Waves as of start-transaction; the first only warms up.

import { milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { ask } from '../servers/server-process.js'
import { connectAll } from './closed-loop.js'
import { typicalComponents, typicalRules } from './typical-tariff.js'
import { measureWaves } from './waves.js'

async function sellAtTariff(server: StartedServer, chargePoints: number): Promise<void> {
  const tariff = { name: 'Bench', currency: 'EUR', components: typicalComponents, tax_percentage: 21 }
  const { tariff_id } = await ask(server, 'POST', '/api/v1/billing/tariffs', tariff)
  for (const { name, priority, conditions, actions } of typicalRules)
    await ask(server, 'POST', '/api/v1/billing/rules', { name, priority, conditions, actions })
  for (let number = 0; number < chargePoints; number++)
    await ask(server, 'PUT', `/api/v1/chargepoints/${server.prefix}${number}/tariff`, { tariff_id })
}

export const sessionCost: Scenario = {
  name: 'session-cost',
  title: 'Sessions that end and are priced',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    connections: quick ? 20 : 400,
    connectors: quick ? 2 : 10,
    waves: quick ? 1 : 3,
    samples: 60,
  }),
  targets: [{ metric: 'sessions closed and priced', is: 'at least', value: 2_000 }],
  async run(bench, subject, { connections = 0, connectors = 0, waves = 0, samples = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    await bench.step('tariff', 1, () => sellAtTariff(server, connections))
    await connectAll(bench, generator, server, 0, connections)
    const { stops } = await measureWaves(bench, generator, server, { connectors, waves, samples })
    return [
      { metric: 'sessions closed and priced', value: stops.perSecond, unit: '/s' },
      { metric: 'CPU per close', value: stops.cpuMicroseconds, unit: 'us' },
      milliseconds('stop latency p50', stops.p50),
      milliseconds('stop latency p99', stops.p99),
    ]
  },
}
