// What alerts make of a service that was away, of a clock that jumps, and of thresholds that are switched off for a while.

import { test } from 'tap'
import { chargePointsTable } from '../../../src/records/charge-point.js'
import { chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { connectedId as id, minuteMs, stageWith } from './stage.js'

const hourMs = 60 * minuteMs
/** The alert about the clock itself is another matter. */
const ofChargePoints = (told: readonly string[]) => told.filter((line) => !line.includes('clock_jumped_ahead'))
const ofClock = (told: readonly string[]) =>
  told.filter((line) => line.includes('clock_jumped_ahead')).map((line) => line.split(' ')[0])

test('alerts - a threshold longer than a run of the service is reached all the same', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 8 * 60, connector_faulted_minutes: 8 * 60 })
  await stage.status(id, 1, 'Faulted')
  await stage.disconnect(id)
  for (let run = 0; run < 3; run++) {
    await stage.pass(2 * hourMs)
    await stage.restart()
  }
  await stage.pass(110 * minuteMs)
  t.same(stage.told(), [], 'not before its time')
  await stage.pass(15 * minuteMs)
  t.same(stage.open(), ['charge_point_offline CP-1', 'connector_faulted CP-1/1'])
})

test('alerts - after a service was down for longer than a long threshold, charge points have time to come back', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 120 })
  await stage.disconnect(id)
  await stage.restart(5 * hourMs)
  await stage.pass(25 * minuteMs)
  t.same(stage.told(), [])
  await stage.pass(6 * minuteMs)
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
})

test('alerts - where the clock of the machine jumps ahead, nothing has held for longer by that', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 10 })
  await stage.pass(hourMs)
  await stage.disconnect(id)
  await stage.pass(minuteMs)
  stage.clock.set(stage.clock.now() + 24 * hourMs)
  await stage.pass(8 * minuteMs)
  t.same(ofChargePoints(stage.told()), [])
  await stage.connect(id)
  await stage.pass(2 * minuteMs)
  await stage.disconnect(id)
  await stage.pass(11 * minuteMs)
  t.same(ofChargePoints(stage.told()), ['triggered charge_point_offline CP-1'])
})

test('alerts - an end that has just begun is not reached by a jump of the clock', async (t) => {
  const stage = await stageWith({ connector_faulted_minutes: 1 })
  await stage.status(id, 1, 'Faulted')
  await stage.pass(10 * minuteMs)
  await stage.status(id, 1, 'Available')
  stage.clock.set(stage.clock.now() + 24 * hourMs)
  await stage.pass(20_000)
  await stage.status(id, 1, 'Faulted')
  await stage.pass(10 * minuteMs)
  t.same(ofChargePoints(stage.told()), ['triggered connector_faulted CP-1/1'])
})

test('alerts - a clock that was put right while nobody wanted to hear of it is no alert afterwards', async (t) => {
  const stage = await stageWith({ clock_skew_seconds: 300 })
  const tell = (aheadMs: number, connectorId: number) =>
    stage.status(id, connectorId, 'Preparing', { timestamp: new Date(stage.clock.now() + aheadMs).toISOString() })
  for (let minute = 1; minute <= 7; minute++) {
    await tell(3_600_000, minute)
    await stage.pass(minuteMs)
  }
  t.same(stage.open(), ['charge_point_clock_off CP-1'])
  await stage.organization({ clock_skew_seconds: null })
  await stage.pass(minuteMs)
  t.same(stage.open(), [])
  await tell(0, 8)
  await stage.pass(minuteMs)
  await stage.organization({ clock_skew_seconds: 300 })
  await stage.pass(10 * minuteMs)
  t.same(stage.told(), ['triggered charge_point_clock_off CP-1', 'resolved charge_point_clock_off CP-1'])
  t.equal(stage.state(id)?.clock_off, undefined)
})

test('alerts - a fault that a former version has stored is watched when it is told again', async (t) => {
  const stage = await stageWith()
  await stage.status(id, 1, 'Faulted')
  const { watches: _, ...row } = stage.state(id) as NonNullable<ReturnType<typeof stage.state>>
  await stage.put(chargePointStatesTable, row)
  stage.forget()
  await stage.status(id, 1, 'Faulted')
  await stage.pass(2 * minuteMs)
  t.same(stage.told(), ['triggered connector_faulted CP-1/1'])
})

test('alerts - faults of connectors end when other hardware boots in their place', async (t) => {
  const stage = await stageWith()
  const boot = (serial: string) =>
    stage.call(id, 'BootNotification', {
      chargePointVendor: 'V',
      chargePointModel: 'M',
      chargePointSerialNumber: serial,
    })
  await boot('A-1')
  await stage.status(id, 1, 'Faulted')
  await stage.status(id, 3, 'Faulted')
  await stage.pass(2 * minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/1', 'connector_faulted CP-1/3'])
  await boot('A-1')
  await stage.pass(2 * minuteMs)
  t.equal(stage.open().length, 2, 'the same charge point after a restart')
  await boot('B-1')
  t.same(stage.open(), [])
  t.match(stage.alerts()[0], { resolution: 'the charge point has been replaced by another' })
  t.same(stage.state(id)?.connectors, [], 'the one in its place has told of none yet')
  await stage.status(id, 1, 'Faulted')
  await stage.pass(2 * minuteMs)
  t.same(stage.open(), ['connector_faulted CP-1/1'])
  t.equal(stage.told().length, 5)
})

test('alerts - all of a charge point that is removed are over, however many there are', async (t) => {
  const stage = await stageWith({ charge_point_offline_minutes: 1 })
  for (let connectorId = 1; connectorId <= 110; connectorId++) await stage.status(id, connectorId, 'Faulted')
  await stage.connect(id, { certificateExpiresAt: stage.clock.now() })
  await stage.disconnect(id)
  await stage.pass(3 * minuteMs)
  t.equal(stage.open().length, 102)
  await stage.remove(chargePointsTable, [id])
  await stage.tell(id, { type: 'registration-changed' })
  t.same(stage.open(), [])
})

test('alerts - a jump of the clock ahead is an alert, which says how it is confirmed, until the clock is right or confirmed', async (t) => {
  const stage = await stageWith({})
  stage.clock.set(stage.clock.now() + 48 * hourMs)
  await stage.pass(minuteMs)
  t.same(ofClock(stage.told()), ['triggered'])
  const [alert] = stage.alerts()
  t.match(alert, { message: /POST \/api\/v1\/installation\/clock\/confirm/, details: { ahead_seconds: 172_800 } })
  stage.clock.confirm()
  await stage.pass(minuteMs)
  t.same(ofClock(stage.told()), ['triggered', 'resolved'])
})
