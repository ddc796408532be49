// Turns and commits of the actor host: what is let out, and when.

import { test } from 'tap'
import { outboxTable } from '../../src/runtime/actor/outbox.js'
import { partitionOf } from '../../src/runtime/actor/partition-table.js'
import { limits } from '../../src/runtime/limits.js'
import {
  add,
  asker,
  broken,
  countersTable,
  createStage,
  frame,
  keepWaiting,
  put,
  type Script,
  scriptedActor,
  settled,
  tellCount,
} from './scripted-actors.js'

const minuteMs = 60_000

test('actor host - effects of a durable turn leave only after the flush', async (t) => {
  const { play, flush, out, count } = createStage()
  play('a', (state, context) => [
    ...add(state, context),
    { type: 'send', to: { kind: 'counter', id: 'b' }, message: tellCount },
    { type: 'reply', to: { front: 0, ask: 7 }, body: 'yes' },
    { type: 'close', connection: 1, code: 1000, reason: '' },
  ])
  await settled()
  t.same(out, [], 'nothing is promised before the disk has it')
  t.equal(count('a'), undefined)
  await flush()
  t.same(out, ['frame 1 a is 1', 'send counter/b', 'reply 7 "yes"', 'close 1 1000'])
  t.equal(count('a'), 1)
})

test('actor host - a turn whose requirement does not hold changes nothing, and is told as a conflict', async (t) => {
  const { play, flush, out, count } = createStage()
  const once: Script = (state, context) => [
    { type: 'require', condition: { table: countersTable.name, key: [context.id], is: 'absent' } },
    ...add(state, context),
  ]
  play('a', once, asker(7))
  await flush()
  t.same([count('a'), out], [1, ['frame 1 a is 1']])
  out.length = 0
  play('a', once, asker(8))
  for (let attempt = 0; attempt < limits.messageAttempts; attempt++) await flush()
  t.equal(count('a'), 1)
  t.equal(out.length, 1)
  t.match(out[0], /^reply 8 .*conflict/)
})

test('actor host - what writes nothing is answered at once', (t) => {
  const { play, out } = createStage()
  play('a', tellCount, { ticket: 5 })
  t.same(out, ['frame 1 a has 0', 'done 5'])
  t.end()
})

test('actor host - an answer that writes nothing waits for the durable message before it', async (t) => {
  const { tell, host, flush, out } = createStage()
  tell('a', add, { ticket: 1 })
  tell('a', tellCount, { ticket: 2 })
  host.run()
  t.same(out, [])
  await flush()
  t.same(out, ['frame 1 a is 1', 'frame 1 a has 1', 'done 1', 'done 2'])
})

test('actor host - an actor that reads its writes finds in the store what earlier messages of its batch wrote', async (t) => {
  const { tell, host, flush, out } = createStage({ definitions: [scriptedActor({ readsItsWrites: true })] })
  const readStored: Script = (_state, context) => [
    frame(`stored ${context.read().get(countersTable, [context.id])?.count}`),
  ]
  for (const [ticket, script] of [add, readStored, add, add, readStored].entries())
    tell('a', script, { ticket: ticket + 1 })
  host.run()
  for (let flushed = 0; flushed < 4; flushed++) await flush()
  t.same(
    out.filter((line) => line.startsWith('frame')),
    ['frame 1 a is 1', 'frame 1 stored 1', 'frame 1 a is 2', 'frame 1 a is 3', 'frame 1 stored 3'],
  )
  t.same(
    out.filter((line) => line.startsWith('done')),
    ['done 1', 'done 2', 'done 3', 'done 4', 'done 5'],
  )
})

test('actor host - messages that come during a commit wait for it, those of other actors do not', async (t) => {
  const { play, flush, out } = createStage()
  play('a', add)
  play('a', tellCount)
  play('b', tellCount)
  t.same(out, ['frame 1 b has 0'])
  await flush()
  t.same(out, ['frame 1 b has 0', 'frame 1 a is 1', 'frame 1 a has 1'])
})

