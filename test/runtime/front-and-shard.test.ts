// Frames between a front and its shards: in order, none lost when a shard is replaced, none sent again for ever.

import { test } from 'tap'
import type { ActorDefinition, Effect, SocketMessage } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { limits } from '../../src/runtime/limits.js'
import { type Linked, linkThreads, openSocket, until } from './linked-threads.js'
import { type Counter, countersTable, put } from './scripted-actors.js'

interface EchoState {
  count: number
  online: number
}

type EchoMessage =
  | SocketMessage
  | { readonly type: 'ask' }
  | { readonly type: 'pass'; readonly to: string; readonly always?: true }

/** Counts `add <n>` durably and says the sum, echoes the rest, and answers asks with what it holds. */
const echo: ActorDefinition<EchoState, EchoMessage> = {
  kind: 'counter',
  load: (context) => ({ count: (context.read().get(countersTable, [context.id]) as Counter)?.count ?? 0, online: 0 }),
  handle(state, message, context): readonly Effect[] {
    switch (message.type) {
      case 'attached':
        state.online++
        return []
      case 'detached':
        state.online--
        return []
      case 'frame': {
        const { connection, text } = message
        if (text === 'close me') return [{ type: 'close', connection, code: 1000, reason: '' }]
        if (!text.startsWith('add')) return [{ type: 'frame', connection, text: `echo ${text}` }]
        state.count++
        return [put(context.id, state.count), { type: 'frame', connection, text: `${text} is ${state.count}` }]
      }
      case 'pass':
        return [
          {
            type: 'send',
            to: { kind: 'counter', id: message.to },
            message: { type: 'frame', connection: 16, text: 'passed' },
            ...(message.always && { always: true }),
          },
        ]
      case 'ask':
        return context.replyTo === undefined
          ? []
          : [
              {
                type: 'reply',
                to: context.replyTo,
                body: { online: state.online, newest: context.connection?.connection },
              },
            ]
      default:
        message satisfies never
        return []
    }
  },
  idle: () => true,
}

const echoes = [echo as unknown as AnyActorDefinition]

async function askOnline(linked: Linked, id: string): Promise<unknown> {
  const before = linked.replies.length
  linked.transport.send(
    { kind: 'counter', id },
    { type: 'ask' },
    { replyTo: { front: 0, ask: before }, remainingMs: 60_000 },
  )
  await until(() => linked.replies.length > before)
  return linked.replies.at(-1)?.outcome
}

test('front and shard - frames of each socket are answered in their order, and the window empties', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const one = openSocket(linked, 'a', 1)
  const two = openSocket(linked, 'b', 2)
  for (let at = 0; at < 50; at++) {
    t.ok(linked.transport.frame(one, at % 5 === 0 ? `add ${at}` : `x ${at}`))
    t.ok(linked.transport.frame(two, `y ${at}`))
  }
  t.ok(linked.transport.unacknowledged > 100)
  await until(() => linked.transport.unacknowledged === 0)
  const order = (connection: number) =>
    linked.sockets
      .filter((line) => line.startsWith(`${connection} `))
      .map((line) => Number(/(\d+)( is \d+)?$/.exec(line)?.[0].split(' ')[0]))
  t.same(
    order(16),
    Array.from({ length: 50 }, (_, at) => at),
  )
  t.same(
    order(32),
    Array.from({ length: 50 }, (_, at) => at),
  )
  const { counts } = linked.transport.handling()
  t.equal(
    counts.reduce((sum, count) => sum + count, 0),
    100,
    'each frame was measured once',
  )
})

test('front and shard - a frame stays in the window until its promise is on disk', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const socket = openSocket(linked, 'a', 1)
  await until(() => linked.transport.unacknowledged === 0)
  linked.holdCommits(true)
  linked.transport.frame(socket, 'add 1')
  await until(() => linked.shard(0).host.statistics().committing === 1)
  t.equal(linked.transport.unacknowledged, 1)
  t.same(linked.sockets, [])
  linked.holdCommits(false)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, ['16 add 1 is 1'])
})

test('front and shard - a shard that is replaced loses no frame, and no socket notices', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const socket = openSocket(linked, 'a', 1)
  linked.transport.frame(socket, 'add before')
  await until(() => linked.transport.unacknowledged === 0)
  linked.holdCommits(true)
  linked.transport.frame(socket, 'add during')
  linked.transport.frame(socket, 'x')
  await until(() => linked.shard(0).host.statistics().committing === 1)
  linked.kill(0)
  linked.transport.frame(socket, 'add while away')
  linked.holdCommits(false)
  linked.start(0)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, ['16 add before is 1', '16 add during is 2', '16 echo x', '16 add while away is 3'])
  t.same(linked.lostShards, [0])
  t.match(await askOnline(linked, 'a'), { ok: true, body: { online: 1, newest: 16 } })
})

