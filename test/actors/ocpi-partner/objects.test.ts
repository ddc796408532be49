// What a partner is told of the objects that change, and how: whole or in parts, each in its order, the newest state once.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { createStage, emsp, minute, partnerId, second } from './stage.js'

test('ocpi partner - a session is sent whole at its beginning and its end, and in parts between', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.start('ses_1')
  await stage.charge('ses_1', 1)
  await stage.charge('ses_1', 2)
  await stage.end('ses_1')
  t.same(stage.lines(), [
    'PUT sessions/ses_1',
    'PATCH sessions/ses_1',
    'PATCH sessions/ses_1',
    'PUT sessions/ses_1',
    'POST cdrs',
  ])
  t.same(stage.pushed[1]?.body, { kwh: 1 })
  t.match(stage.pushed[3]?.body, { status: 'COMPLETED' })
  t.match(stage.pushed[0]?.call, {
    owner: partnerId,
    url: 'https://emsp.example/sessions/DE/AMP/ses_1',
    token: { plain: 'secret' },
    routing: { from: { country_code: 'DE', party_id: 'AMP' }, to: emsp },
  })
})

test('ocpi partner - sessions of others, and objects without a receiver, are not sent', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  await stage.start('ses_1', 'ocp_2')
  await stage.end('ses_1')
  await stage.start('ses_2')
  await stage.place('LOC', { E1: 'AVAILABLE' })
  stage.tariffs.set('T1', 'now')
  await stage.pass(minute)
  t.same(stage.lines(), [])
  t.equal(stage.cdr('ses_1'), undefined)
  await stage.end('ses_2')
  t.same(stage.lines(), ['POST cdrs'])
})

test('ocpi partner - a session that goes on without an event is looked at once a minute, and sent where it has changed', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.start('ses_1')
  await stage.pass(3 * minute)
  t.equal(stage.pushed.length, 1)
  const session = stage.sessions.get('ses_1')
  if (session !== undefined) session.kwh = 7
  await stage.pass(minute)
  t.same(stage.lines(), ['PUT sessions/ses_1', 'PATCH sessions/ses_1'])
  await stage.end('ses_1')
  const sent = stage.pushed.length
  await stage.pass(5 * minute)
  t.equal(stage.pushed.length, sent, 'and no more once it has ended')
})

test('ocpi partner - while one call of an object is under way, its changes are one', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => ({ afterMs: 10 * second }))
  await stage.start('ses_1')
  for (let kwh = 1; kwh <= 50; kwh++) await stage.charge('ses_1', kwh)
  await stage.start('ses_2')
  t.same(stage.lines(), ['PUT sessions/ses_1', 'PUT sessions/ses_2'], 'beside those of others')
  await stage.pass(minute)
  t.same(stage.lines().slice(2), ['PATCH sessions/ses_1'])
  t.same(stage.pushed[2]?.body, { kwh: 50 })
})

test('ocpi partner - a status that changes is sent as that of its EVSE, and what else changes as the location', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.place('LOC', { E1: 'AVAILABLE', E2: 'AVAILABLE' })
  await stage.place('LOC', { E1: 'CHARGING', E2: 'AVAILABLE' })
  t.same(stage.lines(), ['PUT locations/LOC', 'PATCH locations/LOC/E1'])
  t.same(stage.pushed[1]?.body, { status: 'CHARGING', last_updated: new Date(stage.clock.now()).toISOString() })
  await stage.place('LOC', { E1: 'AVAILABLE', E2: 'CHARGING' })
  t.same(stage.lines().slice(2), ['PATCH locations/LOC/E1', 'PATCH locations/LOC/E2'])
  await stage.place('LOC', { E1: 'AVAILABLE', E2: 'CHARGING' }, { name: 'Another name' })
  t.same(stage.lines().slice(4), ['PUT locations/LOC'])
  await stage.place('LOC', { E1: 'AVAILABLE', E2: 'CHARGING', E3: 'AVAILABLE' }, { name: 'Another name' })
  t.same(stage.lines().slice(5), ['PUT locations/LOC'])
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`E${at}`, 'AVAILABLE']))
  await stage.place('BIG', many)
  await stage.place('BIG', Object.fromEntries(Object.keys(many).map((uid) => [uid, 'UNKNOWN'])))
  t.same(stage.lines().slice(6), ['PUT locations/BIG', 'PUT locations/BIG'])
})