test('actor host - every message of an actor is handled once, in the order of its coming', async (t) => {
  const { play, flush, out } = createStage()
  const expected: string[] = []
  for (let at = 0; at < 30; at++) {
    play('a', (state, context) => [...(at % 3 === 0 ? add(state, context) : []), frame(`message ${at}`)])
    expected.push(`frame 1 message ${at}`)
    if (at % 4 === 0) await flush()
  }
  await flush()
  await flush()
  t.same(
    out.filter((line) => line.includes('message')),
    expected,
  )
})

test('actor host - a commit that fails undoes the turn: askers get an error, the actor loads again', async (t) => {
  const { tell, play, host, store, flush, out, count } = createStage({
    definitions: [scriptedActor({ saysRefusals: true })],
  })
  play('a', add)
  await flush()
  out.length = 0
  store.failNext()
  tell('a', add, { ...asker(9), ticket: 4 })
  host.run()
  await flush()
  t.same(out, ['reply 9 "storage_unavailable"', 'frame 1 refused storage_unavailable', 'done 4'])
  t.equal(count('a'), 1)
  play('a', tellCount)
  t.equal(out.at(-1), 'frame 1 a has 1', 'what was not stored is not remembered')
  play('a', add)
  await flush()
  t.equal(count('a'), 2, 'the next write is taken')
  t.equal(host.statistics().failures, 1)
})

test('actor host - a store that loses a commit counts as one that failed', async (t) => {
  const { play, store, out } = createStage({ definitions: [scriptedActor({ saysRefusals: true })] })
  play('a', add)
  store.crash()
  await settled()
  t.same(out, ['frame 1 refused storage_unavailable'])
  play('a', tellCount)
  t.equal(out.at(-1), 'frame 1 a has 0')
})

test('actor host - events reach the disk with the state they tell of, in their order', async (t) => {
  const { play, store, flush, count } = createStage()
  const event = (name: string) => ({
    type: 'event' as const,
    event: { event: name, organizationId: 'org_1', subject: 'a', data: { at: 1 } },
  })
  const names = Array.from({ length: 20 }, (_, at) => `thing.${at}`)
  for (const name of names) {
    play('a', (state, context) => [...add(state, context), event(name)])
    t.equal(store.view().list(outboxTable, []).length, count('a') ?? 0, 'never one without the other')
    await flush()
  }
  t.same(
    store
      .view()
      .list(outboxTable, [])
      .map((row) => row.event),
    names,
  )
  store.failNext()
  play('a', (state, context) => [...add(state, context), event('lost')])
  await flush()
  t.equal(store.view().list(outboxTable, []).length, names.length)
})

test('actor host - a full mailbox refuses, and takes again once it has been worked off', async (t) => {
  const { tell, play, host, flush, out } = createStage({ definitions: [scriptedActor({ mailboxMessages: 3 })] })
  play('a', add)
  t.same(
    [tell('a', tellCount), tell('a', tellCount), tell('a', tellCount), tell('a', tellCount)],
    [true, true, true, false],
  )
  t.equal(host.statistics().mailbox, 3)
  await flush()
  t.equal(out.filter((line) => line.includes('has')).length, 3)
  t.ok(tell('a', tellCount))
})

test('actor host - the mailbox of a kind that says nothing has the general bound', (t) => {
  const { tell } = createStage()
  for (let at = 0; at < limits.mailboxMessages; at++) tell('a', tellCount)
  t.notOk(tell('a', tellCount))
  t.end()
})

test('actor host - a question that nobody waits for any more is not handled', async (t) => {
  const { play, tell, host, clock, flush, out } = createStage()
  play('a', add)
  tell('a', tellCount, { ...asker(1), expiresAt: clock.monotonic() + 100 })
  tell('a', tellCount, { ...asker(2), expiresAt: clock.monotonic() + 101 })
  clock.advance(100)
  await flush()
  host.run()
  t.same(out, ['frame 1 a is 1', 'frame 1 a has 1'])
})

