// The contract of partitions that move from one live owner to another: no frame is lost, nothing is done twice, sockets stay open, and
// whoever asks is answered.

import { MessageChannel } from 'node:worker_threads'
import { type Test, test } from 'tap'
import type { ActorDefinition, Effect, ReplyAddress, SocketMessage } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import { limits } from '../../src/runtime/limits.js'
import { type Linked, moveSteps, openSocket, until } from '../runtime/linked-threads.js'
import { countersTable, put } from '../runtime/scripted-actors.js'

interface TellerState {
  count: number
  askers: ReplyAddress[]
}

type TellerMessage =
  | SocketMessage
  | { readonly type: 'add' }
  | { readonly type: 'pass'; readonly to: string; readonly behind?: number }
  | { readonly type: 'ask' }
  | { readonly type: 'ask-for-ever' }
  | { readonly type: 'remind' }
  | { readonly type: 'begin-job' }
  | { readonly type: 'job-ended' }

/** Adds durably for each frame `add` and each message `add`, and says the sum on its socket. */
const teller: ActorDefinition<TellerState, TellerMessage> = {
  kind: 'counter',
  load: (context) => ({ count: context.read().get(countersTable, [context.id])?.count ?? 0, askers: [] }),
  handle(state, message, context): readonly Effect[] {
    const say = (text: string): readonly Effect[] =>
      context.connection === undefined ? [] : [{ type: 'frame', connection: context.connection.connection, text }]
    switch (message.type) {
      case 'attached':
        return say('hello')
      case 'detached':
        return [put(context.id, 1_000)]
      case 'frame':
        if (message.text === 'remind')
          return [{ type: 'schedule', key: 'soon', at: context.monotonic(), message: { type: 'remind' } }]
        state.count++
        return [put(context.id, state.count), ...say(`${message.text} is ${state.count}`)]
      case 'add':
        state.count++
        return [put(context.id, state.count), ...say(`${state.count}`)]
      case 'pass': {
        const to = { kind: 'counter', id: message.to }
        const before: readonly Effect[] = Array(message.behind ?? 0).fill({
          type: 'send',
          to,
          message: { type: 'remind' },
        })
        return [...before, { type: 'send', to, message: { type: 'add' }, always: true }]
      }
      case 'ask':
        return context.replyTo === undefined ? [] : [{ type: 'reply', to: context.replyTo, body: state.count }]
      case 'ask-for-ever':
        if (context.replyTo !== undefined) state.askers.push(context.replyTo)
        return []
      case 'remind':
        return say('reminded')
      case 'begin-job':
        return [{ type: 'job', job: 'any', input: undefined, answer: () => ({ type: 'job-ended' }) }]
      case 'job-ended':
        return []
      default:
        message satisfies never
        return []
    }
  },
  idle: ({ askers }) => askers.length === 0,
  askers: ({ askers }) => askers,
}
const tellers = [teller] as unknown as readonly AnyActorDefinition[]

/** A front and so many owners of partitions, linked. */
export type LinkOwners = (t: Test, definitions: readonly AnyActorDefinition[], owners: number) => Linked

/** Counters that a shard owns. */
function countersOf(linked: Linked, shard: number): readonly string[] {
  const ids = Array.from({ length: 40 }, (_, at) => `c${at}`)
  return ids.filter((id) => linked.transport.shardOf({ kind: 'counter', id }) === shard)
}

const counterOf = (linked: Linked, shard: number): string => countersOf(linked, shard)[0] as string

async function ask(linked: Linked, id: string, type: 'ask' | 'ask-for-ever' = 'ask'): Promise<unknown> {
  const before = linked.replies.length
  const to = { kind: 'counter', id }
  linked.transport.send(to, { type }, { replyTo: { front: 0, ask: before }, remainingMs: 60_000 })
  await until(() => linked.replies.length > before)
  return linked.replies.at(-1)?.outcome
}

