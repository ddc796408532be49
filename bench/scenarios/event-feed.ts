// The feed at work: connectors change their status at a steady rate, and streams follow. An event is on disk before its charge
// point is answered, and with the readers soon after.

import { setTimeout as delay } from 'node:timers/promises'
import { demandClean, type Measurement, milliseconds, type Scenario } from '../scenario.js'
import { connectAll } from './closed-loop.js'

export const eventFeed: Scenario = {
  name: 'event-feed',
  title: 'Events to streams while they happen',
  subjects: ['ampshard'],
  parameters: (quick) => ({
    connections: quick ? 50 : 500,
    streams: quick ? 2 : 10,
    ratePerSecond: quick ? 100 : 2_000,
    seconds: quick ? 2 : 10,
  }),
  targets: [{ metric: 'event to reader p99', is: 'at most', value: 250 }],
  async run(bench, subject, { connections = 0, streams = 0, ratePerSecond = 0, seconds = 0 }) {
    const server = await bench.start(subject, connections)
    const [chargePoints, readers] = [bench.generator(), bench.generator()]
    await connectAll(bench, chargePoints, server, 0, connections)
    await readers.ask({ type: 'follow', url: server.process.url, key: server.key, streams })
    await chargePoints.ask({ type: 'statuses', ratePerSecond, seconds: 2 })
    await readers.ask({ type: 'mark' })
    const before = server.process.usage().cpuMs
    return bench.step(`${ratePerSecond} events a second`, seconds, async (progress) => {
      const said = chargePoints.ask({ type: 'statuses', ratePerSecond, seconds })
      for (let second = 1; second <= seconds; second++) {
        await delay(1_000)
        progress(second)
      }
      const sent = await said
      demandClean(sent, 'statuses')
      // The last of them are on their way.
      await delay(500)
      const told = await readers.ask({ type: 'mark' })
      demandClean(told, 'streams')
      const events = told.completed / streams
      if (events < sent.completed) throw new Error(`${events} of ${sent.completed} events have come to each stream`)
      const measurements: Measurement[] = [
        { metric: 'events', value: sent.completed / sent.seconds, unit: '/s' },
        { metric: 'told to streams', value: told.completed / sent.seconds, unit: '/s' },
        milliseconds('event to reader p50', told.latency.p50),
        milliseconds('event to reader p99', told.latency.p99),
        {
          metric: 'CPU per event',
          value: ((server.process.usage().cpuMs - before) * 1_000) / sent.completed,
          unit: 'us',
        },
      ]
      return measurements
    })
  },
}
