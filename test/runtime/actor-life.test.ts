// The life of an actor in the host: throws and quarantine, timers, leaving memory and coming back.

import { test } from 'tap'
import type { Effect } from '../../src/runtime/actor/actor.js'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import { limits } from '../../src/runtime/limits.js'
import { memoryDisk } from '../../src/runtime/store/storage/memory-bytes.js'
import {
  add,
  asker,
  broken,
  countersTable,
  createStage,
  forPart,
  frame,
  keepWaiting,
  note,
  put,
  type Script,
  scriptedActor,
  settled,
  tellCount,
} from './scripted-actors.js'

const minuteMs = 60_000

/** Fails without leaving anything in the state. */
const failing: Script = () => {
  throw new Error('this message cannot be handled')
}

const answerAll: Script = ({ waiting }) => waiting.map((to) => ({ type: 'reply', to, body: 'here' }))

test('actor host - a message that throws undoes its own effects, not those of the messages before it', async (t) => {
  const { tell, host, flush, out, count } = createStage()
  tell('a', add, { ticket: 1 })
  tell('a', broken, { ticket: 2, ...asker(3) })
  tell('a', tellCount, { ticket: 4 })
  host.run()
  await flush()
  t.same(out.sort(), ['done 1', 'done 2', 'done 4', 'frame 1 a has 1', 'frame 1 a is 1', 'reply 3 "internal_error"'])
  t.equal(count('a'), 1)
})

test('actor host - a message that throws half way leaves nothing of what it had begun', async (t) => {
  const { tell, host, flush, out, count } = createStage()
  tell('a', () => {
    const effects: Effect[] = [put('a', 99), frame('never')]
    // The row cannot be stored: its table's key fails while the effects are gathered.
    return [...effects, { type: 'put', table: { name: 'counters', key: () => broken } as never, row: Symbol('no row') }]
  })
  tell('a', tellCount)
  host.run()
  await flush()
  t.same(out, ['frame 1 a has 0'])
  t.equal(count('a'), undefined)
})

test('actor host - three throws in a minute quarantine an actor for a minute, and it alone', async (t) => {
  const { tell, play, host, clock, out } = createStage({ definitions: [scriptedActor({ saysRefusals: true })] })
  for (let at = 0; at < 3; at++) {
    play('a', broken)
    clock.advance(10_000)
  }
  t.same(out, Array(3).fill('frame 1 refused internal_error'))
  tell('a', tellCount, { ...asker(8), ticket: 6 })
  tell('b', tellCount)
  host.run()
  t.same(out.slice(3), ['reply 8 "internal_error"', 'frame 1 refused internal_error', 'done 6', 'frame 1 b has 0'])
  clock.advance(minuteMs)
  play('a', tellCount)
  t.equal(out.at(-1), 'frame 1 a has 0', 'after the minute it works again')
  play('a', broken)
  play('a', tellCount)
  t.equal(out.at(-1), 'frame 1 a has 0', 'and one more throw is but the first')
})

test('actor host - a quarantine is told as an event, and keeps what nobody tells again until its end', async (t) => {
  const { play, store, host, clock, flush, out } = createStage({
    definitions: [scriptedActor({ tellsQuarantine: true })],
  })
  for (let at = 0; at < 3; at++) play('a', broken)
  await flush()
  t.match(store.view().list(outboxTable, []), [{ event: 'alert.triggered', subject: 'a' }])
  play('a', tellCount, { always: true, ticket: 7 })
  t.same(out, [])
  clock.advance(minuteMs)
  host.runTimers()
  t.same(out, ['frame 1 a has 0', 'done 7'])
})

test('actor host - of an actor that many share, three throws leave one part alone; all others go on, and those who wait wait on', async (t) => {
  const { tell, play, host, clock, out, flush } = createStage({ definitions: [scriptedActor({ hasParts: true })] })
  const waits = (part: string, ask: number) =>
    play('a', forPart(part, keepWaiting), { replyTo: { front: Number(part), ask } })
  waits('1', 11)
  waits('2', 12)
  play('a', add)
  await flush()
  for (let at = 0; at < 3; at++) play('a', forPart('1', failing), asker(20 + at))
  const refusals = [20, 21, 22].map((ask) => `reply ${ask} "internal_error"`)
  t.same(out.splice(0).sort(), ['frame 1 a is 1', 'reply 11 interrupted', ...refusals].sort())
  play('a', forPart('1', tellCount), { always: true })
  tell('a', forPart('1', tellCount), asker(30))
  tell('a', forPart('2', tellCount), { always: true })
  tell('a', forPart('2', answerAll))
  host.run()
  t.same(out.splice(0), ['reply 30 "internal_error"', 'frame 1 a has 1', 'reply 12 "here"'])
  clock.advance(minuteMs)
  host.runTimers()
  t.same(out, ['frame 1 a has 1'], 'what nobody tells again waited for the end of the quarantine')
})