test('actor host - what nobody tells again is taken by a full mailbox: timers and ends of jobs', async (t) => {
  const { tell, play, host, clock, flush, out } = createStage({
    definitions: [scriptedActor({ mailboxMessages: 1 })],
    runJob: () => Promise.resolve({ ok: true, value: 'paper' }),
  })
  play('a', (_, context) => [
    { type: 'schedule', key: 'alarm', at: context.monotonic() + 50, message: () => [frame('the alarm')] },
    { type: 'job', job: 'print', input: 1, answer: (outcome) => () => [frame(`the job: ${JSON.stringify(outcome)}`)] },
    put('a', 1),
  ])
  await flush()
  await settled()
  t.same(out, ['frame 1 the job: {"ok":true,"value":"paper"}'])
  play('a', add)
  t.ok(tell('a', tellCount))
  t.notOk(tell('a', tellCount))
  clock.advance(50)
  host.runTimers()
  await flush()
  t.equal(out.at(-1), 'frame 1 the alarm')
})

test('actor host - a kind that does not exist is an error of the program', (t) => {
  const { host } = createStage()
  t.throws(() => host.deliver({ kind: 'nobody', id: '1' }, { message: broken }), /no actor of kind nobody/)
  t.end()
})

test('actor host - whoever asked earlier and was to be answered with a turn that could not be stored is interrupted', async (t) => {
  const { play, store, flush, out } = createStage()
  store.failNext()
  play('a', (state, context) => [...add(state, context), { type: 'reply', to: asker(9).replyTo, body: 'yes' }])
  await flush()
  t.same(out, ['reply 9 interrupted'], 'what they asked for had been begun')
})

test('actor host - whoever waits for an answer hears when the memory of the question is lost', async (t) => {
  const { tell, play, host, store, flush, out } = createStage()
  play('a', keepWaiting, asker(1))
  play('b', keepWaiting, asker(2))
  play('b', keepWaiting, asker(3))
  t.same(out, [])
  play('a', broken, asker(4))
  t.same(out, ['reply 4 "internal_error"', 'reply 1 interrupted'], 'a throw loses the state')
  out.length = 0
  store.failNext()
  tell('b', keepWaiting, asker(5))
  tell('b', add, asker(6))
  host.run()
  await flush()
  const refused = ['reply 5 "storage_unavailable"', 'reply 6 "storage_unavailable"']
  t.same(out, [...refused, 'reply 2 interrupted', 'reply 3 interrupted'], 'and so does a commit that is refused')
  out.length = 0
  play('a', broken)
  play('b', broken)
  t.same(out, [], 'nobody is told twice')
})

test('actor host - what nobody tells again is handled when the disk takes writes again, in its order', async (t) => {
  const { play, tell, host, store, clock, flush, out, count } = createStage({
    definitions: [scriptedActor({ saysRefusals: true })],
  })
  store.failNext()
  play('a', add, { always: true, ticket: 1 })
  await flush()
  tell('a', tellCount, { always: true, ticket: 2 })
  tell('a', tellCount, { ticket: 3 })
  host.run()
  t.same(out, ['frame 1 a has 0', 'done 3'], 'neither refused nor done; others are handled meanwhile')
  clock.advance(minuteMs)
  t.equal(host.passivate(), 1, 'it stays in memory for that')
  host.runTimers()
  await flush()
  t.same(out.slice(2), ['frame 1 a is 1', 'frame 1 a has 1', 'done 1', 'done 2'])
  t.equal(count('a'), 1)
})

test('actor host - an owner that has been replaced says nothing of what it could not store', async (t) => {
  const { play, store, flush, out, count } = createStage({ definitions: [scriptedActor({ saysRefusals: true })] })
  void store.fence([partitionOf('counter/a')], [2])
  play('a', add, { ...asker(9), ticket: 4 })
  await flush()
  t.same(out, [], 'no refusal, no acknowledgement: its successor is told the same message')
  t.equal(count('a'), undefined)
})

