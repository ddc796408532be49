// A partner that fails, hangs, comes back or goes, and a service that ends in between: what is sent again, how often, and what is never lost.

import { test } from 'tap'
import { limits } from '../../../src/actors/ocpi-partner/limits.js'
import { createStage, hour, minute, organizationId, partnerId, second } from './stage.js'

test('ocpi partner - one that does not answer is asked by one call, ever more rarely, and then told of everything once', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.start('ses_0')
  stage.partner(() => 'unreachable')
  for (let at = 1; at <= 20; at++) await stage.start(`ses_${at}`)
  await stage.pass(hour)
  const asked = stage.pushed.length
  t.ok(asked < 40, `${asked} calls in an hour`)
  t.match(stage.progress(), { failing_since: Number, last_error: 'refused' })
  for (let kwh = 1; kwh <= 10; kwh++) for (let at = 1; at <= 20; at++) await stage.charge(`ses_${at}`, kwh)
  stage.partner(() => ({}))
  const before = stage.pushed.length
  await stage.pass(limits.ocpiLongestPauseMs)
  const sent = stage.lines().slice(before)
  t.equal(new Set(sent).size, sent.length, 'each once')
  t.equal(sent.filter((line) => /^PUT sessions/.test(line)).length, 20)
  t.ok(
    stage.pushed.slice(before).every(({ body }) => body.kwh === 10 || body.kwh === 0),
    'as they are now',
  )
  t.equal(stage.progress()?.failing_since, undefined)
})

test('ocpi partner - one that hangs has one call under way, and many again when it answers', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'never')
  for (let at = 0; at < 100; at++) await stage.append('session.started', { session_id: `ses_${at}` })
  for (let at = 0; at < 100; at++) await stage.start(`ses_${at}`)
  t.equal(stage.underWay(), limits.ocpiFirstPushes)
  await stage.pass(minute)
  t.ok(stage.underWay() <= 1)
  let atOnce = 0
  stage.partner(() => {
    atOnce = Math.max(atOnce, stage.underWay() + 1)
    return { afterMs: 100 }
  })
  await stage.pass(10 * minute)
  t.equal(new Set(stage.lines()).size, 100)
  t.ok(atOnce > 10 && atOnce <= limits.ocpiPushes, `${atOnce} at once`)
})

test('ocpi partner - one that answers with HTML, or with 5xx, is not taken for one that knows', async (t) => {
  for (const reaction of ['html', { http: 503 }, { code: 3000 }, { http: 401, code: 2000 }] as const) {
    const stage = createStage()
    await stage.register()
    let failures = 3
    stage.partner(() => (failures-- > 0 ? reaction : {}))
    await stage.start('ses_1')
    await stage.pass(hour)
    t.equal(stage.pushed.length, 4)
  }
})

test('ocpi partner - one object at which it fails holds up no other', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(({ path }) => (path === 'sessions/bad' ? { http: 500 } : {}))
  await stage.start('bad')
  for (let at = 0; at < 50; at++) {
    await stage.start(`ses_${at}`)
    await stage.pass(second)
    t.ok(stage.lines().includes(`PUT sessions/ses_${at}`))
  }
  await stage.pass(hour)
  t.equal(stage.lines().filter((line) => line.endsWith('bad')).length, limits.ocpiFailedAnswers)
})

test('ocpi partner - what it has not been told when the service ends is told after the start', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'never')
  await stage.start('ses_1')
  await stage.place('LOC', { E1: 'AVAILABLE' })
  await stage.end('ses_1')
  stage.partner(() => ({}))
  const before = stage.pushed.length
  await stage.restart()
  await stage.pass(minute)
  t.same(stage.lines().slice(before).sort(), ['POST cdrs', 'PUT locations/LOC', 'PUT sessions/ses_1'])
  const sent = stage.pushed.length
  await stage.restart()
  await stage.pass(minute)
  t.equal(stage.pushed.length, sent, 'and once')
})

