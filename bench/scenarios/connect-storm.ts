// Everybody comes back at once: how long until the last of them is connected and booted.

import { demandClean, milliseconds, type Scenario } from '../scenario.js'

export const connectStorm: Scenario = {
  name: 'connect-storm',
  title: 'All charge points connect and boot at once',
  subjects: ['floor', 'ocpp-rpc', 'ampshard'],
  parameters: (quick) => ({ connections: quick ? 1_000 : 15_000, inFlight: 1_000 }),
  targets: [{ metric: 'wall time', is: 'at most', value: 5 }],
  async run(bench, subject, { connections = 0, inFlight = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    const before = server.process.usage()
    const report = await bench.step(`${connections} connections`, connections, (progress) =>
      generator.ask(
        { type: 'connect', url: server.process.ocppUrl, prefix: server.prefix, from: 0, count: connections, inFlight },
        progress,
      ),
    )
    demandClean(report, 'connecting')
    const cpuMs = server.process.usage().cpuMs - before.cpuMs
    return [
      { metric: 'wall time', value: report.seconds, unit: 's' },
      { metric: 'connections', value: connections / report.seconds, unit: '/s' },
      { metric: 'CPU per connection', value: (cpuMs * 1000) / connections, unit: 'us' },
      milliseconds('connect and boot p50', report.latency.p50),
      milliseconds('connect and boot p99', report.latency.p99),
      { metric: 'generator cores', value: report.cpuSeconds / report.seconds, unit: 'cores' },
    ]
  },
}
