// What alerts make of a service that was away, of a clock that jumps, and of thresholds that are switched off for a while.

import { test } from 'tap'
import { createStage, minuteMs, type Stage } from './stage.js'

const id = 'CP-1'
const hourMs = 60 * minuteMs

async function stageWith(thresholds = {}): Promise<Stage> {
  const stage = createStage()
  await stage.organization(thresholds)
  await stage.register(id)
  await stage.connect(id)
  await stage.call(id, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return stage
}

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
  t.same(stage.told(), [])
  await stage.connect(id)
  await stage.pass(2 * minuteMs)
  await stage.disconnect(id)
  await stage.pass(11 * minuteMs)
  t.same(stage.told(), ['triggered charge_point_offline CP-1'])
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
  t.same(stage.told(), ['triggered connector_faulted CP-1/1'])
})
