// Partners and organizations that are many times larger than usual, and what of them may hold up what else.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { createMemoryShares } from '../../../src/actors/ocpi-partner/memory-shares.js'
import { createOfferedTariffs } from '../../../src/actors/ocpi-partner/offered-tariffs.js'
import type { Location } from '../../../src/ocpi/schemas/location.js'
import { createStage, hour, minute, organizationId, partnerId, type Stage, second } from './stage.js'

/** So many locations that have changed at a time, or each ms four. */
function changeLocations(stage: Stage, count: number, at?: number): void {
  for (let index = 0; index < count; index++) {
    const updatedAt = at ?? stage.clock.now() + Math.floor(index / 4)
    const location = { id: `LOC-${index}`, evses: [], last_updated: new Date(updatedAt).toISOString() }
    stage.locations.set(location.id, { updatedAt, location: location as unknown as Location })
  }
}

test('ocpi partner - thousands of sessions of which it knows everything take a few in each turn', async (t) => {
  const stage = createStage()
  await stage.register()
  const count = 1_000
  for (let at = 0; at < count; at++) {
    stage.sessions.set(`ses_${at}`, { kwh: 0, status: 'ACTIVE', bill: 'unknown', partnerId })
    await stage.append('session.started', { session_id: `ses_${at}` })
  }
  await stage.pass(10 * second)
  t.equal(stage.pushed.length, count)
  stage.partner(() => 'unreachable')
  await stage.charge('ses_1', 1)
  await stage.pass(4 * minute)
  stage.partner(() => ({}))
  let [read, most, isOver] = [0, 0, false]
  const get = stage.sessions.get.bind(stage.sessions)
  stage.sessions.get = (id) => {
    read++
    return get(id)
  }
  const perTurn = (): void => {
    most = Math.max(most, read)
    read = 0
    if (!isOver) setImmediate(perTurn)
  }
  perTurn()
  await stage.pass(10 * minute)
  isOver = true
  t.ok(most > 0 && most <= limits.ocpiLooksPerTurn + 2, `${most} in one turn`)
  t.match(stage.pushed.at(-1)?.body, { kwh: 1 }, 'what it does not know is sent')
})

test('ocpi partner - locations that have changed by the thousands, at a slow partner, hold up no session and no CDR', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => ({ afterMs: 2_000 }))
  changeLocations(stage, 4 * limits.ocpiPending)
  stage.clock.advance(minute)
  await stage.tell({ type: 'locations-changed' })
  await stage.pass(minute)
  await stage.start('ses_1')
  await stage.pass(10 * second)
  t.ok(stage.lines().includes('PUT sessions/ses_1'))
  await stage.end('ses_1')
  await stage.pass(20 * second)
  t.equal(stage.lines().filter((line) => line === 'PUT sessions/ses_1').length, 2)
  t.ok(stage.lines().includes('POST cdrs'))
  await stage.pass(hour)
  t.equal(new Set(stage.lines().filter((line) => /^PUT locations/.test(line))).size, 4 * limits.ocpiPending)
})

test('ocpi partner - CDRs are made while it is away, however much waits for it, and sessions are told afterwards', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'unreachable')
  const count = limits.ocpiPending + 2 * limits.ocpiEventsPerRead
  for (let at = 0; at < count; at++) {
    stage.sessions.set(`ses_${at}`, { kwh: 0, status: 'COMPLETED', bill: 10, partnerId })
    await stage.append('session.ended', { session_id: `ses_${at}` })
  }
  await stage.pass(hour)
  t.same(stage.cdrs(`ses_${count - 1}`), [`ses_${count - 1}`], 'it is there to be read')
  stage.partner(() => ({}))
  await stage.pass(2 * hour)
  const told = (lines: readonly string[], what: string): number =>
    new Set(lines.filter((line) => line.startsWith(what))).size
  t.equal(told(stage.lines(), 'PUT sessions'), count, 'and each session is told')
  const posted = stage.pushed.filter(({ call }) => call.method === 'POST').map(({ body }) => body.id)
  t.equal(new Set(posted).size, count)
  t.same(stage.cdrs('ses_1'), ['ses_1'], 'each is billed once')
})

