// Wake-ups over the store in memory: what an actor asked to be woken for reaches it at its time, in whatever life it is then.

import { test } from 'tap'
import type { ActorDefinition, Context, Effect } from '../../src/runtime/actor/actor.js'
import { effect } from '../../src/runtime/actor/actor.js'
import type { AnyActorDefinition } from '../../src/runtime/actor/actor-host-ports.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import {
  createWakeUpSweep,
  toldAgainAfterMs,
  type WakeUp,
  type WakeUpMessage,
  type WakeUpSweep,
  wakeAfter,
  wakeNoMore,
  wakeUpsTable,
} from '../../src/runtime/actor/wake-ups.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { limits } from '../../src/runtime/limits.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import { type Change, unowned } from '../../src/runtime/store/store.js'
import { anyPartition, createStage, type Stage } from './scripted-actors.js'

type Message = WakeUpMessage | { readonly type: 'sleep'; readonly at: number; readonly deaf?: boolean }

const self = (context: Context) => ({ kind: 'sleeper', id: context.id })

/** Says why it was woken; those that are called deaf do nothing about it. */
const sleeper: ActorDefinition<object, Message> = {
  kind: 'sleeper',
  load: () => ({}),
  idle: () => true,
  handle(_, message, context): readonly Effect[] {
    if (message.type === 'sleep') return [wakeAfter(self(context), 'nap', message.at - context.steady(), context)]
    const said = effect.frame(1, `${context.id} woken for ${message.reason}`)
    return context.id.startsWith('deaf') ? [said] : [said, wakeNoMore(self(context), message.reason)]
  },
}
const definitions = [sleeper] as unknown as readonly AnyActorDefinition[]

async function sleep(stage: Stage, id: string, inMs: number): Promise<void> {
  stage.host.deliver({ kind: 'sleeper', id }, { message: { type: 'sleep', at: stage.clock.steady() + inMs } })
  stage.host.run()
  await stage.flush()
}

function sweepOf({ store, clock, host }: Stage, partitions = anyPartition, warned: unknown[] = []): WakeUpSweep {
  const log = { warn: (details: unknown) => void warned.push(details) }
  return createWakeUpSweep({ view: store.view, clock, partitions, owner: 0, host, log })
}

async function putWakeUps(stage: Stage, rows: readonly WakeUp[]): Promise<void> {
  const changes = rows.map((row): Change => {
    return { type: 'put', table: wakeUpsTable.name, key: wakeUpsTable.key(row), row: encodeRow(row) }
  })
  void stage.store.commit(unowned(changes))
  await stage.flush()
}

async function pass(stage: Stage, sweep: WakeUpSweep, ms: number): Promise<void> {
  stage.clock.advance(ms)
  sweep.sweep()
  stage.host.run()
  await stage.flush()
}

test('wake-ups - an actor is woken when its time has come, once, and not before', async (t) => {
  const stage = createStage({ definitions })
  const sweep = sweepOf(stage)
  await sleep(stage, 'a', 5_000)
  await pass(stage, sweep, 4_999)
  t.same(stage.out, [])
  await pass(stage, sweep, 1)
  await pass(stage, sweep, toldAgainAfterMs)
  t.same(stage.out, ['frame 1 a woken for nap'])
})

test('wake-ups - what is due in a partition that has left and come back is told at once', async (t) => {
  const stage = createStage({ definitions })
  const sweep = sweepOf(stage)
  await sleep(stage, 'deaf', 1_000)
  await sleep(stage, 'deafened', 1_000)
  await pass(stage, sweep, 1_000)
  await pass(stage, sweep, 1)
  sweep.forget(new Set([partitionOf('sleeper/deaf')]))
  await pass(stage, sweep, 1)
  t.same(
    stage.out.filter((line) => line.includes('deaf ')),
    ['frame 1 deaf woken for nap', 'frame 1 deaf woken for nap'],
  )
  t.equal(stage.out.filter((line) => line.includes('deafened')).length, 1, 'of others nothing is forgotten')
})

test('wake-ups - what was due while nothing ran is told by the next life', async (t) => {
  const disk = memoryDisk()
  const first = createStage({ definitions, disk })
  await sleep(first, 'a', 5_000)
  const second = createStage({ definitions, disk })
  await pass(second, sweepOf(second), 60_000)
  t.same(second.out, ['frame 1 a woken for nap'])
})