test('actor host - of an actor that many share, what fails a commit waits for its own pause, not for the quarantine of a part', async (t) => {
  const { play, host, clock, out, flush, store } = createStage({ definitions: [scriptedActor({ hasParts: true })] })
  for (let at = 0; at < 3; at++) play('a', forPart('1', failing))
  play('a', forPart('1', tellCount), { always: true })
  store.failNext()
  play('a', forPart('2', add), { always: true })
  await flush()
  t.same(out, [])
  clock.advance(5_000)
  host.runTimers()
  await flush()
  t.same(out, ['frame 1 a is 1'])
})

test('actor host - throws that are far apart quarantine nobody', (t) => {
  const { play, clock, out } = createStage()
  for (let at = 0; at < 6; at++) {
    play('a', broken)
    clock.advance(minuteMs / 2 + 1)
  }
  play('a', tellCount)
  t.same(out, ['frame 1 a has 0'])
  t.end()
})

test('actor host - a timer comes at its time, once; a second one of the same key replaces it', (t) => {
  const { play, host, clock, out } = createStage()
  const arm =
    (key: string, inMs: number, text: string): Script =>
    (_, context) => [{ type: 'schedule', key, at: context.monotonic() + inMs, message: () => [frame(text)] }]
  play('a', arm('x', 100, 'first'))
  play('a', arm('x', 200, 'second'))
  play('a', arm('y', 150, 'other'))
  play('a', arm('z', 160, 'cancelled'))
  play('a', () => [{ type: 'cancel', key: 'z' }])
  t.equal(host.statistics().timers, 2)
  clock.advance(149)
  host.runTimers()
  t.same(out, [])
  clock.advance(51)
  host.runTimers()
  host.runTimers()
  t.same(out, ['frame 1 other', 'frame 1 second'])
  t.equal(host.nextTimer(), undefined)
  t.end()
})

test('actor host - timers end with the memory of the actor, and `activated` arms them again', async (t) => {
  const activated: Script = (_, context) => [
    { type: 'schedule', key: 'x', at: context.monotonic() + 100, message: () => [frame('armed again')] },
  ]
  const { play, host, clock, store, flush, out } = createStage({ definitions: [scriptedActor({ activated })] })
  play('a', tellCount)
  play('a', (_, context) => [
    { type: 'schedule', key: 'mine', at: context.monotonic() + 50, message: () => [frame('never')] },
  ])
  t.equal(host.statistics().timers, 2)
  store.failNext()
  play('a', add)
  await flush()
  t.equal(host.statistics().timers, 0, 'the memory is gone and its timers with it')
  clock.advance(100)
  host.runTimers()
  play('a', tellCount)
  clock.advance(100)
  host.runTimers()
  t.same(out, ['frame 1 a has 0', 'frame 1 a has 0', 'frame 1 armed again'])
})

test('actor host - an idle actor leaves memory, and loads what the store has at its next message', async (t) => {
  const { play, host, clock, flush, out } = createStage({ passivateAfterMs: 1_000 })
  play('a', add)
  await flush()
  t.equal(host.passivate(), 1, 'not yet')
  clock.advance(1_001)
  t.equal(host.passivate(), 0)
  play('a', tellCount)
  t.equal(out.at(-1), 'frame 1 a has 1')
})

test('actor host - an actor stays in memory while it commits, has a timer, or says that it must', async (t) => {
  const { play, host, clock, flush } = createStage({ passivateAfterMs: 1_000 })
  play('commits', add)
  play('times', (_, context) => [{ type: 'schedule', key: 'x', at: context.monotonic() + 1e6, message: tellCount }])
  play('busy', (state) => {
    state.busy = true
    return []
  })
  clock.advance(1_001)
  t.equal(host.passivate(), 3)
  await flush()
  play('times', () => [{ type: 'cancel', key: 'x' }])
  play('busy', (state) => {
    state.busy = false
    return []
  })
  clock.advance(1_001)
  t.equal(host.passivate(), 0)
})

