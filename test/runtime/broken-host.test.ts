// What a shard does where a rule of its own is broken: within a turn the turn fails, as by any error; outside of one the shard ends, and
// is replaced.

import { EventEmitter } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { type Test, test } from 'tap'
import type { Effect } from '../../src/runtime/actor/actor.js'
import { createActorHost } from '../../src/runtime/actor/actor-host.js'
import { createTimers } from '../../src/runtime/actor/timers.js'
import { createIdMaker } from '../../src/runtime/ids.js'
import { createFrontTransport } from '../../src/runtime/link/front-transport.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import type { CommitResult } from '../../src/runtime/store/store.js'
import { createFakeClock } from '../support/fake-clock.js'
import { linkThreads } from './linked-threads.js'
import {
  add,
  anyPartition,
  asker,
  createStage,
  frame,
  put,
  type Script,
  scriptedActor,
  scriptedTables,
  silent,
  tellCount,
} from './scripted-actors.js'

const neverDue: Script = () => [
  put('a', 99),
  { type: 'schedule', key: 'soon', at: Number.NaN, message: 'never' } satisfies Effect,
]

test('broken host - a timer that would never fire fails its turn: nothing of it is kept, and its asker is told', async (t) => {
  const { play, flush, out, count } = createStage()
  play('a', add)
  await flush()
  play('a', neverDue, asker(3))
  play('a', tellCount)
  await flush()
  t.same(out, ['frame 1 a is 1', 'reply 3 "internal_error"', 'frame 1 a has 1'])
  t.equal(count('a'), 1)
})

test('broken host - a commit that is answered twice ends the shard; what waited for it left once', (t) => {
  const out: string[] = []
  const answeredTwice = {
    // biome-ignore lint/suspicious/noThenProperty: a promise that is broken, as no real one can be
    then(settled: (result: CommitResult) => void) {
      settled({ ok: true })
      settled({ ok: true })
    },
  }
  const host = createActorHost({
    definitions: [scriptedActor()],
    partitions: anyPartition,
    store: { view: openMemoryStore(scriptedTables).view, commit: () => answeredTwice as Promise<CommitResult> },
    clock: createFakeClock(),
    random: Math.random,
    log: silent,
    passivateAfterMs: 1,
    ports: {
      send: () => {},
      reply: () => {},
      frame: (_connection, text) => out.push(text),
      close: () => {},
      done: () => {},
      runJob: () => Promise.resolve({ ok: false, message: '' }),
      connectionOf: () => undefined,
      again: () => {},
    },
  })
  const once: Script = () => [put('a', 1), frame('on disk')]
  host.deliver({ kind: 'counter', id: 'a' }, { message: once })
  t.throws(() => host.run(), { message: /a commit is answered once \(found counter\/a\)/ })
  t.same(out, ['on disk'])
  t.end()
})

test('broken host - a shard that would acknowledge more than has come ends', (t) => {
  const linked = linkThreads(t, [scriptedActor()])
  linked.start(0)
  const shard = linked.shard(0)
  const nothing: Script = () => []
  shard.host.deliver({ kind: 'counter', id: 'a' }, { message: nothing, ticket: 16 })
  t.throws(() => shard.turn(), { message: /no more is acknowledged than has come \(found 16\)/ })
  t.end()
})

function frontWith(t: Test) {
  const sent: unknown[] = []
  const transport = createFrontTransport({
    front: 0,
    shards: 1,
    partitions: anyPartition,
    clock: createFakeClock(),
    sockets: () => [],
    events: { frame: () => {}, close: () => {}, reply: () => {}, ping: () => undefined, shardLost: () => {} },
  })
  const connect = (): EventEmitter => {
    const port = Object.assign(new EventEmitter(), { postMessage: (batch: unknown) => sent.push(batch), close() {} })
    transport.connectShard(0, port as unknown as MessagePort)
    return port
  }
  t.equal(transport.unacknowledged, 0)
  return { transport, sent, connect }
}

test('front transport - what a replaced shard says late to have read does not hold back what is sent to its successor', (t) => {
  const { transport, sent, connect } = frontWith(t)
  const replaced = connect()
  transport.send({ kind: 'counter', id: 'a' }, 'first')
  transport.flush()
  connect()
  replaced.emit('message', { read: 1 })
  transport.send({ kind: 'counter', id: 'a' }, 'second')
  transport.flush()
  t.equal(sent.length, 2)
  t.end()
})

test('timers - one that would fire out of order stops the shard instead', (t) => {
  const clock = createFakeClock()
  const timers = createTimers<string>(clock)
  const begun = clock.monotonic()
  timers.schedule(begun + 1, 'first')
  const second = timers.schedule(begun + 2, 'second')
  ;(second as { at: number }).at = begun - 5
  clock.advance(10)
  t.throws(() => timers.due(), { message: /timers fire when they are due, the first one first/ })
  t.throws(() => timers.schedule(Number.NaN, 'never'), { message: /a timer is due some time/ })
  t.end()
})

test('ids - a maker whose source repeats itself makes none twice', (t) => {
  const make = createIdMaker({ now: () => 1_000 }, () => 0.5)
  const ids = Array.from({ length: 100 }, () => make('cmd'))
  t.equal(new Set(ids).size, 100)
  t.same(ids, [...ids].sort())
  t.end()
})
