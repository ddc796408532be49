// The front's transport over message ports, by the contract of any transport.

import { MessageChannel } from 'node:worker_threads'
import { addressKey, partitionOf, sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import type { Envelope } from '../../src/runtime/actor/transport.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createFrontTransport } from '../../src/runtime/link/front-transport.js'
import { inbound, outbound, type ThreadBatch } from '../../src/runtime/link/wire.js'
import { transportContract } from '../contract/transport.js'
import { until } from './linked-threads.js'

transportContract('front transport', (t) => {
  const partitions = sharedPartitionTable()
  const transport = createFrontTransport({
    front: 0,
    shards: 2,
    partitions,
    clock: systemClock,
    sockets: () => [],
    events: { frame() {}, close() {}, reply() {}, ping() {}, shardLost() {} },
  })
  const batches = [0, 1].map((shard) => {
    const { port1, port2 } = new MessageChannel()
    const taken: (readonly Envelope[])[] = []
    port2.on('message', ({ envelopes, socketItems }: ThreadBatch) => {
      if (envelopes !== undefined) taken.push(envelopes)
      const echo = socketItems?.includes(inbound.echo) === true
      port2.postMessage({ read: 1, ...(echo && { socketItems: [outbound.echo] }) } satisfies ThreadBatch)
    })
    transport.connectShard(shard, port1)
    t.teardown(() => port1.close())
    return taken
  })
  return {
    transport,
    owners: [0, 1],
    async assign(to, owner) {
      const partition = partitionOf(addressKey(to))
      const epoch = partitions.assign(partition, owner)
      await transport.reroute([partition])
      return epoch
    },
    async received(owner, envelopes) {
      const taken = batches[owner] as (readonly Envelope[])[]
      await until(() => taken.flat().length >= envelopes)
      return taken
    },
  }
})