test('actor host - what is noted waits for no disk, and of many notes of a row the newest is written', async (t) => {
  const { play, host, clock, flush, count, out } = createStage()
  const say =
    (count: number): Script =>
    (_, context) => [note(context.id, count), frame(`noted ${count}`)]
  for (const noted of [1, 2, 3]) play('a', say(noted))
  t.same(out.length, 3, 'before anything is on disk')
  t.equal(host.statistics().committing, 0)
  await flush()
  t.equal(count('a'), undefined)
  const due = host.nextTimer() ?? Number.POSITIVE_INFINITY
  t.ok(due > clock.monotonic() && due <= clock.monotonic() + limits.notesWithinMs, `due at ${due}`)
  clock.advance(due - clock.monotonic() - 1)
  host.runTimers()
  await flush()
  t.equal(count('a'), undefined)
  clock.advance(1)
  host.runTimers()
  await flush()
  t.equal(count('a'), 3)
  t.equal(host.nextTimer(), undefined)
})

test('actor host - what many actors note at once is not written at once', async (t) => {
  const { play, host, clock, flush, count } = createStage()
  const ids = Array.from({ length: 200 }, (_, at) => `n${at}`)
  for (const id of ids) play(id, () => [note(id, 1)])
  const until = clock.monotonic() + limits.notesWithinMs
  const written = () => ids.filter((id) => count(id) === 1).length
  let most = 0
  for (let before = 0; written() < ids.length; before = written()) {
    const due = host.nextTimer() ?? Number.POSITIVE_INFINITY
    if (!t.ok(due <= until, `in time, at ${due}`)) return
    clock.advance(Math.max(100, due - clock.monotonic()))
    host.runTimers()
    await flush()
    most = Math.max(most, written() - before)
  }
  t.ok(most <= ids.length / 10, `at most ${most} together`)
})

test('actor host - a row that is removed does not come back by a note, and what leaves is written before', async (t) => {
  const { play, host, clock, store, flush, count } = createStage()
  play('a', () => [note('a', 1)])
  play('a', () => [{ type: 'remove', table: countersTable as never, key: ['a'] }])
  await flush()
  clock.advance(limits.notesWithinMs)
  host.runTimers()
  await flush()
  t.equal(count('a'), undefined)
  play('b', () => [note('b', 2)])
  await host.release(new Set([partitionOf('counter/b')]))
  await flush()
  t.equal(count('b'), 2)
  store.failNext()
  play('c', () => [note('c', 3)])
  clock.advance(limits.notesWithinMs)
  host.runTimers()
  await flush()
  t.equal(count('c'), undefined, 'what the disk refuses then is forgotten, and nobody waits for it')
})

test('actor host - the end of a job is a message', async (t) => {
  const asked: unknown[] = []
  const { play, flush, out } = createStage({
    runJob: async (job, input) => {
      asked.push([job, input])
      return { ok: false, message: 'no paper' }
    },
  })
  play('a', (state, context) => [
    ...add(state, context),
    {
      type: 'job',
      job: 'print',
      input: { page: 1 },
      answer: (outcome) => () => [frame(outcome.ok ? 'printed' : outcome.message)],
    },
  ])
  await settled()
  t.same(asked, [], 'a job starts when the disk has what it follows from')
  await flush()
  await settled()
  t.same(asked, [['print', { page: 1 }]])
  t.equal(out.at(-1), 'frame 1 no paper')
})

test('actor host - numbers are unique, positive, and durable before they are promised', async (t) => {
  const disk = memoryDisk()
  const take: Script = (_, context) => [frame(String(context.nextNumber('transaction')))]
  const first = createStage({ disk })
  first.play('a', take)
  await settled()
  t.same(first.out, [], 'the first number waits for its block to reach the disk')
  await first.flush()
  first.play('a', take)
  await settled()
  t.equal(first.out.length, 2, 'the next ones of the block do not')
  first.store.failNext()
  for (let at = 0; at < 300; at++) first.tell('a', take)
  first.host.run()
  await first.flush()
  t.equal(first.out.length, 2, 'numbers whose block was not written are not promised')

  const second = createStage({ disk })
  second.play('a', take)
  second.play('b', take)
  await second.flush()
  await second.flush()
  const numbers = [...first.out, ...second.out].map((line) => Number(line.split(' ')[2]))
  t.equal(new Set(numbers).size, 4)
  t.ok(numbers.every((number) => Number.isInteger(number) && number > 0 && number < 2 ** 31))
})