test('ocpi partner - its place is stored after many events, and never behind what it does not know', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(({ path }) => (path.endsWith('bad') ? { code: 2001 } : {}))
  await stage.start('bad')
  await stage.place('bad', { E1: 'AVAILABLE' })
  for (let at = 0; at < limits.ocpiUnstoredEvents + 10; at++) {
    await stage.append('session.started', { session_id: 'none' })
    if (at % 100 === 0) await stage.place(`LOC${at}`, { E1: 'AVAILABLE' })
  }
  await stage.settle()
  t.ok((stage.progress()?.cursor ?? '') > '', 'it is stored')
  const before = stage.pushed.length
  stage.partner(() => ({}))
  await stage.restart()
  const told = stage.lines().slice(before)
  t.ok(told.includes('PUT sessions/bad') && told.includes('PUT locations/bad'), told.join())
})

test('ocpi partner - a CDR is posted until the partner has it, however long that takes', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  stage.partner(() => 'unreachable')
  await stage.start('ses_1')
  await stage.end('ses_1')
  for (let day = 0; day < 30; day++) {
    await stage.pass(24 * hour)
    if (day % 7 === 0) await stage.restart()
  }
  stage.partner(() => ({ http: 201, location: 'https://emsp.example/cdrs/1' }))
  await stage.pass(limits.ocpiLongestPauseMs)
  const cdr = stage.cdr('ses_1')
  t.match(cdr, { sent: [{ cdr_id: 'ses_1', location: 'https://emsp.example/cdrs/1' }] })
  t.equal(cdr?.next_attempt_at, undefined)
  const sent = stage.pushed.length
  await stage.restart()
  await stage.pass(24 * hour)
  t.equal(stage.pushed.length, sent)
})

test('ocpi partner - a CDR that is refused is sent again for a fortnight, and what corrects it comes after it', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  stage.partner(({ body }) => (body.id === 'ses_1' ? { code: 2001, message: 'unknown token' } : {}))
  await stage.start('ses_1')
  await stage.end('ses_1')
  await stage.end('ses_1', 12)
  await stage.pass(24 * hour)
  t.ok(stage.pushed.every(({ body }) => body.id === 'ses_1'))
  t.match(stage.cdr('ses_1'), { error: 'unknown token', attempts: Number })
  t.ok((stage.cdr('ses_1')?.attempts ?? 0) > 7)
  stage.partner(() => ({}))
  await stage.pass(6 * hour)
  t.same(
    stage.pushed.slice(-3).map(({ body }) => body.id),
    ['ses_1', 'ses_1-C', 'ses_1-2'],
  )
  stage.partner(() => ({ code: 2001 }))
  await stage.start('ses_2')
  await stage.end('ses_2')
  await stage.pass(20 * 24 * hour)
  t.match(stage.cdr('ses_2'), { given_up_at: Number })
  const sent = stage.pushed.length
  await stage.pass(10 * 24 * hour)
  t.equal(stage.pushed.length - sent, 10, 'and from then on once a day')
})

test('ocpi partner - a clock that is set back holds up no CDR, in a service that runs and in one that starts', async (t) => {
  for (const [when, restarts] of [
    ['while it runs', false],
    ['while it is down', true],
  ] as const) {
    const stage = createStage()
    await stage.register({}, ['cdrs'])
    stage.partner(() => ({ code: 2001 }))
    await stage.start('ses_1')
    await stage.end('ses_1')
    await stage.start('ses_2')
    await stage.end('ses_2', 'unknown')
    await stage.pass(2 * 24 * hour)
    if (restarts) stage.crash()
    stage.clock.set(stage.clock.now() - 30 * 24 * hour)
    if (restarts) await stage.restart()
    const sent = stage.pushed.length
    await stage.start('ses_3')
    await stage.end('ses_3')
    t.ok(
      stage.pushed.slice(sent).some(({ body }) => body.id === 'ses_3'),
      `what ends ${when} is posted at once`,
    )
    Object.assign(stage.sessions.get('ses_2') ?? {}, { bill: 4 })
    stage.partner(() => ({}))
    await stage.pass(7 * hour)
    for (const id of ['ses_1', 'ses_2', 'ses_3']) t.match(stage.cdr(id), { sent: [{ cdr_id: id }] }, `${id} ${when}`)
  }
})