test('front and shard - frames that come before there is a shard wait for it', async (t) => {
  const linked = linkThreads(t, echoes)
  const socket = openSocket(linked, 'a', 1)
  linked.transport.frame(socket, 'early')
  linked.start(0)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, ['16 echo early'])
})

test('front and shard - a frame that is there at many deaths, and not their reason, is answered', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const socket = openSocket(linked, 'a', 1)
  await until(() => linked.transport.unacknowledged === 0)
  linked.holdCommits(true)
  linked.transport.frame(socket, 'add 1')
  for (let death = 1; death <= 5; death++) {
    await until(() => linked.shard(0).host.statistics().committing === 1)
    linked.kill(0)
    linked.start(0)
  }
  linked.holdCommits(false)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, ['16 add 1 is 1'])
})

test('front and shard - the end of a socket is told however often its shard dies', async (t) => {
  const linked = linkThreads(t, echoes)
  const socket = openSocket(linked, 'a', 1)
  linked.open.delete(socket)
  linked.transport.detach(socket, 1006, 'gone')
  linked.start(0)
  for (let death = 0; death < 5; death++) {
    linked.kill(0)
    linked.start(0)
  }
  await until(() => linked.transport.unacknowledged === 0)
  t.match(await askOnline(linked, 'a'), { ok: true, body: { online: 0 } })
  t.equal(linked.shard(0).connections, 0)
})

test('front and shard - the newest socket is the connection; the end of an older one changes nothing', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const old = openSocket(linked, 'a', 1)
  openSocket(linked, 'a', 2)
  t.match(await askOnline(linked, 'a'), { body: { online: 2, newest: 32 } })
  linked.transport.detach(old, 1000, '')
  t.match(await askOnline(linked, 'a'), { body: { online: 1, newest: 32 } })
})

test('front and shard - frames of a socket that has ended are acknowledged and forgotten', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const socket = openSocket(linked, 'a', 1)
  linked.transport.detach(socket, 1000, '')
  linked.transport.frame(socket, 'too late')
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, [])
})

test('front and shard - an actor closes its socket', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  linked.transport.frame(openSocket(linked, 'a', 1), 'close me')
  await until(() => linked.sockets.length > 0)
  t.same(linked.sockets, ['16 closed 1000'])
})

test('front and shard - a full window refuses frames until the shard has worked some off', async (t) => {
  const linked = linkThreads(t, echoes)
  const socket = openSocket(linked, 'a', 1)
  while (linked.transport.unacknowledged < limits.resendWindowFrames) linked.transport.frame(socket, 'x')
  t.notOk(linked.transport.frame(socket, 'x'))
  t.equal(linked.transport.unacknowledged, limits.resendWindowFrames)
})

test('front and shard - a window full of long frames refuses more of them, however few they are', async (t) => {
  const linked = linkThreads(t, echoes)
  const long = 'x'.repeat(limits.socketWindowCharacters)
  const full = limits.resendWindowCharacters / limits.socketWindowCharacters
  for (let at = 1; at <= full; at++) t.equal(linked.transport.frame(openSocket(linked, `a${at}`, at), long), true)
  const socket = openSocket(linked, 'b', full + 1)
  t.equal(linked.transport.frame(socket, 'x'), false)
  linked.start(0)
  await until(() => linked.transport.unacknowledged === 0)
  t.equal(linked.transport.frame(socket, 'x'), true)
})

test('front and shard - one socket has a share of the window, and leaves the rest to the others', async (t) => {
  const linked = linkThreads(t, echoes)
  const greedy = openSocket(linked, 'a', 1)
  const modest = openSocket(linked, 'b', 2)
  t.equal(linked.transport.frame(greedy, 'x'.repeat(limits.socketWindowCharacters)), true)
  t.equal(linked.transport.frame(greedy, 'x'), false)
  t.equal(linked.transport.hasItsShare(greedy), true)
  t.equal(linked.transport.frame(modest, 'x'), true)
  t.equal(linked.transport.hasItsShare(modest), false)
  linked.start(0)
  await until(() => linked.transport.unacknowledged === 0)
  t.equal(linked.transport.frame(greedy, 'x'), true)
})

