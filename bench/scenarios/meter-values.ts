// What a meter report costs when it is on disk before it is answered: four samples inside a running transaction.
// The other servers get the same frames and keep nothing of them.

import { closedLoopMeasurements, demandClean, type Scenario } from '../scenario.js'
import { connectAll, measureConversation } from './closed-loop.js'

export const meterValues: Scenario = {
  name: 'meter-values',
  title: 'MeterValues of four samples inside a transaction, closed loop',
  subjects: ['floor', 'ocpp-rpc', 'ampshard'],
  parameters: (quick) => ({ connections: quick ? 100 : 500, seconds: quick ? 2 : 10 }),
  targets: [{ metric: 'CPU per round trip', is: 'at most', value: 4, timesSubject: 'floor' }],
  async run(bench, subject, { connections = 0, seconds = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    await connectAll(bench, generator, server, 0, connections)
    demandClean(await generator.ask({ type: 'transactions', phase: 'start', connectors: 1 }), 'starting transactions')
    const measured = await measureConversation(bench, generator, server, {
      conversation: 'meter-values',
      active: connections,
      seconds,
    })
    return closedLoopMeasurements(measured)
  },
}