test('ocpi partner - a CDR is given up after a fortnight of attempts, not when the clock is set ahead', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  stage.partner(() => ({ code: 2001 }))
  await stage.start('ses_1')
  await stage.end('ses_1')
  stage.clock.set(stage.clock.now() + 365 * 24 * hour)
  await stage.pass(24 * hour)
  t.equal(stage.cdr('ses_1')?.given_up_at, undefined)
  t.same(stage.alerts(), [])
})

test('ocpi partner - an alert says that CDRs were given up, and ends when the partner has taken them', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  stage.partner(({ body }) => (body.id === 'bad' ? { code: 2001, message: 'unknown token' } : {}))
  await stage.start('bad')
  await stage.end('bad')
  await stage.pass(13 * 24 * hour)
  t.same(stage.alerts(), [])
  await stage.pass(2 * 24 * hour)
  t.match(stage.alerts(), [
    { kind: 'roaming_cdrs_given_up', status: 'open', details: { partner_id: partnerId, cdrs_given_up: 1 } },
  ])
  t.match(stage.alerts()[0]?.message, /one CDR for the roaming partner An eMSP .* 14 days: unknown token/)
  await stage.restart()
  await stage.start('good')
  await stage.end('good')
  await stage.pass(hour)
  t.equal(stage.alerts().length, 1, 'it stays open, and no other is raised')
  t.equal(stage.alerts()[0]?.status, 'open')
  stage.partner(() => ({}))
  await stage.pass(25 * hour)
  t.match(stage.alerts(), [{ status: 'resolved', resolution: 'the roaming partner has taken all of the CDRs' }])
})

test('ocpi partner - an alert says that nothing has reached the partner for an hour, and ends when something does', async (t) => {
  for (const reaction of ['unreachable', 'html', { http: 401, code: 2000 }] as const) {
    const stage = createStage()
    await stage.register()
    stage.partner(() => reaction)
    await stage.start('ses_1')
    await stage.pass(55 * minute)
    t.same(stage.alerts(), [])
    await stage.start('ses_2')
    await stage.pass(10 * minute)
    t.match(stage.alerts(), [{ kind: 'roaming_partner_unreachable', status: 'open', subject: partnerId }])
    await stage.restart()
    stage.clock.set(stage.clock.now() - 24 * hour)
    await stage.start('ses_3')
    await stage.pass(6 * hour)
    t.equal(stage.alerts().length, 1, 'one, also after a restart and with another clock')
    t.equal(stage.alerts()[0]?.status, 'open')
    stage.partner(() => ({}))
    await stage.start('ses_4')
    await stage.pass(6 * minute)
    t.match(stage.alerts(), [{ status: 'resolved', resolution: 'the roaming partner answers again' }])
  }
})

test('ocpi partner - its alerts end with its connection', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'unreachable')
  await stage.start('ses_1')
  await stage.pass(2 * hour)
  t.match(stage.alerts(), [{ status: 'open' }])
  await stage.register({ status: 'ended' })
  t.match(stage.alerts(), [{ status: 'resolved', resolution: 'the connection with the roaming partner has ended' }])
  await stage.restart()
  await stage.pass(hour)
  t.equal(stage.alerts().length, 1)
})

test('ocpi partner - a CDR that the partner says it has already is not posted again', async (t) => {
  for (const reaction of [
    { http: 409, code: 2000 },
    { code: 2001, message: 'this CDR already exists' },
  ]) {
    const stage = createStage()
    await stage.register({}, ['cdrs'])
    stage.partner(() => reaction)
    await stage.start('ses_1')
    await stage.end('ses_1')
    await stage.pass(hour)
    t.equal(stage.pushed.length, 1)
    t.match(stage.cdr('ses_1'), { sent: [{ cdr_id: 'ses_1' }] })
  }
})

