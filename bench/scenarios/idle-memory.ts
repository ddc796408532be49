// What a connected charge point that says nothing costs in memory, above a server that knows it but is empty.

import { setTimeout as delay } from 'node:timers/promises'
import type { Scenario } from '../scenario.js'
import { connectAll } from './closed-loop.js'

export const idleMemory: Scenario = {
  name: 'idle-memory',
  title: 'Memory of booted, idle connections',
  subjects: ['floor', 'ocpp-rpc', 'ampshard'],
  // Idle actors leave memory after half a minute, and the heaps shrink some time after that.
  parameters: (quick) => ({ connections: quick ? 1_000 : 15_000, settleSeconds: quick ? 2 : 60 }),
  targets: [{ metric: 'memory per connection', is: 'at most', value: 6 }],
  async run(bench, subject, { connections = 0, settleSeconds = 0 }) {
    const server = await bench.start(subject, connections)
    const generator = bench.generator()
    await delay(2_000)
    const empty = server.process.usage()
    await connectAll(bench, generator, server, 0, connections)
    await bench.step('letting it settle', settleSeconds, async (progress) => {
      for (let second = 1; second <= settleSeconds; second++) {
        await delay(1_000)
        progress(second)
      }
    })
    const full = server.process.usage()
    return [
      { metric: 'memory per connection', value: (full.rssKiB - empty.rssKiB) / connections, unit: 'KiB' },
      { metric: 'anonymous per connection', value: (full.rssAnonKiB - empty.rssAnonKiB) / connections, unit: 'KiB' },
      { metric: 'empty server', value: empty.rssKiB / 1024, unit: 'MiB' },
      { metric: 'full server', value: full.rssKiB / 1024, unit: 'MiB' },
      { metric: 'full server, mapped files', value: full.rssFileKiB / 1024, unit: 'MiB' },
    ]
  },
}