test('front and shard - of a socket that sends too much, what has begun is carried out, and what waits is dropped', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  const flooder = openSocket(linked, 'a', 1)
  await until(() => linked.transport.unacknowledged === 0)
  linked.holdCommits(true)
  linked.transport.frame(flooder, 'add begun')
  await until(() => linked.shard(0).host.statistics().committing === 1)
  for (let at = 0; at < 10; at++) linked.transport.frame(flooder, `add waiting ${at}`)
  await until(() => linked.shard(0).host.statistics().mailbox === 10)
  const next = openSocket(linked, 'a', 2)
  linked.transport.frame(next, 'x')
  linked.transport.frame(flooder, 'add on its way')
  linked.transport.dropFrames(flooder)
  linked.transport.frame(flooder, 'add late')
  // Before the disk has answered: these need not wait for it.
  await until(() => linked.shard(0).droppedFrames === 11)
  await until(() => linked.transport.unacknowledged === 3)
  linked.holdCommits(false)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, ['16 add begun is 1', '32 echo x'])
  t.match(await askOnline(linked, 'a'), { body: { online: 2 } }, 'its end is told as of any other')
})

test('front and shard - what is dropped stays dropped when its shard is replaced', async (t) => {
  const linked = linkThreads(t, echoes)
  const flooder = openSocket(linked, 'a', 1)
  linked.transport.frame(flooder, 'add 1')
  linked.transport.dropFrames(flooder)
  linked.start(0)
  await until(() => linked.transport.unacknowledged === 0)
  t.same(linked.sockets, [])
})

test('front and shard - a socket that floods its actor is closed, its frames are acknowledged', async (t) => {
  const linked = linkThreads(t, [{ ...echo, mailboxMessages: 5 } as unknown as AnyActorDefinition])
  linked.start(0)
  const socket = openSocket(linked, 'a', 1)
  await until(() => linked.transport.unacknowledged === 0)
  linked.holdCommits(true)
  linked.transport.frame(socket, 'add 1')
  await until(() => linked.shard(0).host.statistics().committing === 1)
  for (let at = 0; at < 6; at++) linked.transport.frame(socket, 'x')
  await until(() => linked.sockets.length > 0)
  t.same(linked.sockets, ['16 closed 1008'])
  linked.transport.detach(socket, 1008, '')
  linked.holdCommits(false)
  await until(() => linked.transport.unacknowledged === 0)
  t.equal(linked.shard(0).connections, 0, 'the end of the socket was heard by the full mailbox')
})

test('front and shard - an ask whose deadline has passed is not answered', async (t) => {
  const linked = linkThreads(t, echoes)
  linked.start(0)
  linked.transport.send(
    { kind: 'counter', id: 'a' },
    { type: 'ask' },
    { replyTo: { front: 0, ask: 99 }, remainingMs: 0 },
  )
  t.match(await askOnline(linked, 'a'), { ok: true })
  t.equal(linked.replies.length, 1)
})

test('front and shard - actors of two shards speak to each other', async (t) => {
  const linked = linkThreads(t, echoes, 2)
  linked.start(0)
  linked.start(1)
  const ids = Array.from({ length: 40 }, (_, at) => `c${at}`)
  const shardOf = (id: string) => linked.transport.shardOf({ kind: 'counter', id })
  const from = ids.find((id) => shardOf(id) === 0) as string
  const to = ids.find((id) => shardOf(id) === 1) as string
  linked.transport.send({ kind: 'counter', id: from }, { type: 'pass', to })
  await until(() => linked.sockets.length > 0)
  t.same(linked.sockets, ['16 echo passed'])
})

test('front and shard - what a full mailbox does not take of another actor is counted; an answer is always taken', async (t) => {
  const linked = linkThreads(t, [{ ...echo, mailboxMessages: 2 } as unknown as AnyActorDefinition])
  linked.start(0)
  linked.holdCommits(true)
  linked.transport.frame(openSocket(linked, 'b', 2), 'add 1')
  await until(() => linked.shard(0).host.statistics().committing === 1)
  const pass = (more = {}) => linked.transport.send({ kind: 'counter', id: 'a' }, { type: 'pass', to: 'b', ...more })
  for (let sent = 1; sent <= 4; sent++) {
    pass()
    const handled = linked.shard(0).host.statistics().turns + 1
    await until(() => linked.shard(0).host.statistics().turns >= handled)
  }
  pass({ always: true })
  await until(() => linked.shard(0).host.statistics().mailbox === 3)
  t.same(linked.shard(0).dropped, { counter: 2 })
  linked.holdCommits(false)
  await until(() => linked.sockets.length === 4)
  t.equal(linked.sockets.filter((line) => line === '16 echo passed').length, 3)
})
