// How many sessions a second end and are priced, in the commit that ends them: under a tariff of four components and five billing
// rules, with sixty meter values each. Waves as of start-transaction; the first only warms up.

import { demandClean, type Measurement, milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { connectAll } from './closed-loop.js'

const tariff = {
  name: 'Bench',
  currency: 'EUR',
  components: [
    { type: 'energy', price: 0.39, step_size: 100 },
    { type: 'time', price: 0.6, step_size: 60 },
    { type: 'idle', price: 4.5, step_size: 60, grace_minutes: 10 },
    { type: 'flat', price: 0.5 },
  ],
  tax_percentage: 21,
}

/** Each looks at something else and changes the cost a little. */
const rules = [1, 2, 3, 4, 5].map((priority) => ({
  name: `Rule ${priority}`,
  priority,
  conditions: [
    { field: 'energy_kwh', operator: 'gt', value: 0.01 },
    { field: 'connector_id', operator: 'between', value: [1, 100] },
  ],
  actions: [{ type: priority % 2 === 0 ? 'surcharge_percent' : 'discount_percent', value: priority }],
}))

async function ask(
  server: StartedServer,
  method: string,
  path: string,
  body: object,
): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
  const response = await fetch(server.process.url + path, { method, headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as Record<string, unknown>
}

async function sellAtTariff(server: StartedServer, chargePoints: number): Promise<void> {
  const { tariff_id } = await ask(server, 'POST', '/api/v1/billing/tariffs', tariff)
  for (const rule of rules) await ask(server, 'POST', '/api/v1/billing/rules', rule)
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
    const sum = { completed: 0, seconds: 0, cpuMs: 0, p50: 0, p99: 0 }
    await bench.step('sessions', waves + 1, async (progress) => {
      for (let wave = 0; wave <= waves; wave++) {
        demandClean(await generator.ask({ type: 'transactions', phase: 'start', connectors }), 'starting')
        demandClean(await generator.ask({ type: 'transactions', phase: 'meter', connectors, samples }), 'metering')
        const before = server.process.usage().cpuMs
        const stopped = await generator.ask({ type: 'transactions', phase: 'stop', connectors })
        const cpuMs = server.process.usage().cpuMs - before
        demandClean(stopped, 'stopping')
        progress(wave + 1)
        if (wave === 0) continue
        sum.completed += stopped.completed
        sum.seconds += stopped.seconds
        sum.cpuMs += cpuMs
        sum.p50 = Math.max(sum.p50, stopped.latency.p50)
        sum.p99 = Math.max(sum.p99, stopped.latency.p99)
      }
    })
    const measurements: Measurement[] = [
      { metric: 'sessions closed and priced', value: sum.completed / sum.seconds, unit: '/s' },
      { metric: 'CPU per close', value: (sum.cpuMs * 1000) / sum.completed, unit: 'us' },
      milliseconds('stop latency p50', sum.p50),
      milliseconds('stop latency p99', sum.p99),
    ]
    return measurements
  },
}
