// The alerts of charge points, by their actors and the clock that looks for what is due.

import { test } from 'tap'
import { removalWakeUp } from '../../../src/actors/charge-point/messages.js'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { wakeUpsTable } from '../../../src/runtime/actor/wake-ups.js'
import { createStage, connectedId as id, minuteMs, organizationId, stageWith } from './stage.js'

test('alerts - a charge point that stays away is offline, once; one that comes back in time is not', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 10 })
  for (let round = 0; round < 3; round++) {
    await stage.disconnect(id)
    await stage.pass(9 * minuteMs)
    await stage.connect(id)
    await stage.pass(2 * minuteMs)
  }
  t.same(stage.told(), [])
  await stage.disconnect(id)
  const since = stage.state(id)?.disconnected_at
  await stage.pass(10 * minuteMs)
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
  t.match(stage.alerts(), [
    {
      alert_id: /^alr_/,
      status: 'open',
      severity: 'warning',
      charge_point_id: id,
      message: `the charge point has been offline since ${since}`,
      details: { offline_since: since },
    },
  ])
  await stage.pass(60 * minuteMs)
  t.equal(stage.alerts().length, 1)
  await stage.connect(id)
  await stage.pass(50_000)
  await stage.disconnect(id)
  await stage.pass(20 * minuteMs)
  t.equal(stage.told().length, 1, 'a connection of less than a minute is no end')
  await stage.connect(id)
  await stage.pass(minuteMs)
  t.same(stage.told(), ['triggered charge_point_offline CP-1', 'resolved charge_point_offline CP-1'])
  const [alert] = stage.alerts()
  t.match(alert, { status: 'resolved', resolution: 'the charge point is connected again' })
  t.ok((alert?.resolved_at ?? '') > (alert?.triggered_at ?? ''))
  t.same(stage.state(id)?.watches, {})
})

test('alerts - a charge point that was never connected is not offline', async (t) => {
  const stage = createStage()
  await stage.organization()
  await stage.register(id)
  await stage.pass(60 * minuteMs)
  t.same(stage.told(), [])
})

test('alerts - what is said to an actor and lost is said again', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 1 })
  await stage.disconnect(id)
  stage.setAstray(true)
  await stage.pass(3 * minuteMs)
  t.ok(stage.lost.length > 1)
  t.same(stage.told(), [])
  stage.setAstray(false)
  stage.refuseWrites(true)
  await stage.pass(10_000)
  t.same(stage.told(), [], 'nor is what the disk refuses told')
  stage.refuseWrites(false)
  await stage.pass(10_000)
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
})

test('alerts - what comes late is of a time that is over: it raises nothing, and resolves nothing', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 1 })
  await stage.disconnect(id)
  stage.setAstray(true)
  await stage.pass(minuteMs)
  stage.setAstray(false)
  await stage.connect(id)
  stage.clock.advance(1)
  await stage.disconnect(id)
  t.ok(stage.lost.length > 0)
  await stage.arriveLate()
  t.same(stage.told(), [])
  await stage.pass(minuteMs)
  await stage.connect(id)
  stage.setAstray(true)
  await stage.pass(minuteMs)
  stage.setAstray(false)
  await stage.disconnect(id)
  await stage.connect(id)
  await stage.arriveLate()
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
})

test('alerts - a start of the service gives every charge point its time, and raises those that stay away', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 5 })
  await stage.register('CP-2')
  await stage.register('CP-3')
  await stage.connect('CP-2')
  await stage.connect('CP-3')
  await stage.disconnect('CP-3')
  // Killed: CP-1 and CP-2 were connected, CP-3 was away; and the service is down for longer than the threshold.
  const rows = [id, 'CP-2', 'CP-3'].map(stage.state)
  await stage.restart(30 * minuteMs)
  await stage.pass(30_000)
  t.same([id, 'CP-2', 'CP-3'].map(stage.state), rows, 'a start rewrites no row')
  await stage.pass(3.5 * minuteMs)
  await stage.connect(id)
  t.same(stage.told(), [])
  await stage.pass(minuteMs + 5_000)
  t.same(stage.open(), ['charge_point_offline CP-2', 'charge_point_offline CP-3'])
  t.match(stage.state('CP-2'), { connected: false })
  await stage.restart()
  await stage.connect('CP-2')
  await stage.connect(id)
  await stage.pass(6 * minuteMs)
  t.same(stage.open(), ['charge_point_offline CP-3'], 'open ones outlive the process, and end once')
  t.equal(stage.told().length, 3)
})