test('ocpi partner - a part that the partner refuses is followed by the whole', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.place('LOC', { E1: 'AVAILABLE' })
  await stage.start('ses_1')
  stage.partner(({ call }) => (call.method === 'PATCH' ? { http: 404, code: 2003 } : {}))
  await stage.place('LOC', { E1: 'CHARGING' })
  await stage.charge('ses_1', 3)
  await stage.pass(second)
  t.same(stage.lines().slice(2), [
    'PATCH locations/LOC/E1',
    'PUT locations/LOC',
    'PATCH sessions/ses_1',
    'PUT sessions/ses_1',
  ])
})

test('ocpi partner - an object that the partner refuses is sent three times, and again when it changes', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(({ path }) => (path === 'sessions/ses_1' ? { code: 2001, message: 'no such currency' } : {}))
  await stage.start('ses_1')
  await stage.start('ses_2')
  await stage.pass(10 * minute)
  t.equal(stage.lines().filter((line) => line === 'PUT sessions/ses_1').length, limits.ocpiRefusals)
  t.ok(stage.lines().includes('PUT sessions/ses_2'), 'others are not held up')
  t.match(
    stage.exchanges().filter(({ error }) => error !== undefined),
    [{ module: 'sessions', error: 'no such currency' }, {}, {}],
  )
  stage.partner(() => ({}))
  await stage.charge('ses_1', 4)
  t.equal(stage.lines().at(-1), 'PUT sessions/ses_1')
})

test('ocpi partner - tariffs are sent when they are new or another, and deleted when they are offered no more', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.tariffs.set('T1', 'monday').set('T2', 'monday')
  await stage.pass(limits.ocpiLookEveryMs)
  t.same(stage.lines(), ['PUT tariffs/T1', 'PUT tariffs/T2'])
  await stage.pass(minute)
  t.equal(stage.pushed.length, 2)
  stage.tariffs.set('T1', 'tuesday').delete('T2')
  stage.partner(({ call }) => (call.method === 'DELETE' ? { http: 404, code: 2000 } : {}))
  await stage.pass(limits.ocpiLookEveryMs)
  t.same(stage.lines().slice(2), ['PUT tariffs/T1', 'DELETE tariffs/T2'])
  t.same(stage.knownTariffs(), ['T1'])
  await stage.restart()
  await stage.pass(minute)
  t.equal(stage.pushed.length, 4, 'also after a restart')
})

test('ocpi partner - a tariff that the partner refuses is not sent again and again', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => ({ code: 2001 }))
  stage.tariffs.set('T1', 'monday')
  await stage.pass(10 * minute)
  t.equal(stage.pushed.length, limits.ocpiRefusals)
})

test('ocpi partner - one that registers, also again, is sent all locations once, and then changes', async (t) => {
  const stage = createStage()
  const names = Array.from({ length: 3 * limits.ocpiEventsPerRead }, (_, at) => `LOC${at}`)
  for (const name of names) await stage.place(name, { [`${name}_1`]: 'AVAILABLE' })
  const sent = async () => {
    const before = stage.pushed.length
    await stage.pass(minute)
    return stage.lines().slice(before).sort()
  }
  const all = names.map((name) => `PUT locations/${name}`).sort()
  await stage.register({}, ['sessions'])
  t.same(await sent(), [], 'one without a place for them reads them')
  await stage.register({}, ['locations'])
  t.same(stage.lines().sort(), all)
  await stage.place('LOC1', { LOC1_1: 'CHARGING' })
  t.same(stage.lines().slice(all.length), ['PATCH locations/LOC1/LOC1_1'])
  await stage.pass(minute)
  await stage.restart()
  t.same(await sent(), [], 'and not again after a restart')
  await stage.register({ status: 'ended' })
  stage.clock.advance(minute)
  await stage.register({}, ['locations'])
  t.same(
    stage
      .lines()
      .slice(all.length + 1)
      .sort(),
    all,
  )
  const first = createStage()
  await first.place('LOC', { LOC_1: 'AVAILABLE' })
  first.clock.advance(minute)
  first.crash()
  await first.register({}, ['locations'])
  t.same(first.lines(), ['PUT locations/LOC'], 'also one that has a place for them from the beginning')
})
