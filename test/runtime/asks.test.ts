// Asks: every one ends exactly once, by its answer, its deadline, or the death of the shard it was sent to.

import { test } from 'tap'
import type { Address, ReplyAddress } from '../../src/runtime/actor/actor.js'
import { limits } from '../../src/runtime/limits.js'
import { createAsks, Interrupted } from '../../src/runtime/link/asks.js'
import { createFakeClock } from '../support/fake-clock.js'

interface Sent {
  readonly to: Address
  readonly message: unknown
  readonly replyTo: ReplyAddress
  readonly remainingMs: number
}

function makeAsks() {
  const clock = createFakeClock()
  const sent: Sent[] = []
  const asks = createAsks({
    front: 0,
    clock,
    transport: { send: (to, message, ask) => ask !== undefined && sent.push({ to, message, ...ask }) },
    shardOf: (to) => Number(to.id),
  })
  return { clock, sent, asks, to: (shard: number): Address => ({ kind: 'site', id: String(shard) }) }
}

test('asks - the answer ends the ask; it goes out with the time that remains and where to answer', async (t) => {
  const { asks, sent, to } = makeAsks()
  const answer = asks.ask(to(0), 'how much?', 25)
  t.match(sent, [{ message: 'how much?', remainingMs: 25, replyTo: { front: 0 } }])
  t.equal(asks.size, 1)
  asks.settle({ to: (sent[0] as Sent).replyTo, outcome: { ok: true, body: { watts: 11_000 } } })
  t.same(await answer, { watts: 11_000 })
  t.equal(asks.size, 0)
})

test('asks - what the shard reports as an error rejects with its code', async (t) => {
  const { asks, sent, to } = makeAsks()
  const answer = asks.ask(to(0), 'x', 25)
  asks.settle({ to: (sent[0] as Sent).replyTo, outcome: { ok: false, code: 'storage_unavailable', message: 'full' } })
  await t.rejects(answer, { code: 'storage_unavailable', message: 'full' })
})

test('asks - an actor that has lost its memory interrupts what it was asked', async (t) => {
  const { asks, sent, to } = makeAsks()
  const answer = asks.ask(to(0), 'x', 25)
  const outcome = { ok: false, code: 'overloaded', message: 'lost', interrupted: true } as const
  asks.settle({ to: (sent[0] as Sent).replyTo, outcome })
  await t.rejects(answer, new Interrupted())
})

test('asks - the deadline ends an ask, and the late answer changes nothing', async (t) => {
  const { asks, sent, clock, to } = makeAsks()
  const slow = asks.ask(to(0), 'slow', 10)
  const slower = asks.ask(to(0), 'slower', 20)
  clock.advance(10)
  await t.rejects(slow, { code: 'timeout' })
  t.equal(asks.size, 1, 'the other still waits')
  asks.settle({ to: (sent[0] as Sent).replyTo, outcome: { ok: true, body: 'too late' } })
  asks.settle({ to: (sent[1] as Sent).replyTo, outcome: { ok: true, body: 'in time' } })
  t.equal(await slower, 'in time')
  t.equal(asks.size, 0)
})

test('asks - a shorter deadline asked for later comes first', async (t) => {
  const { asks, clock, to } = makeAsks()
  const long = asks.ask(to(0), 'long', 40)
  const short = asks.ask(to(0), 'short', 5)
  clock.advance(5)
  await t.rejects(short, { code: 'timeout' })
  t.equal(asks.size, 1)
  clock.advance(40)
  await t.rejects(long, { code: 'timeout' })
})

test('asks - the death of a shard ends its asks, and no others', async (t) => {
  const { asks, sent, to } = makeAsks()
  const lost = [asks.ask(to(1), 'a', 25), asks.ask(to(1), 'b', 25)]
  const kept = asks.ask(to(2), 'c', 25)
  asks.abandon(1)
  for (const ask of lost) await t.rejects(ask, { code: 'overloaded' })
  asks.settle({ to: (sent[2] as Sent).replyTo, outcome: { ok: true, body: 'here' } })
  t.equal(await kept, 'here')
})

test('asks - over the bound an ask is refused and nothing is sent', async (t) => {
  const { asks, sent, to } = makeAsks()
  const waiting = Array.from({ length: limits.asks }, () => asks.ask(to(1), 'x', 25))
  await t.rejects(asks.ask(to(1), 'one more', 25), { code: 'overloaded' })
  t.equal(sent.length, limits.asks)
  asks.abandon(1)
  await Promise.allSettled(waiting)
  const again = asks.ask(to(1), 'now', 25)
  asks.settle({ to: (sent.at(-1) as Sent).replyTo, outcome: { ok: true, body: 'yes' } })
  t.equal(await again, 'yes')
})