test('alerts - a process that ends between two words of one alert tells it once', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 5 })
  await stage.disconnect(id)
  await stage.pass(5 * minuteMs)
  for (let run = 0; run < 3; run++) {
    await stage.restart()
    await stage.pass(10 * minuteMs)
  }
  await stage.connect(id)
  await stage.pass(30_000)
  await stage.restart()
  await stage.pass(2 * minuteMs)
  t.equal(stage.told().length, 1, 'it was there for half a minute, and the process ended')
  await stage.connect(id)
  await stage.pass(2 * minuteMs)
  t.same(stage.told(), ['triggered charge_point_offline CP-1', 'resolved charge_point_offline CP-1'])
})

test('alerts - a connector has to be Faulted for its time; each connector is an alert of its own', async (t) => {
  const stage = await stageWith({ connector_faulted_minutes: 2 })
  await stage.status(id, 1, 'Faulted')
  await stage.pass(minuteMs)
  await stage.status(id, 1, 'Available')
  await stage.pass(5 * minuteMs)
  t.same(stage.told(), [])
  await stage.status(id, 1, 'Faulted', { vendorErrorCode: 'E7' })
  await stage.status(id, 2, 'Faulted', { info: 'water' })
  await stage.pass(2 * minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/1', 'connector_faulted CP-1/2'])
  t.match(
    stage.alerts().map(({ connector_id, details }) => ({ connector_id, details })),
    [
      { connector_id: 1, details: { error_code: 'GroundFailure', vendor_error_code: 'E7' } },
      { connector_id: 2, details: { info: 'water' } },
    ],
  )
  await stage.status(id, 1, 'Available')
  await stage.pass(minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/2'])
  await stage.status(id, 0, 'Faulted')
  await stage.pass(2 * minuteMs)
  t.match(stage.alerts().at(-1), { connector_id: 0, message: 'the charge point is Faulted' })
})

test('alerts - a clock is off after several readings over minutes, and right again well below the threshold', async (t) => {
  const stage = await stageWith({ clock_skew_seconds: 300 })
  const statuses = ['Preparing', 'Available']
  let at = 0
  const tell = (aheadMs: number, status = statuses[at++ % 2] as string) =>
    stage.status(id, 1, status, { timestamp: new Date(stage.clock.now() + aheadMs).toISOString() })
  await tell(-3_600_000)
  await tell(-3_600_000)
  await tell(-3_600_000)
  await stage.pass(10 * minuteMs)
  t.same(stage.told(), [], 'what comes out of a queue at once proves nothing')
  await tell(0)
  await stage.pass(minuteMs)
  await stage.call(id, 'Heartbeat', {})
  t.equal(stage.state(id)?.clock_off, undefined, 'with the next write, what was suspected is forgotten')
  for (let minute = 0; minute < 7; minute++) {
    const status = statuses[minute % 2] as string
    await tell(3_600_000, status)
    t.match(stage.state(id)?.connectors, [{ status }], 'what it tells is stored all the same')
    await stage.pass(minuteMs)
  }
  t.same(stage.told(), ['triggered charge_point_clock_off CP-1'])
  t.match(stage.alerts(), [
    { message: 'the clock of the charge point is 1 hour ahead', details: { offset_seconds: -3_600 } },
  ])
  for (const ahead of [200_000, 290_000, 400_000]) {
    await tell(ahead)
    await stage.pass(2 * minuteMs)
  }
  t.equal(stage.told().length, 1, 'between half and whole it stays as it is')
  await tell(100_000)
  await stage.pass(minuteMs)
  t.same(stage.told(), ['triggered charge_point_clock_off CP-1', 'resolved charge_point_clock_off CP-1'])
})

test('alerts - a status that is told again with the time of then is no sign of a wrong clock', async (t) => {
  const stage = await stageWith({ clock_skew_seconds: 300 })
  const timestamp = new Date(stage.clock.now()).toISOString()
  for (let minute = 0; minute < 60; minute++) {
    await stage.status(id, 1, 'Available', { timestamp })
    await stage.pass(minuteMs)
  }
  t.same(stage.told(), [])
})

test('alerts - where the clock of the machine is set back, a time begins anew', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 5 })
  await stage.disconnect(id)
  stage.clock.set(stage.clock.now() - 24 * 60 * minuteMs)
  await stage.pass(5 * minuteMs)
  t.same(stage.told(), [])
  await stage.pass(10_000)
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
  await stage.connect(id)
  stage.clock.set(stage.clock.now() - 24 * 60 * minuteMs)
  await stage.pass(minuteMs + 10_000)
  t.equal(stage.told().length, 2)
})