test('ocpi partner - each of many locations that have changed at the same time is told', async (t) => {
  const stage = createStage()
  await stage.register()
  const count = 3 * limits.ocpiEventsPerRead + 1
  // Before the clock was set back.
  changeLocations(stage, count, stage.clock.now() + hour)
  await stage.tell({ type: 'locations-changed' })
  await stage.pass(minute)
  t.equal(new Set(stage.lines()).size, count)
  const before = stage.pushed.length
  await stage.pass(10 * minute)
  t.equal(stage.pushed.length, before, 'once')
})

test('ocpi partner - sessions that ran when the service ended are told as they go on, without an event', async (t) => {
  const stage = createStage()
  await stage.register()
  const count = limits.ocpiEventsPerRead + 10
  for (let at = 0; at < count; at++) await stage.start(`ses_${1_000 + at}`)
  await stage.pass(minute)
  for (const session of stage.sessions.values()) session.kwh = 5
  await stage.restart()
  await stage.pass(2 * minute)
  const sent = stage.pushed.slice(count)
  t.equal(sent.length, count, 'each once')
  t.ok(
    sent.every(({ call, body }) => call.method === 'PUT' && body.kwh === 5),
    'whole: what the partner has is not known',
  )
  t.ok(new Set(sent.map(({ at }) => at)).size > count / 4, 'and not all at once')
})

test('ocpi partner - one that ends the connection and registers again at once is told what it had not heard', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'unreachable')
  await stage.start('ses_1')
  await stage.end('ses_1')
  await stage.place('LOC-1', { 'LOC-1_1': 'AVAILABLE' })
  await stage.pass(10 * second)
  await stage.register({ status: 'ended' })
  await stage.pass(5 * second)
  stage.partner(() => ({}))
  const before = stage.pushed.length
  await stage.register()
  await stage.pass(minute)
  t.same(stage.lines().slice(before).sort(), ['POST cdrs', 'PUT locations/LOC-1', 'PUT sessions/ses_1'])
})

test('ocpi partner - events of others cost it a read now and then', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.start('ses_other', 'ptn_other')
  const before = stage.steps()
  for (let at = 0; at < 1_000; at++) {
    await stage.append('session.cost_updated', { session_id: 'ses_other' })
    await stage.turn()
    stage.clock.advance(1)
  }
  const steps = stage.steps() - before
  t.ok(steps > 5 && steps < 40, `${steps} in a second`)
  await stage.start('ses_1')
  t.same(stage.lines(), ['PUT sessions/ses_1'], 'and hears its own')
})

test('ocpi partner - what is remembered of locations is shared by the partners of a shard', (t) => {
  const shares = createMemoryShares()
  t.equal(shares.of('ptn_0', 0), limits.ocpiRemembered, 'one alone has what a partner may have')
  for (let index = 1; index < 400; index++) shares.of(`ptn_${index}`, 1)
  t.equal(shares.of('ptn_0', 2), limits.ocpiRememberedByAll / 400)
  t.equal(shares.of('ptn_0', 100_000), limits.ocpiRemembered, 'those that have gone leave their part')
  t.end()
})

test('ocpi partner - tariffs are read once for all partners of an organization, and as seldom as it takes long', (t) => {
  let [now, reads] = [0, 0]
  const offers = createOfferedTariffs({
    tariffs() {
      reads++
      now += 100
      return new Map([['trf_1', `${reads}`]])
    },
  })
  const clock = { now: () => 0, monotonic: () => now }
  const read = () => offers.of({} as never, organizationId, clock).get('trf_1')
  t.equal(read(), '1')
  now += 1_900
  t.equal(read(), '1')
  now += 200
  t.equal(read(), '2')
  t.equal(reads, 2)
  t.end()
})
