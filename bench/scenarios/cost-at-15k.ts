// Whether a message costs more because many others are connected: the same active charge points, alone and in a crowd.

import type { Scenario } from '../scenario.js'
import { connectAll, measureConversation } from './closed-loop.js'

export const costAt15k: Scenario = {
  name: 'cost-at-15k',
  title: 'Heartbeat cost with 15,000 connections, compared with only the active ones',
  subjects: ['floor', 'ocpp-rpc', 'ampshard'],
  parameters: (quick) => ({
    connections: quick ? 1_000 : 15_000,
    active: quick ? 100 : 500,
    seconds: quick ? 2 : 10,
  }),
  targets: [{ metric: 'ratio', is: 'at most', value: 1.15 }],
  async run(bench, subject, { connections = 0, active = 0, seconds = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    const talk = { conversation: 'heartbeat', active, seconds } as const
    await connectAll(bench, generator, server, 0, active)
    const alone = await measureConversation(bench, generator, server, talk)
    await connectAll(bench, generator, server, active, connections - active)
    const crowded = await measureConversation(bench, generator, server, talk)
    return [
      { metric: 'CPU per round trip, alone', value: alone.cpuMicrosecondsPerRoundTrip, unit: 'us' },
      { metric: 'CPU per round trip, crowded', value: crowded.cpuMicrosecondsPerRoundTrip, unit: 'us' },
      {
        metric: 'ratio',
        value: crowded.cpuMicrosecondsPerRoundTrip / alone.cpuMicrosecondsPerRoundTrip,
        unit: 'x',
      },
      { metric: 'round trips, crowded', value: crowded.report.completed / crowded.report.seconds, unit: '/s' },
    ]
  },
}
