// Sessions that their charge point does not end: Available without a StopTransaction, silence, and the close by an operator.

import { test } from 'tap'
import { alertsTable } from '../../../src/records/alert.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { organizationsTable } from '../../../src/records/organization.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { actorOverStore } from './actor-over-store.js'
import { type Charging, charging, minuteMs } from './charge.js'

const hourMs = 60 * minuteMs
const perKwh = { components: [{ type: 'energy' as const, price: 0.4 }] }
const perHour = { components: [{ type: 'time' as const, price: 6 }] }

/** Time passes as it does in a service that runs: its shard looks for what is due all the while. */
async function live(charge: Charging, hours: number): Promise<void> {
  for (let passed = 0; passed < hours * hourMs; passed += 5 * minuteMs) {
    charge.pass(5 * minuteMs)
    await charge.wake()
  }
}

test('unended sessions - a session whose connector is Available is closed after a restart, though its charge point is away', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start()
  charge.pass(minuteMs)
  await charge.meter(transactionId, 3_000)
  await charge.status('Available')
  await charge.detach(1)
  charge.restart()
  charge.pass(9 * minuteMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'active' }, 'its stop may still come')

  charge.pass(minuteMs)
  await charge.wake()
  t.match(charge.session(transactionId), {
    status: 'estimated',
    energy_wh: 2_000,
    cost: 0.8,
    flags: ['estimated_close'],
  })
})

test('unended sessions - a connector that is in use again before a restart keeps its session', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  charge.pass(minuteMs)
  await charge.status('Available')
  charge.pass(minuteMs)
  await charge.status('Charging')
  charge.restart()
  charge.pass(11 * minuteMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'active' })
})

test('unended sessions - after a long outage of the service the charge point gets the time again to send its stop', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  charge.pass(minuteMs)
  await charge.status('Available')
  charge.restart()
  charge.pass(2 * hourMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'active' })
  charge.pass(10 * minuteMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'estimated' })
})

test('unended sessions - of several that end together with energy that no connector gives, there is one notice', async (t) => {
  const charge = await charging(perKwh)
  const sessions = [await charge.start({ connectorId: 1 }), await charge.start({ connectorId: 2 })]
  charge.pass(20 * minuteMs)
  // One reading alone may be an error.
  for (const value of ['501000', '502000']) {
    charge.pass(minuteMs)
    for (const [at, transactionId] of sessions.entries()) {
      const meterValue = [{ timestamp: charge.now(), sampledValue: [{ value }] }]
      await charge.call(1, 'MeterValues', { connectorId: at + 1, transactionId, meterValue })
    }
  }
  await charge.detach(1)
  await live(charge, 26)
  for (const transactionId of sessions)
    t.match(charge.session(transactionId), {
      status: 'estimated',
      flags: ['estimated_close', 'charge_point_silent', 'energy_implausible'],
    })
  const notices = charge.events('alert.triggered').filter(({ kind }) => kind === 'session_implausible')
  t.equal(notices.length, 1)
})

test('unended sessions - a session is closed when its charge point has been offline for a day, with a notice', async (t) => {
  const charge = await charging({ components: [...perKwh.components, ...perHour.components] })
  const transactionId = await charge.start()
  charge.pass(hourMs)
  await charge.meter(transactionId, 4_000)
  await charge.detach(1)
  charge.restart()
  await live(charge, 23)
  t.match(charge.session(transactionId), { status: 'active' })

  await live(charge, 1)
  const closed = charge.session(transactionId)
  t.match(
    closed,
    { status: 'estimated', energy_wh: 3_000, cost: 1.2 + 6, stop_reason: 'Other' },
    'the silence costs nothing',
  )
  t.same(closed.flags, ['estimated_close', 'charge_point_silent'])
  t.match(charge.events('session.ended'), [{ status: 'estimated', cost: 7.2 }])
  t.match(charge.view().list(alertsTable, []), [
    {
      kind: 'session_closed_after_silence',
      status: 'notice',
      charge_point_id: 'CP-1',
      details: { session_id: closed.session_id },
    },
  ])

  await live(charge, 2)
  t.equal(charge.events('session.ended').length, 1, 'once')
  await charge.attach(2, 200)
  await charge.call(2, 'StopTransaction', { transactionId, meterStop: 6_000, timestamp: charge.now() })
  t.match(charge.session(transactionId), { status: 'completed', energy_wh: 5_000 }, 'its stop corrects it')
})

test('unended sessions - a session without meter values ends when its charge point was last heard', async (t) => {
  const charge = await charging(perHour)
  const transactionId = await charge.start()
  charge.pass(hourMs)
  await charge.detach(1)
  const lastHeard = charge.now()
  await live(charge, 25)
  t.match(charge.session(transactionId), { status: 'estimated', ended_at: lastHeard, cost: 6 })
})

test('unended sessions - a charge point that is online is not silent, and one that comes back goes on', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  await live(charge, 30)
  t.match(charge.session(transactionId), { status: 'active' }, 'it was online all the time, and said nothing')
  await charge.detach(1)
  await live(charge, 20)
  await charge.attach(2, 200)
  await live(charge, 20)
  t.match(charge.session(transactionId), { status: 'active' })
  await charge.detach(2)
  await live(charge, 25)
  t.match(charge.session(transactionId), { status: 'estimated' })
})