test('ocpi partner - a session that cannot be billed yet is billed when it can', async (t) => {
  const stage = createStage()
  await stage.register({}, ['cdrs'])
  await stage.start('ses_1')
  await stage.end('ses_1', 'unknown')
  const session = stage.sessions.get('ses_1')
  await stage.pass(3 * hour)
  t.match(stage.cdr('ses_1'), { error: 'nobody knows the price' })
  if (session !== undefined) session.bill = 3
  await stage.pass(6 * hour)
  t.equal(stage.pushed.length, 1)
  t.equal(stage.cdr('ses_1')?.error, undefined)
})

test('ocpi partner - CDRs are made also for a partner that is away, and for one that takes none by itself', async (t) => {
  const stage = createStage()
  await stage.register({}, ['sessions'])
  await stage.start('ses_1')
  await stage.end('ses_1')
  t.same(stage.cdrs('ses_1'), ['ses_1'])
  await stage.register()
  stage.partner(() => 'unreachable')
  await stage.start('ses_2')
  await stage.pass(hour)
  for (let at = 3; at < 100; at++) {
    await stage.start(`ses_${at}`)
    await stage.end(`ses_${at}`)
    t.same(stage.cdrs(`ses_${at}`), [`ses_${at}`])
  }
  await stage.end('ses_50', 11)
  t.same(stage.cdrs('ses_50'), ['ses_50', 'ses_50-C', 'ses_50-2'])
  await stage.end('ses_50', 11)
  t.equal(stage.cdrs('ses_50').length, 3, 'nothing is billed twice')
  stage.partner(() => ({}))
  await stage.pass(limits.ocpiLongestPauseMs)
  t.equal(stage.lines().filter((line) => line === 'POST cdrs').length, 99)
})

test('ocpi partner - an end in the middle of everything, at every step, loses no CDR and tells the newest of all', async (t) => {
  for (let steps = 0; steps < 40; steps++) {
    const stage = createStage()
    await stage.register()
    await stage.append('session.started', { session_id: 'none' })
    stage.sessions.set('ses_1', { kwh: 5, status: 'COMPLETED', bill: 5, partnerId })
    await stage.append('session.started', { session_id: 'ses_1' })
    await stage.append('session.ended', { session_id: 'ses_1' })
    for (let step = 0; step < steps; step++) {
      await stage.turn()
      if (step % 7 === 6) stage.clock.advance(1)
    }
    await stage.restart()
    await stage.pass(minute)
    t.match(stage.cdr('ses_1'), { sent: [{ cdr_id: 'ses_1' }] })
    t.equal(stage.cdr('ses_1')?.sent.length, 1)
    t.ok(stage.lines().includes('PUT sessions/ses_1'))
  }
})

test('ocpi partner - a disk that takes nothing keeps CDRs from being posted, and nothing is lost', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.pass(minute)
  stage.disk(() => false)
  await stage.start('ses_1')
  await stage.end('ses_1')
  await stage.pass(minute)
  t.notOk(stage.lines().includes('POST cdrs'))
  stage.disk(() => true)
  await stage.pass(10 * minute)
  await stage.restart()
  t.match(stage.cdr('ses_1'), { sent: [{ cdr_id: 'ses_1' }] })
})

test('ocpi partner - one that has ended is sent nothing more', async (t) => {
  const stage = createStage()
  await stage.register()
  stage.partner(() => 'unreachable')
  await stage.start('ses_1')
  await stage.pass(minute)
  const sent = stage.pushed.length
  await stage.register({ status: 'ended' })
  await stage.charge('ses_1', 1)
  await stage.end('ses_1')
  await stage.pass(hour)
  t.equal(stage.pushed.length, sent)
  await stage.passivate()
  t.equal(stage.statistics().actors, 0)
})

test('ocpi partner - events that concern nobody cost a write once in many', async (t) => {
  const stage = createStage()
  await stage.register()
  await stage.pass(minute)
  const before = stage.commits()
  for (let at = 0; at < 500; at++) await stage.append('charge_point.fault', { charge_point_id: 'CP' }, organizationId)
  await stage.settle()
  await stage.pass(second)
  t.ok(stage.commits() - before <= 5, `${stage.commits() - before} commits`)
})
