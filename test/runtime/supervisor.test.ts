// Shards in real threads that really hang: who is to blame is left alone, and a shard that never comes up ends the process.

import { MessageChannel } from 'node:worker_threads'
import { type Test, test } from 'tap'
import { createBlame } from '../../src/runtime/actor/blame.js'
import { newTurnCells } from '../../src/runtime/actor/current-turn.js'
import { partitionOf, sharedPartitionTable } from '../../src/runtime/actor/partition-table.js'
import type { ReplyOutcome } from '../../src/runtime/actor/transport.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createFrontTransport, type LiveSocket } from '../../src/runtime/link/front-transport.js'
import { createShardPool } from '../../src/runtime/thread/shard-pool.js'
import { createSupervisor } from '../../src/runtime/thread/supervisor.js'
import { until } from '../support/until.js'
import { type HangingShardStart, type HangMessage, spareLoaded } from './hanging-shard.js'
import { silent } from './scripted-actors.js'

const filename = new URL('./hanging-shard.js', import.meta.url)
const poolOf = (task: string) =>
  createShardPool({ filename, task, warmUp: 'warmUp', shards: 1, memoryMegabytes: 128, log: silent })
const counterAt = (id: string) => ({ kind: 'counter', id })
const connections = { good: 16, bad: 32 }

/** One supervised shard and a front, with a socket of each of the actors `good` and `bad`. */
function supervise(t: Test, { wakes, spareAfterMs }: { wakes?: string; spareAfterMs?: number } = {}) {
  const partitions = sharedPartitionTable()
  const turns = newTurnCells(1)
  const alive = new SharedArrayBuffer(4)
  const blame = createBlame(turns, systemClock, silent)
  const said: string[] = []
  const replies = new Map<number, ReplyOutcome>()
  let asked = 0
  const sockets = Object.entries(connections).map(
    ([id, connection]): LiveSocket => ({
      connection,
      address: counterAt(id),
      partition: partitionOf(`counter/${id}`),
      epoch: connection,
      details: {},
    }),
  )
  const transport = createFrontTransport({
    front: 0,
    shards: 1,
    partitions,
    clock: systemClock,
    sockets: () => sockets,
    events: {
      frame: (connection, text) => said.push(`${connection} ${text}`),
      close: (connection, code) => said.push(`${connection} closed ${code}`),
      reply: ({ to, outcome }) => replies.set(to.ask, outcome),
      ping: () => undefined,
      shardLost: () => {},
    },
  })
  const supervisor = createSupervisor(
    {
      pool: poolOf('runHangingShard'),
      shards: 1,
      stuckAfterMs: 1_000,
      ...(spareAfterMs !== undefined && { spareAfterMs }),
      clock: systemClock,
      log: silent,
      giveUp: (reason) => t.fail(reason),
      async prepare() {
        blame.ended(0)
        const { port1, port2 } = new MessageChannel()
        transport.connectShard(0, port1)
        const quarantined = blame.quarantined(() => true)
        const task: HangingShardStart = {
          partitions: partitions.shared,
          alive,
          turns,
          quarantined,
          front: port2,
          wakes,
        }
        return { task, transfer: [port2] }
      },
    },
    new Int32Array(alive),
  )
  t.teardown(() => supervisor.stop())
  for (const socket of sockets) transport.attach(socket)
  supervisor.start()
  return {
    said,
    frame(id: keyof typeof connections, text: string) {
      transport.frame(sockets.find(({ address }) => address.id === id) as LiveSocket, text)
    },
    tell: (id: string, message: HangMessage) => transport.send(counterAt(id), message),
    /** Asks again until somebody answers: the question may be lost with a shard. */
    async ask(id: string, message: HangMessage): Promise<ReplyOutcome> {
      const first = asked
      let askAgainAt = 0
      return until(() => {
        if (performance.now() >= askAgainAt) {
          transport.send(counterAt(id), message, {
            replyTo: { front: 0, ask: asked++ },
            remainingMs: 60_000,
          })
          askAgainAt = performance.now() + 500
        }
        for (let ask = first; ask < asked; ask++) if (replies.has(ask)) return replies.get(ask)
        return undefined
      }, 60_000)
    },
    async restarts(atLeast: number) {
      await until(() => supervisor.restarts >= atLeast, 60_000)
    },
    quarantined: () => blame.quarantined(() => true).map(({ actor }) => actor),
  }
}