test('alerts - a client certificate near its end is an alert until it is replaced', async (t) => {
  const stage = createStage()
  const dayMs = 24 * 60 * minuteMs
  await stage.organization({ certificate_days: 20 })
  await stage.register(id)
  const first = stage.clock.now() + 25 * dayMs
  await stage.connect(id, { certificateExpiresAt: first })
  await stage.look()
  t.same(stage.told(), [])
  stage.clock.advance(6 * dayMs)
  await stage.look()
  t.match(stage.alerts(), [
    {
      kind: 'certificate_expiring',
      details: { certificate: 'charge_point', expires_at: new Date(first).toISOString() },
    },
  ])
  await stage.connect(id, { certificateExpiresAt: first })
  await stage.pass(minuteMs)
  t.equal(stage.told().length, 1)
  await stage.connect(id, { certificateExpiresAt: first + 365 * dayMs })
  await stage.pass(minuteMs)
  t.same(stage.told(), ['triggered certificate_expiring CP-1', 'resolved certificate_expiring CP-1'])
})

test('alerts - thresholds count within seconds, also for what has begun; off ends what is open, and on begins it again', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 60 })
  await stage.status(id, 1, 'Faulted')
  await stage.disconnect(id)
  await stage.pass(10 * minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/1'])
  await stage.organization({ charge_point_offline_minutes: 5 })
  await stage.look()
  t.same(stage.open(), ['charge_point_offline CP-1', 'connector_faulted CP-1/1'], 'shorter: at once')
  await stage.organization({ charge_point_offline_minutes: 600 })
  await stage.pass(minuteMs)
  t.equal(stage.open().length, 2, 'longer: what is open stays until its cause is gone')
  await stage.organization({ charge_point_offline_minutes: null })
  await stage.pass(minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/1'])
  t.match(
    stage.alerts().find(({ kind }) => kind === 'charge_point_offline'),
    {
      status: 'resolved',
      resolution: 'the organization has switched off alerts of this kind',
    },
  )
  await stage.pass(60 * minuteMs)
  t.equal(stage.told().length, 3)
  await stage.organization({ charge_point_offline_minutes: 5 })
  await stage.look()
  t.same(stage.open(), ['charge_point_offline CP-1', 'connector_faulted CP-1/1'])
})

test('alerts - those of a charge point that is removed are over, also when nobody heard of it', async (t) => {
  for (const heard of [true, false]) {
    const stage = await stageWith({ charge_point_offline_minutes: 5 })
    await stage.status(id, 1, 'Faulted')
    await stage.disconnect(id)
    await stage.pass(6 * minuteMs)
    t.equal(stage.open().length, 2)
    // As the route does it.
    await stage.remove(chargePointsTable, [id])
    // Unheard, its actor may have written its row once more.
    if (heard) await stage.remove(chargePointStatesTable, [id])
    await stage.put(wakeUpsTable, removalWakeUp(id, 1, stage.clock))
    if (heard) await stage.tell(id, { type: 'registration-changed' })
    else stage.forget()
    // Another organization has it now, before anybody has looked.
    if (!heard) await stage.register(id, 'org_2')
    await stage.pass(10_000)
    t.same(stage.open(), [])
    t.equal(stage.told().length, 4)
    t.match(stage.alerts(), [{ resolution: 'the charge point has been removed' }, { status: 'resolved' }])
    t.same(stage.alerts('org_2'), [])
    t.equal(stage.state(id)?.organization_id, heard ? undefined : 'org_2')
    t.equal(stage.view().list(wakeUpsTable, []).length, 0)
  }
})

test('alerts - nothing that comes often costs a commit more', async (t) => {
  const stage = await stageWith()
  await stage.status(id, 1, 'Available')
  const before = stage.state(id)
  for (let times = 0; times < 20; times++) {
    await stage.call(id, 'Heartbeat', {})
    await stage.status(id, 1, 'Available', { timestamp: new Date(stage.clock.now() + 3_600_000).toISOString() })
  }
  t.same(stage.state(id), before, 'what was seen of a clock waits for the next write')
  t.equal(before?.watches, undefined)
})

test('alerts - a thousand at once are told some at a time, each once', async (t) => {
  const stage = createStage()
  await stage.organization({ charge_point_offline_minutes: 1 })
  const ids = Array.from({ length: 1_200 }, (_, at) => `CP-${at}`)
  for (const one of ids) {
    await stage.register(one)
    await stage.connect(one)
    await stage.disconnect(one)
  }
  stage.clock.advance(minuteMs)
  const counts: number[] = []
  for (let looks = 0; looks < 4; looks++) {
    await stage.look()
    counts.push(stage.open(organizationId).length)
  }
  t.same(counts, [500, 1_000, 1_200, 1_200])
  t.equal(stage.told().length, 1_200)
})