test('actor host - what actors send each other and themselves waits for the next slice', (t) => {
  let asked = 0
  const { play, host, out } = createStage({ delivers: true, again: () => asked++ })
  const goOn: Script = (_, { id }) => [{ type: 'send', to: { kind: 'counter', id }, message: goOn }]
  play('a', goOn)
  t.same([out.splice(0), asked], [['send counter/a'], 1], 'one turn, and no other until the thread comes back to it')
  host.run()
  t.same([out.splice(0), asked], [['send counter/a'], 2])
  t.end()
})

test('actor host - a slice ends when its time is over, between actors and between messages of one', (t) => {
  let asked = 0
  const { tell, host, clock, out } = createStage({ again: () => asked++ })
  const slow: Script = (_, { id }) => {
    clock.advance(limits.sliceMs * 0.6)
    return [frame(id)]
  }
  for (const id of ['a', 'b', 'b', 'b', 'c']) tell(id, slow)
  const slices: string[][] = []
  do {
    host.run()
    slices.push(out.splice(0).map((line) => line.replace('frame 1 ', '')))
  } while (asked === slices.length)
  t.same(slices, [['a', 'b'], ['c', 'b'], ['b']])
  t.equal(asked, 2, 'asked for again only while something is left')
  t.end()
})

test('actor host - a requirement that does not hold refuses its own message, in its own words, and none of its batch', async (t) => {
  const { tell, host, flush, out, count } = createStage()
  const condition = { table: countersTable.name, key: ['b'], is: 'present' } as const
  const refusal = { code: 'too_many_webhook_endpoints', message: 'there is no room' } as const
  const requires: Script = (state, context) => [{ type: 'require', condition, refusal }, ...add(state, context)]
  const hear: Script = (state, context) => [
    ...add(state, context),
    ...(context.replyTo === undefined ? [] : [{ type: 'reply' as const, to: context.replyTo, body: state.count }]),
  ]
  tell('a', hear, asker(1))
  tell('a', requires, asker(2))
  tell('a', hear, asker(3))
  host.run()
  for (let flushed = 0; flushed < 2 + limits.messageAttempts; flushed++) await flush()
  t.same(
    out.filter((line) => line.startsWith('reply')),
    ['reply 1 1', 'reply 2 "too_many_webhook_endpoints"', 'reply 3 2'],
  )
  t.equal(count('a'), 2)
})

test('actor host - a message that was overtaken by the commit of another actor is handled again, by what is stored then', async (t) => {
  const { tell, host, flush, out, count } = createStage()
  const first: Script = (state, context) => {
    const taken = context.read().get(countersTable, ['shared']) !== undefined
    state.count += 10
    const { replyTo } = context
    const answer = replyTo === undefined ? [] : [{ type: 'reply' as const, to: replyTo, body: [taken, state.count] }]
    if (taken) return [put(context.id, state.count), ...answer]
    const free = { type: 'require', condition: { table: countersTable.name, key: ['shared'], is: 'absent' } } as const
    return [free, put('shared', 1), put(context.id, state.count), ...answer]
  }
  tell('a', first, { ...asker(1), ticket: 1 })
  tell('b', keepWaiting, asker(5))
  tell('b', first, { ...asker(2), ticket: 2 })
  tell('b', add, { ticket: 3 })
  host.run()
  for (let flushed = 0; flushed < 3; flushed++) await flush()
  t.same(out, [
    'reply 1 [false,10]',
    'done 1',
    'reply 5 interrupted',
    'reply 2 [true,10]',
    'frame 1 b is 11',
    'done 2',
    'done 3',
  ])
  t.same([count('a'), count('b')], [10, 11], 'each change was made once, and none of the first attempt is left')
})
