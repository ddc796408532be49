// How many transactions a second begin, and end, each durable before its answer.

import { milliseconds, type Scenario } from '../scenario.js'
import { connectAll } from './closed-loop.js'
import { measureWaves } from './waves.js'

export const startTransaction: Scenario = {
  name: 'start-transaction',
  title: 'StartTransaction and StopTransaction, waves over all connectors',
  subjects: ['ocpp-rpc', 'ampshard'],
  parameters: (quick) => ({ connections: quick ? 100 : 1_000, connectors: quick ? 4 : 10, waves: quick ? 1 : 3 }),
  targets: [{ metric: 'starts', is: 'at least', value: 5_000 }],
  async run(bench, subject, { connections = 0, connectors = 0, waves = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    await connectAll(bench, generator, server, 0, connections)
    const { starts, stops } = await measureWaves(bench, generator, server, { connectors, waves })
    return [
      { metric: 'starts', value: starts.perSecond, unit: '/s' },
      { metric: 'stops', value: stops.perSecond, unit: '/s' },
      { metric: 'CPU per start', value: starts.cpuMicroseconds, unit: 'us' },
      milliseconds('start latency p50', starts.p50),
      milliseconds('start latency p99', starts.p99),
    ]
  },
}