test('wake-ups - an actor that does nothing about it is told again after a while', async (t) => {
  const stage = createStage({ definitions })
  const sweep = sweepOf(stage)
  await sleep(stage, 'deaf', 0)
  await pass(stage, sweep, 0)
  await pass(stage, sweep, toldAgainAfterMs - 1)
  t.equal(stage.out.length, 1)
  await pass(stage, sweep, 1)
  t.equal(stage.out.length, 2)
})

test('wake-ups - a shard wakes its own actors only, and finds them behind any number of others', async (t) => {
  const stage = createStage({ definitions })
  const ours = partitionOf('sleeper/last')
  const ids = Array.from({ length: 1_200 }, (_, at) => `s${at}`).filter((id) => partitionOf(`sleeper/${id}`) !== ours)
  for (const id of ids) stage.host.deliver({ kind: 'sleeper', id }, { message: { type: 'sleep', at: 0 } })
  stage.host.deliver({ kind: 'sleeper', id: 'last' }, { message: { type: 'sleep', at: 1 } })
  stage.host.run()
  await stage.flush()
  t.ok(ids.length > 1_000, 'more than are read at once')
  await pass(stage, sweepOf(stage, { owner: (partition) => (partition === ours ? 0 : 1), epoch: () => 1 }), 0)
  t.same(stage.out, ['frame 1 last woken for nap'])
})

test('wake-ups - one of a kind that this version does not know is left for the version that does, and warned of once', async (t) => {
  const stage = createStage({ definitions })
  const row: WakeUp = { kind: 'dreamer', id: 'x', reason: 'dream', at: 0 }
  await putWakeUps(stage, [row, { ...row, id: 'y' }, { ...row, kind: 'sleeper', reason: 'nap' }])
  const warned: unknown[] = []
  const sweep = sweepOf(stage, anyPartition, warned)
  await pass(stage, sweep, 0)
  await pass(stage, sweep, toldAgainAfterMs)
  t.same(stage.out, ['frame 1 x woken for nap'])
  t.same(warned, [{ kind: 'dreamer' }])
  t.equal(stage.store.view().list(wakeUpsTable, ['dreamer']).length, 2)
})

test('wake-ups - of very many that are due, each sweep tells so many at most, and all are told in turn', async (t) => {
  const stage = createStage({ definitions })
  const count = 2.5 * limits.wakeUpsPerSweep
  const rows = Array.from({ length: count }, (_, at) => ({ kind: 'sleeper', id: `s${at}`, reason: 'nap', at }))
  await putWakeUps(stage, rows)
  const sweep = sweepOf(stage)
  const told: number[] = []
  do {
    told.push(sweep.sweep())
    stage.host.run()
    await stage.flush()
  } while (sweep.unfinished)
  t.same(told, [limits.wakeUpsPerSweep, limits.wakeUpsPerSweep, limits.wakeUpsPerSweep / 2])
  t.equal(new Set(stage.out).size, count)
})

test('wake-ups - a clock that is set neither hurries one nor holds it up, but where it is for a date', async (t) => {
  const stage = createStage({ definitions })
  const sweep = sweepOf(stage)
  const start = stage.clock.now()
  const date: WakeUp = { kind: 'sleeper', id: 'dated', reason: 'date', at: start + 10_000, by_date: true }
  await putWakeUps(stage, [date])
  stage.clock.set(start + 24 * 3_600_000)
  await sleep(stage, 'ahead', 5_000)
  stage.clock.set(start - 24 * 3_600_000)
  await sleep(stage, 'behind', 5_000)
  await pass(stage, sweep, 4_000)
  t.same(stage.out, [])
  await pass(stage, sweep, 1_000)
  t.same(stage.out.toSorted(), ['frame 1 ahead woken for nap', 'frame 1 behind woken for nap'])
  await pass(stage, sweep, 3_600_000)
  t.equal(stage.out.length, 2, 'the date has not come')
  stage.clock.set(start + 9_000)
  await pass(stage, sweep, 1_000)
  t.same(stage.out.at(-1), 'frame 1 dated woken for date')
})