test('unended sessions - the organization says how long, or never; a change counts within the hour', async (t) => {
  const charge = await charging()
  const change = async (session_silence_hours: number | null): Promise<void> => {
    const organization = charge.view().get(organizationsTable, ['org_1'])
    if (organization !== undefined) await charge.put(organizationsTable, { ...organization, session_silence_hours })
  }
  await change(null)
  const transactionId = await charge.start()
  await charge.detach(1)
  await live(charge, 72)
  t.match(charge.session(transactionId), { status: 'active' })
  await change(2)
  await live(charge, 1.1)
  t.match(charge.session(transactionId), { status: 'estimated' })
})

test('unended sessions - when the service was away, charge points get an hour to come back', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  await charge.detach(1)
  charge.restart()
  charge.pass(72 * hourMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'active' })
  await live(charge, 0.9)
  t.match(charge.session(transactionId), { status: 'active' })
  await live(charge, 0.3)
  t.match(charge.session(transactionId), { status: 'estimated' })
})

test('unended sessions - looks that were due while the service was away are spread over minutes', async (t) => {
  const next: number[] = []
  for (let number = 1; number <= 60; number++) {
    const actor = await actorOverStore(`CP-${number}`)
    await actor.attach(1, 100)
    await actor.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
    const timestamp = new Date(actor.clock.wall).toISOString()
    await actor.call(1, 'StartTransaction', { connectorId: 1, idTag: 'TAG-1', meterStart: 0, timestamp })
    // As the step to version 2 leaves it.
    await actor.put(wakeUpsTable, { kind: 'charge-point', id: `CP-${number}`, reason: 'silence', at: 0 })
    actor.restart()
    await actor.wake()
    const row = actor.view().get(wakeUpsTable, ['charge-point', `CP-${number}`, 'silence'])
    next.push((row?.at ?? 0) - actor.clock.wall)
  }
  t.ok(next.every((inMs) => inMs >= hourMs && inMs < hourMs + 5 * minuteMs))
  const perMinute = Array.from({ length: 5 }, (_, minute) => {
    const from = hourMs + minute * minuteMs
    return next.filter((inMs) => inMs >= from && inMs < from + minuteMs).length
  })
  t.ok(
    perMinute.every((count) => count >= 1 && count <= 25),
    perMinute.join(' '),
  )
})

test('unended sessions - a charge point that was alive by pings alone until the service was restarted was not silent', async (t) => {
  const charge = await charging(perKwh)
  const organization = charge.view().get(organizationsTable, ['org_1'])
  if (organization !== undefined) await charge.put(organizationsTable, { ...organization, session_silence_hours: 2 })
  const transactionId = await charge.start()
  await live(charge, 5 + 55 / 60)
  charge.restart('service')
  const since = charge.clock.wall
  charge.pass(5.5 * minuteMs)
  await charge.wake()
  t.match(charge.session(transactionId), { status: 'active' }, 'it may come back')
  await charge.ask({ type: 'presence-lost', since })
  await live(charge, 1.75)
  t.match(charge.session(transactionId), { status: 'active' })
  await live(charge, 0.5)
  t.match(charge.session(transactionId), { status: 'estimated' })
  const offline_since = new Date(since).toISOString()
  t.match(charge.view().list(alertsTable, []), [{ kind: 'session_closed_after_silence', details: { offline_since } }])
})

test('unended sessions - an operator closes one whose charge point is offline, and a second time changes nothing', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start()
  charge.pass(minuteMs)
  await charge.meter(transactionId, 10_000)
  await charge.detach(1)
  charge.restart()
  charge.pass(10 * minuteMs)
  const close = { type: 'close-session', sessionId: charge.session(transactionId).session_id, reason: 'PowerLoss' }
  t.match(await charge.ask(close), { type: 'closed', session: { status: 'estimated', cost: 3.6 } })
  const closed = charge.session(transactionId)
  t.match(closed, { energy_wh: 9_000, stop_reason: 'PowerLoss', flags: ['estimated_close', 'closed_by_operator'] })
  t.match(await charge.ask(close), { type: 'ended', status: 'estimated' })
  t.match(charge.events('session.ended').length, 1)

  await charge.attach(2, 200)
  await charge.call(2, 'StopTransaction', { transactionId, meterStop: 12_000, timestamp: charge.now() })
  t.match(charge.session(transactionId), { status: 'completed', energy_wh: 11_000 })
  t.match(await charge.ask(close), { type: 'ended', status: 'completed' })
})

test('unended sessions - an operator closes one whose charge point is registered no more, or is another organization’s', async (t) => {
  for (const organization_id of [undefined, 'org_2']) {
    const charge = await charging(perKwh)
    const transactionId = await charge.start()
    charge.pass(minuteMs)
    await charge.meter(transactionId, 10_000)
    await charge.detach(1)
    const registration = charge.view().get(chargePointsTable, ['CP-1'])
    await charge.remove(chargePointsTable, ['CP-1'])
    if (organization_id !== undefined && registration !== undefined)
      await charge.put(chargePointsTable, { ...registration, organization_id })
    charge.restart()
    const close = { type: 'close-session', sessionId: charge.session(transactionId).session_id, reason: 'Other' }
    t.match(await charge.ask(close), { type: 'closed', session: { status: 'estimated' } })
    t.match(charge.session(transactionId), { organization_id: 'org_1', energy_wh: 9_000, cost: 3.6 })
  }
})
