// What webhooks cost and how soon they come: a hundred endpoints of one organization at a steady rate of events, with all of them
// healthy, and again with one more that never answers. The two take turns, so that both meet the same machine.

import { setTimeout as delay } from 'node:timers/promises'
import type { Generator } from '../generator/generator.js'
import type { GeneratorReport } from '../generator/protocol.js'
import { hangingPath } from '../generator/receiver.js'
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

interface Run {
  readonly report: GeneratorReport
  readonly cpuMs: number
}

const endpointsPath = '/api/v1/webhooks/endpoints'

async function addEndpoint(server: StartedServer, url: string): Promise<string> {
  const { id } = await ask(server, 'POST', endpointsPath, { url, events: ['charge_point.status_changed'] })
  return String(id)
}

async function measureDeliveries(
  bench: Bench,
  label: string,
  server: StartedServer,
  { chargePoints, receiver }: { readonly chargePoints: Generator; readonly receiver: Generator },
  { ratePerSecond, seconds, endpoints }: Readonly<Record<'ratePerSecond' | 'seconds' | 'endpoints', number>>,
): Promise<Run> {
  const expected = ratePerSecond * seconds * endpoints
  return bench.step(label, seconds, async (progress) => {
    await receiver.ask({ type: 'mark' })
    const before = server.process.usage().cpuMs
    const said = chargePoints.ask({ type: 'statuses', ratePerSecond, seconds })
    for (let second = 1; second <= seconds; second++) {
      await delay(1_000)
      progress(second)
    }
    demandClean(await said, 'statuses')
    // What has not come by now has not come at this rate.
    await delay(1_000)
    const report = await receiver.ask({ type: 'mark' })
    if (report.completed < expected * 0.98)
      throw new Error(`${label}: ${report.completed} of ${expected} deliveries have come in time`)
    return { report, cpuMs: server.process.usage().cpuMs - before }
  })
}

const mean = (runs: readonly Run[], of: (run: Run) => number): number =>
  runs.reduce((sum, run) => sum + of(run), 0) / runs.length

export const webhooks: Scenario = {
  name: 'webhooks',
  title: 'Webhook deliveries, with and without an endpoint that hangs',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    connections: 50,
    endpoints: quick ? 20 : 99,
    ratePerSecond: quick ? 10 : 21,
    seconds: quick ? 2 : 10,
    turns: quick ? 1 : 3,
  }),
  targets: [
    { metric: 'deliveries', is: 'at least', value: 2_000 },
    { metric: 'event to receiver p99', is: 'at most', value: 100 },
    { metric: 'p99 beside one that hangs, of without', is: 'at most', value: 1.1 },
  ],
  async run(bench, subject, { connections = 0, endpoints = 0, ratePerSecond = 0, seconds = 0, turns = 0 }) {
    const server = await bench.start(subject, connections)
    const generators = { chargePoints: bench.generator(), receiver: bench.generator() }
    const port = await freePort()
    const receiverUrl = `http://127.0.0.1:${port}`
    await generators.receiver.ask({ type: 'receive', port })
    await connectAll(bench, generators.chargePoints, server, 0, connections)
    await bench.step('endpoints', endpoints, async (progress) => {
      for (let number = 0; number < endpoints; number++) {
        await addEndpoint(server, `${receiverUrl}/${number}`)
        progress(number + 1)
      }
    })
    const sizes = { ratePerSecond, endpoints }
    const run = (label: string, forSeconds: number): Promise<Run> =>
      measureDeliveries(bench, label, server, generators, { ...sizes, seconds: forSeconds })
    await run('warming up', 5)
    const healthy: Run[] = []
    const besideHanging: Run[] = []
    for (let turn = 1; turn <= turns; turn++) {
      healthy.push(await run(`all healthy, ${turn}`, seconds))
      const hanging = await addEndpoint(server, receiverUrl + hangingPath)
      besideHanging.push(await run(`one hangs, ${turn}`, seconds))
      await ask(server, 'DELETE', `${endpointsPath}/${hanging}`)
    }
    const p99 = mean(healthy, ({ report }) => report.latency.p99)
    const measurements: Measurement[] = [
      { metric: 'deliveries', value: mean(healthy, ({ report }) => report.completed / seconds), unit: '/s' },
      {
        metric: 'CPU per delivery',
        value: mean(healthy, (one) => (one.cpuMs * 1_000) / one.report.completed),
        unit: 'us',
      },
      milliseconds(
        'event to receiver p50',
        mean(healthy, ({ report }) => report.latency.p50),
      ),
      milliseconds('event to receiver p99', p99),
      milliseconds(
        'p99 beside one that hangs',
        mean(besideHanging, ({ report }) => report.latency.p99),
      ),
      {
        metric: 'p99 beside one that hangs, of without',
        value: mean(besideHanging, ({ report }) => report.latency.p99) / p99,
        unit: 'x',
      },
    ]
    return measurements
  },
}
