// An operator's commands, from the API to the charge point and back: latency at a steady rate, the rate that holds,
// and bulk commands. Two generator processes: one plays the charge points, one the operator.

import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'
import { connectAll } from './closed-loop.js'

const bulkTargets = 100

export const commands: Scenario = {
  name: 'commands',
  title: 'Operator commands, API to charge point to API',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    // Enough that bulk commands one after the other stay below ten a second for each charge point.
    connections: quick ? 400 : 2_000,
    steadyRate: quick ? 100 : 500,
    sustainedRate: quick ? 500 : 3_000,
    seconds: quick ? 3 : 20,
    bulkRepetitions: quick ? 5 : 100,
  }),
  targets: [
    { metric: 'steady p50', is: 'at most', value: 2 },
    { metric: 'steady p99', is: 'at most', value: 15 },
    { metric: 'sustained', is: 'at least', value: 2_970 },
    { metric: 'bulk of 100 p99', is: 'at most', value: 25 },
  ],
  async run(bench, subject, parameters) {
    const { connections = 0, steadyRate = 0, sustainedRate = 0, seconds = 0, bulkRepetitions = 0 } = parameters
    const server = await bench.start(subject, connections)
    const chargePoints = bench.generator()
    const operator = bench.generator()
    await connectAll(bench, chargePoints, server, 0, connections)
    const chargePointIds = Array.from({ length: connections }, (_, number) => `${server.prefix}${number}`)
    const common = { url: server.process.url, key: server.key, chargePointIds }

    const send = (label: string, ratePerSecond: number, forSeconds: number, connectionCount: number) =>
      bench.step(label, ratePerSecond * forSeconds, async (progress) => {
        const request = {
          type: 'commands',
          ...common,
          ratePerSecond,
          seconds: forSeconds,
          connections: connectionCount,
        } as const
        const report = await operator.ask(request, progress)
        demandClean(report, label)
        return report
      })

    await send('warming up', steadyRate, 2, 64)
    const steady = await send(`${steadyRate} commands/s`, steadyRate, seconds, 64)
    const sustained = await send(`${sustainedRate} commands/s`, sustainedRate, seconds, 512)
    const bulk = await bench.step(`bulk commands of ${bulkTargets}`, bulkRepetitions, (progress) =>
      operator.ask({ type: 'bulk', ...common, targets: bulkTargets, repetitions: bulkRepetitions }, progress),
    )
    demandClean(bulk, 'bulk commands')
    const measurements: Measurement[] = [
      milliseconds('steady p50', steady.latency.p50),
      milliseconds('steady p99', steady.latency.p99),
      { metric: 'sustained', value: sustained.completed / sustained.seconds, unit: '/s' },
      milliseconds('sustained p50', sustained.latency.p50),
      milliseconds('sustained p99', sustained.latency.p99),
      milliseconds('bulk of 100 p50', bulk.latency.p50),
      milliseconds('bulk of 100 p99', bulk.latency.p99),
    ]
    return measurements
  },
}
