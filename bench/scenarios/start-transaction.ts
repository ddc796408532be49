// How many transactions a second begin, and end, each durable before its answer. Every charge point starts one on every
// connector, one message outstanding, then stops them all: a wave. The first wave only warms up.

import type { GeneratorReport } from '../generator/protocol.js'
import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'
import { connectAll } from './closed-loop.js'

interface Sum {
  completed: number
  seconds: number
  p50: number
  p99: number
}

function add(sum: Sum, report: GeneratorReport): void {
  sum.completed += report.completed
  sum.seconds += report.seconds
  sum.p50 = Math.max(sum.p50, report.latency.p50)
  sum.p99 = Math.max(sum.p99, report.latency.p99)
}

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
    const starts: Sum = { completed: 0, seconds: 0, p50: 0, p99: 0 }
    const stops: Sum = { completed: 0, seconds: 0, p50: 0, p99: 0 }
    let startCpuMs = 0
    await bench.step('transactions', waves + 1, async (progress) => {
      for (let wave = 0; wave <= waves; wave++) {
        const before = server.process.usage().cpuMs
        const started = await generator.ask({ type: 'transactions', phase: 'start', connectors })
        const cpuMs = server.process.usage().cpuMs - before
        const stopped = await generator.ask({ type: 'transactions', phase: 'stop', connectors })
        demandClean(started, 'starting')
        demandClean(stopped, 'stopping')
        progress(wave + 1)
        if (wave === 0) continue
        startCpuMs += cpuMs
        add(starts, started)
        add(stops, stopped)
      }
    })
    const measurements: Measurement[] = [
      { metric: 'starts', value: starts.completed / starts.seconds, unit: '/s' },
      { metric: 'stops', value: stops.completed / stops.seconds, unit: '/s' },
      { metric: 'CPU per start', value: (startCpuMs * 1000) / starts.completed, unit: 'us' },
      milliseconds('start latency p50', starts.p50),
      milliseconds('start latency p99', starts.p99),
    ]
    return measurements
  },
}