test('supervisor - a frame that its shard spins on twice is refused by the third, and all others are answered', async (t) => {
  const { frame, said, quarantined } = supervise(t)
  frame('bad', 'spin')
  frame('good', 'hello')
  await until(() => said.length === 2, 60_000)
  t.same(said.sort(), ['16 hello', '32 refused spin'])
  t.same(quarantined(), ['counter/bad'])
})

test('supervisor - a wake-up that its shard hangs on after every start leaves its actor alone', async (t) => {
  const { ask, restarts, quarantined } = supervise(t, { wakes: 'bad' })
  await restarts(2)
  t.same(await ask('good', { type: 'echo' }), { ok: true, body: 'here' })
  t.same(quarantined(), ['counter/bad'])
})

test('supervisor - a question that its shard hangs on is refused after the second time', async (t) => {
  const { ask, quarantined } = supervise(t)
  t.match(await ask('bad', { type: 'hang' }), { ok: false, code: 'internal_error' })
  t.same(await ask('good', { type: 'echo' }), { ok: true, body: 'here' })
  t.same(quarantined(), ['counter/bad'])
})

test('supervisor - what an actor sends is for its receiver to answer for', async (t) => {
  const { ask, tell, frame, said, restarts, quarantined } = supervise(t)
  for (const death of [1, 2]) {
    t.same(await ask('good', { type: 'echo' }), { ok: true, body: 'here' })
    tell('good', { type: 'send-hang', to: 'bad' })
    await restarts(death)
  }
  frame('good', 'still here')
  await until(() => said.length === 1, 60_000)
  t.same(quarantined(), ['counter/bad'])
})

test('supervisor - a spare worker is loaded beside a shard that runs, and another when it has taken a place', async (t) => {
  let spares = 0
  const channel = new BroadcastChannel(spareLoaded)
  channel.onmessage = () => spares++
  t.teardown(() => channel.close())
  const { ask, tell, restarts } = supervise(t, { spareAfterMs: 500 })
  await until(() => spares === 1, 60_000)
  tell('bad', { type: 'hang' })
  await restarts(1)
  await until(() => spares === 2, 60_000)
  t.same(await ask('good', { type: 'echo' }), { ok: true, body: 'here' })
})

test('supervisor - a shard that hangs at every start is started less and less often, and in the end no more', async (t) => {
  const alive = new SharedArrayBuffer(4)
  const starts: number[] = []
  // Until it has come up it is waited for longer than that.
  const stuckAfterMs = 300
  const reason = await new Promise<string>((resolve) => {
    const supervisor = createSupervisor(
      {
        pool: poolOf('runDeadShard'),
        shards: 1,
        stuckAfterMs,
        clock: systemClock,
        log: silent,
        giveUp: resolve,
        async prepare() {
          starts.push(performance.now())
          return { task: { alive }, transfer: [] }
        },
      },
      new Int32Array(alive),
    )
    t.teardown(() => supervisor.stop())
    supervisor.start()
  })
  t.match(reason, /shard 0 ended 10 times in a row: it showed no sign of life/)
  t.equal(starts.length, 10)
  t.ok((starts[9] as number) - (starts[8] as number) >= stuckAfterMs + 1_000, 'the last pause is a second')
})

test('supervisor - the end waits for a spare worker that is loading: one that is ended while it loads native code ends the process', async (t) => {
  const pool = poolOf('runHangingShard')
  let loaded = false
  const loading = pool.loadSpare().then(
    () => {
      loaded = true
    },
    () => {},
  )
  await pool.destroy()
  await loading
  t.ok(loaded)
})
