// What a message costs when nothing has to be kept: heartbeats, one outstanding on each connection.

import { closedLoopMeasurements, type Scenario } from '../scenario.js'
import { connectAll, measureConversation } from './closed-loop.js'

export const heartbeat: Scenario = {
  name: 'heartbeat',
  title: 'Heartbeats, closed loop',
  subjects: ['floor', 'ocpp-rpc', 'ampshard'],
  parameters: (quick) => ({ connections: quick ? 100 : 500, seconds: quick ? 2 : 10 }),
  targets: [
    { metric: 'CPU per round trip', is: 'at most', value: 1.6, timesSubject: 'floor' },
    { metric: 'CPU per round trip', is: 'at most', value: 1, timesSubject: 'ocpp-rpc' },
  ],
  async run(bench, subject, { connections = 0, seconds = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    await connectAll(bench, generator, server, 0, connections)
    const measured = await measureConversation(bench, generator, server, {
      conversation: 'heartbeat',
      active: connections,
      seconds,
    })
    return closedLoopMeasurements(measured)
  },
}
