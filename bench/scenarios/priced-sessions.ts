// How many sessions a second end and are priced: with a tariff of four components and five rules, the cost, its
// explanation and its events on disk before the StopTransaction is answered.

import { milliseconds, type Scenario, type StartedServer } from '../scenario.js'
import { connectAll } from './closed-loop.js'
import { typicalComponents, typicalRules } from './typical-tariff.js'
import { measureWaves } from './waves.js'

async function send(server: StartedServer, method: string, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${server.process.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json()
}

async function sellAtTariff(server: StartedServer, chargePoints: number): Promise<void> {
  const tariff = { name: 'Bench', currency: 'EUR', tax_percentage: 20, components: typicalComponents }
  const { tariff_id } = (await send(server, 'POST', '/api/v1/billing/tariffs', tariff)) as { tariff_id: string }
  for (const { name, priority, conditions, actions } of typicalRules)
    await send(server, 'POST', '/api/v1/billing/rules', { name, priority, conditions, actions })
  for (let number = 0; number < chargePoints; number++)
    await send(server, 'PUT', `/api/v1/chargepoints/${server.prefix}${number}/tariff`, { tariff_id })
}

export const pricedSessions: Scenario = {
  name: 'priced-sessions',
  title: 'Sessions that end and are priced, waves over all connectors',
  subjects: ['ampshard'],
  parameters: (quick) => ({ connections: quick ? 50 : 500, connectors: quick ? 4 : 10, waves: quick ? 1 : 3 }),
  targets: [{ metric: 'ended and priced', is: 'at least', value: 2_000 }],
  async run(bench, subject, { connections = 0, connectors = 0, waves = 0 }) {
    const server = await bench.start(subject, connections)
    await bench.step('tariffs and rules', 1, () => sellAtTariff(server, connections))
    const generator = bench.generator()
    await connectAll(bench, generator, server, 0, connections)
    const { stops } = await measureWaves(bench, generator, server, connectors, waves)
    return [
      { metric: 'ended and priced', value: stops.perSecond, unit: '/s' },
      { metric: 'CPU per session ended', value: stops.cpuMicroseconds, unit: 'us' },
      milliseconds('stop latency p50', stops.p50),
      milliseconds('stop latency p99', stops.p99),
    ]
  },
}