export function movingPartitionsContract(implementation: string, link: LinkOwners): void {
  const name = (what: string) => `${implementation} - moving partitions: ${what}`
  const twoShards = (t: Test): Linked => {
    const linked = link(t, tellers, 2)
    linked.start(0)
    linked.start(1)
    return linked
  }

  test(
    name('the socket stays, its actor goes on at the new owner, frames before and after are answered in their order'),
    async (t) => {
      const linked = twoShards(t)
      const id = counterOf(linked, 0)
      const socket = openSocket(linked, id, 1)
      linked.transport.frame(socket, 'one')
      await until(() => linked.transport.unacknowledged === 0)
      const before = linked.partitions.epoch(partitionOf(`counter/${id}`))
      const moved = linked.move([id], 1)
      linked.transport.frame(socket, 'two')
      await moved
      linked.transport.frame(socket, 'three')
      await until(() => linked.transport.unacknowledged === 0)
      t.same(
        linked.sockets.filter((line) => !line.includes('hello')),
        ['16 one is 1', '16 two is 2', '16 three is 3'],
      )
      t.equal(linked.transport.shardOf({ kind: 'counter', id }), 1)
      t.ok(linked.partitions.epoch(partitionOf(`counter/${id}`)) > before)
      t.same([linked.shard(0).connections, linked.shard(1).connections], [0, 1])
      t.match(await ask(linked, id), { ok: true, body: 3 })
    },
  )

  test(
    name('the former owner ends the turn in hand before, and what waited behind it is done by the new one, once'),
    async (t) => {
      const linked = twoShards(t)
      const id = counterOf(linked, 0)
      const socket = openSocket(linked, id, 1)
      await until(() => linked.transport.unacknowledged === 0)
      linked.holdCommits(true)
      linked.transport.frame(socket, 'in hand')
      await until(() => linked.shard(0).host.statistics().committing === 1)
      linked.transport.frame(socket, 'behind')
      await until(() => linked.shard(0).host.statistics().mailbox === 1)
      const moved = linked.move([id], 1)
      await until(() => linked.shard(0).connections === 0)
      t.notOk(linked.sockets.some((line) => line.includes('in hand')))
      linked.holdCommits(false)
      await moved
      await until(() => linked.transport.unacknowledged === 0)
      t.same(linked.sockets.slice(1), ['16 in hand is 1', '16 hello', '16 behind is 2'])
      t.equal(linked.shard(0).host.statistics().actors, 0, 'nothing of it is left at the former owner')
    },
  )

  test(name('whoever asked the former owner is told that it was interrupted, and may ask the new one'), async (t) => {
    const linked = twoShards(t)
    const id = counterOf(linked, 0)
    const answer = ask(linked, id, 'ask-for-ever')
    await until(() => linked.shard(0).host.statistics().turns > 0)
    await linked.move([id], 1)
    t.match(await answer, { ok: false, interrupted: true })
    t.match(await ask(linked, id), { ok: true, body: 0 })
  })

  test(
    name('a question that comes to an owner which has let go is answered as interrupted, a statement goes on'),
    async (t) => {
      const linked = twoShards(t)
      const id = counterOf(linked, 0)
      const partition = partitionOf(`counter/${id}`)
      const epoch = linked.partitions.epoch(partition)
      await linked.move([id], 1)
      const { port1, port2 } = new MessageChannel()
      t.teardown(() => port1.close())
      linked.shard(0).connectShard(7, port2)
      const to = { kind: 'counter', id }
      const late = { to, partition, epoch }
      port1.postMessage({
        envelopes: [
          { ...late, id: 1, message: { type: 'add' } },
          { ...late, id: 2, message: { type: 'ask' }, replyTo: { front: 0, ask: 5 } },
        ],
      })
      await until(() => linked.replies.length > 0)
      t.match(linked.replies, [{ to: { ask: 5 }, outcome: { ok: false, interrupted: true } }])
      await until(() => linked.shard(1).host.statistics().turns > 0)
      t.match(await ask(linked, id), { ok: true, body: 1 })
    },
  )

  test(name('what comes to the new owner before the former one has let go waits for it'), async (t) => {
    const linked = twoShards(t)
    const [id, other] = [counterOf(linked, 0), counterOf(linked, 1)]
    const socket = openSocket(linked, id, 1)
    await until(() => linked.transport.unacknowledged === 0)
    linked.holdCommits(true)
    linked.transport.frame(socket, 'first')
    await until(() => linked.shard(0).host.statistics().committing === 1)
    const moved = linked.move([id], 1)
    await until(() => linked.partitions.owner(partitionOf(`counter/${id}`)) === 1)
    const turns = linked.shard(1).host.statistics().turns
    linked.transport.send({ kind: 'counter', id: other }, { type: 'pass', to: id })
    await until(() => linked.shard(1).host.statistics().turns > turns)
    linked.holdCommits(false)
    await moved
    t.match(await ask(linked, id), { ok: true, body: 2 })
    t.same(linked.shard(1).dropped, {})
  })

  test(name('what nobody tells again is kept for the new owner, however much waits for it'), async (t) => {
    const linked = twoShards(t)
    const [id, other] = [counterOf(linked, 0), counterOf(linked, 1)]
    linked.holdCommits(true)
    linked.transport.send({ kind: 'counter', id }, { type: 'add' })
    await until(() => linked.shard(0).host.statistics().committing === 1)
    const moved = linked.move([id], 1)
    await until(() => linked.partitions.owner(partitionOf(`counter/${id}`)) === 1)
    const { turns } = linked.shard(1).host.statistics()
    linked.transport.send({ kind: 'counter', id: other }, { type: 'pass', to: id, behind: limits.earlyMessages })
    await until(() => linked.shard(1).host.statistics().turns > turns)
    linked.holdCommits(false)
    await moved
    t.match(await ask(linked, id), { ok: true, body: 2 })
  })

  test(name('there and back again at once: each frame is done once'), async (t) => {
    const linked = twoShards(t)
    const id = counterOf(linked, 0)
    const socket = openSocket(linked, id, 1)
    const moves: Promise<void>[] = []
    for (let at = 0; at < 40; at++) {
      linked.transport.frame(socket, `f${at}`)
      if (at % 4 === 0) moves.push(linked.move([id], (at / 4 + 1) % 2))
      if (at % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(moves)
    await until(() => linked.transport.unacknowledged === 0)
    t.match(await ask(linked, id), { ok: true, body: 40 })
    const said = linked.sockets.filter((line) => line.includes(' is '))
    t.same(
      said,
      Array.from({ length: 40 }, (_, at) => `16 f${at} is ${at + 1}`),
    )
  })

  test(
    name('two moves in a row: what a front sends before it knows of the second is handled by the new owner'),
    async (t) => {
      const linked = twoShards(t)
      const [first, id] = countersOf(linked, 0) as [string, string]
      const socket = openSocket(linked, id, 1)
      await until(() => linked.transport.unacknowledged === 0)
      const moves = [linked.move([first], 1), linked.move([id], 1)]
      await moves[0]
      // That the first has ended is still on its way to the former owner, in front of this.
      linked.transport.frame(socket, 'late')
      await Promise.all(moves)
      await until(() => linked.transport.unacknowledged === 0)
      t.match(await ask(linked, id), { ok: true, body: 1 })
    },
  )

  test(
    name('the outcome of a job that ends while its actor leaves does not bring it back to the former owner'),
    async (t) => {
      const linked = twoShards(t)
      const [id, other] = countersOf(linked, 0) as [string, string]
      linked.transport.send({ kind: 'counter', id }, { type: 'begin-job' })
      await until(() => linked.jobs.length === 1)
      linked.holdCommits(true)
      linked.transport.send({ kind: 'counter', id: other }, { type: 'add' })
      await until(() => linked.shard(0).host.statistics().committing === 1)
      const moved = linked.move([id, other], 1)
      await until(() => linked.shard(0).host.statistics().actors === 1)
      linked.jobs[0]?.({ ok: true, value: undefined })
      await new Promise((resolve) => setImmediate(resolve))
      linked.holdCommits(false)
      await moved
      t.equal(linked.shard(0).host.statistics().actors, 0)
      linked.transport.send({ kind: 'counter', id }, { type: 'add' })
      t.match(await ask(linked, id), { ok: true, body: 1 })
      await linked.move([id], 0)
      t.match(await ask(linked, id), { ok: true, body: 1 }, 'what is stored, not what it had in memory before')
    },
  )

  for (const step of moveSteps) {
    test(name(`a move that fails at its ${step} is made good by the next, there or back`), async (t) => {
      for (const when of ['before', 'after'] as const) {
        for (const next of [1, 0]) {
          const linked = twoShards(t)
          const id = counterOf(linked, 0)
          const socket = openSocket(linked, id, 1)
          linked.transport.frame(socket, 'one')
          await until(() => linked.transport.unacknowledged === 0)
          linked.failAt(step, when)
          await t.rejects(linked.move([id], 1), { message: `it fails ${when} ${step}` })
          linked.transport.frame(socket, 'two')
          await linked.move([id], next)
          linked.transport.frame(socket, 'three')
          await until(() => linked.transport.unacknowledged === 0)
          t.match(await ask(linked, id), { ok: true, body: 3 })
          t.same([linked.shard(next).connections, linked.shard(1 - next).connections], [1, 0])
        }
      }
    })
  }

  test(name('an actor that cannot say who waits for it leaves all the same, and so do others'), async (t) => {
    const speechless = {
      ...teller,
      askers(): never {
        throw new Error('it cannot say')
      },
    }
    const linked = link(t, [speechless] as unknown as readonly AnyActorDefinition[], 2)
    linked.start(0)
    linked.start(1)
    const ids = countersOf(linked, 0)
    for (const id of ids) linked.transport.send({ kind: 'counter', id }, { type: 'add' })
    await until(() => linked.shard(0).host.statistics().actors === ids.length)
    await linked.move(ids, 1)
    t.equal(linked.shard(0).host.statistics().actors, 0)
    for (const id of ids) t.match(await ask(linked, id), { ok: true, body: 1 })
  })

  test(name('a socket that comes before its owner has begun for the first time is served by it'), async (t) => {
    const linked = link(t, tellers, 1)
    const socket = openSocket(linked, 'c0', 1)
    linked.transport.frame(socket, 'one')
    linked.partitions.assign(partitionOf('counter/c0'), 0)
    linked.start(0)
    await until(() => linked.transport.unacknowledged === 0)
    t.match(await ask(linked, 'c0'), { ok: true, body: 1 })
    t.equal(linked.shard(0).connections, 1)
  })

  test(name('the end of a socket that is told meanwhile reaches the new owner'), async (t) => {
    const linked = twoShards(t)
    const id = counterOf(linked, 0)
    const socket = openSocket(linked, id, 1)
    await until(() => linked.transport.unacknowledged === 0)
    linked.holdCommits(true)
    linked.transport.frame(socket, 'one')
    await until(() => linked.shard(0).host.statistics().committing === 1)
    const moved = linked.move([id], 1)
    linked.open.delete(socket)
    linked.transport.detach(socket, 1006, 'gone')
    linked.holdCommits(false)
    await moved
    await until(() => linked.transport.unacknowledged === 0)
    t.same([linked.shard(0).connections, linked.shard(1).connections], [0, 0])
    await linked.move([id], 0)
    t.match(await ask(linked, id), { ok: true, body: 1_000 })
  })

  test(
    name('a former owner that ends instead of letting go is waited for until then, and loses nothing'),
    async (t) => {
      const linked = twoShards(t)
      const id = counterOf(linked, 0)
      const socket = openSocket(linked, id, 1)
      await until(() => linked.transport.unacknowledged === 0)
      linked.holdCommits(true)
      linked.transport.frame(socket, 'one')
      await until(() => linked.shard(0).host.statistics().committing === 1)
      const moved = linked.move([id], 1)
      await until(() => linked.partitions.owner(partitionOf(`counter/${id}`)) === 1)
      linked.kill(0)
      linked.holdCommits(false)
      linked.start(0)
      await moved
      await until(() => linked.transport.unacknowledged === 0)
      t.match(await ask(linked, id), { ok: true, body: 1 })
      t.same([linked.shard(0).connections, linked.shard(1).connections], [0, 1])
    },
  )

  test(name('a new owner that ends before it begins has a successor that owns them'), async (t) => {
    const linked = twoShards(t)
    const id = counterOf(linked, 0)
    const socket = openSocket(linked, id, 1)
    await until(() => linked.transport.unacknowledged === 0)
    linked.holdCommits(true)
    linked.transport.frame(socket, 'one')
    await until(() => linked.shard(0).host.statistics().committing === 1)
    const moved = linked.move([id], 1)
    await until(() => linked.partitions.owner(partitionOf(`counter/${id}`)) === 1)
    linked.kill(1)
    linked.start(1)
    linked.holdCommits(false)
    await moved
    linked.transport.frame(socket, 'two')
    await until(() => linked.transport.unacknowledged === 0)
    // What the store had not written was lost with it, and refused.
    t.match(await ask(linked, id), { ok: true, body: 1 })
    t.same([linked.shard(0).connections, linked.shard(1).connections], [0, 1])
  })
}
