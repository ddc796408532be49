// Envelopes between threads: each is handled once, and by the owner that it was sent to.

import { MessageChannel } from 'node:worker_threads'
import { test } from 'tap'
import type { ActorDefinition } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import type { Envelope } from '../../src/runtime/actor/transport.js'
import { linkThreads, until } from './linked-threads.js'

const teller: ActorDefinition<null, { readonly word: string }> = {
  kind: 'counter',
  load: () => null,
  handle: (_state, { word }) => [{ type: 'frame', connection: 16, text: word }],
  idle: () => true,
}
const to = { kind: 'counter', id: 'a' }
const partition = partitionOf('counter/a')
/** The first assignment of a partition has this epoch. */
const epoch = 1

test('envelopes - one that comes twice is handled once, one for an earlier owner not at all', async (t) => {
  const linked = linkThreads(t, [teller] as unknown as readonly AnyActorDefinition[])
  linked.start(0)
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  linked.shard(0).connectShard(1, port2)
  const envelope = (id: number, word: string, ofEpoch = epoch): Envelope => ({
    id,
    to,
    message: { word },
    partition,
    epoch: ofEpoch,
  })
  port1.postMessage({ envelopes: [envelope(1, 'first'), envelope(1, 'first')] })
  port1.postMessage({ envelopes: [envelope(1, 'first'), envelope(2, 'stale', epoch - 1), envelope(3, 'last')] })
  await until(() => linked.sockets.includes('16 last'))
  t.same(linked.sockets, ['16 first', '16 last'])
})

test('envelopes - whoever asks by an earlier epoch of the partition hears at once that the question was lost', async (t) => {
  const linked = linkThreads(t, [teller] as unknown as readonly AnyActorDefinition[])
  linked.start(0)
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  linked.shard(0).connectShard(1, port2)
  const replyTo = { front: 0, ask: 5 }
  const stale: Envelope = { id: 1, to, message: { word: 'stale' }, partition, epoch: epoch - 1, replyTo }
  port1.postMessage({ envelopes: [stale] })
  await until(() => linked.replies.length > 0)
  t.match(linked.replies, [{ to: { ask: 5 }, outcome: { ok: false, interrupted: true } }])
  t.same(linked.sockets, [], 'and it is not handled')
})
