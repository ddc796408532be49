// What one charge point may have stored in an hour: beyond it, what bills is kept, and the organization is told.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { alertsTable } from '../../../src/records/alert.js'
import { type ChargePoint, chargePointsTable } from '../../../src/records/charge-point.js'
import { type ChargePointState, chargePointStatesTable } from '../../../src/records/charge-point-state.js'
import { type MeterValues, meterValuesTable } from '../../../src/records/meter-values.js'
import { sessionsTable, unmatchedTransactionsTable } from '../../../src/records/session.js'
import { registeredRow } from '../../support/registration.js'
import type { ActorOverStore } from './actor-over-store.js'
import { type Charging, charging } from './charge.js'

const hourMs = 3_600_000

const alertsOf = (actor: ActorOverStore, kind: string) =>
  actor
    .view()
    .list(alertsTable, [])
    .filter((alert) => alert.kind === kind)
const over = (actor: ActorOverStore) =>
  alertsOf(actor, 'charge_point_over_allowance').map(({ status, resolution }) => ({ status, resolution }))
const messageOf = (actor: ActorOverStore) => alertsOf(actor, 'charge_point_over_allowance')[0]?.message
const open = { status: 'open', resolution: undefined }
const resolved = { status: 'resolved', resolution: 'the charge point sends no more than can be stored' }

const sampled = (...values: object[]) => [{ measurand: 'Energy.Active.Import.Register', unit: 'Wh' }, ...values]

/** Elements of about 60 kB in all, a second apart, the first with a register of its own. */
function meterValue(from: number, wattHours: number) {
  const [register, ...others] = sampled(...Array.from({ length: 8 }, () => ({ value: '230.1', measurand: 'Voltage' })))
  return Array.from({ length: 150 }, (_, at) => ({
    timestamp: new Date(from + at * 1_000).toISOString(),
    sampledValue: [{ ...register, value: String(wattHours + at) }, ...others],
  }))
}

/** As after a restart, with so much left of what it may have stored. */
async function leave(actor: Charging, left: { readonly bytes: number; readonly transactions?: number }): Promise<void> {
  const row = actor.view().get(chargePointStatesTable, ['CP-1']) as ChargePointState
  const allowance = { at: actor.clock.wall, transactions: limits.transactionsAtOnce, ...left }
  await actor.put(chargePointStatesTable, { ...row, allowance })
  await comeBack(actor)
}

let epoch = 200

/** Over the end of its shard. */
async function comeBack(actor: Charging): Promise<void> {
  actor.restart()
  await actor.attach(1, epoch++)
}

/** Meter values of 150 seconds; monotonic time stands still, so that nothing grows back. */
async function meterMuch(actor: Charging, transactionId: number, wattHours: number, from?: number): Promise<void> {
  if (from === undefined) actor.clock.wall += 150_000
  const values = meterValue(from ?? actor.clock.wall, wattHours)
  await actor.call(1, 'MeterValues', { connectorId: 1, transactionId, meterValue: values })
}

const rowsOf = (actor: Charging, transactionId: number): MeterValues[] =>
  actor.view().list(meterValuesTable, [actor.session(transactionId).session_id])

test('allowance - beyond it, the newest register of a session is all that is kept; the session is billed as it was', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  await leave(actor, { bytes: 250_000 })
  for (let message = 0; message < 10; message++) await meterMuch(actor, transactionId, message * 150)
  const rows = rowsOf(actor, transactionId)
  const [kept, thinned] = [rows.filter((row) => row.thinned !== true), rows.filter((row) => row.thinned === true)]
  t.ok(JSON.stringify(kept).length < 250_000)
  t.ok(kept.length >= 150, 'what was within it is there')
  t.equal(kept.length % 150, 0)
  t.same(
    thinned.map(({ energy_wh, samples }) => [energy_wh, samples]),
    [[1_499, []]],
  )
  t.same(over(actor), [open], 'it is told once')
  t.equal(
    messageOf(actor),
    'the charge point sends more than is stored per charge point in an hour. Of further meter values only the newest register of each session is stored, and events of status changes are left out',
  )
  await actor.stop(transactionId, { meterStop: 1_600 })
  t.match(actor.session(transactionId), { status: 'completed', energy_wh: 1_600, meter_stop: 1_600 })
  t.equal(actor.events('session.ended').length, 1)
})

/** Messages whose meter values are stored in full, of twenty, a minute after nothing was left. */
async function storedInMinute(connectors: number): Promise<number> {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  const registration = actor.view().get(chargePointsTable, ['CP-1']) as ChargePoint
  await actor.put(chargePointsTable, { ...registration, connector_count: connectors })
  await leave(actor, { bytes: 0 })
  actor.pass(60_000)
  for (let message = 0; message < 20; message++) await meterMuch(actor, transactionId, message * 150)
  return rowsOf(actor, transactionId).filter(({ thinned }) => thinned !== true).length / 150
}

test('allowance - it is that of one connector as often as the operator has declared, up to eight times', async (t) => {
  const [one, four, eight, thousand] = await Promise.all([1, 4, 8, 1_000].map(storedInMinute))
  t.ok(one !== undefined && one >= 1, `${one} of one`)
  t.ok((four as number) >= 4 * (one as number), `${four} of four`)
  t.ok((eight as number) >= 8 * (one as number) && (eight as number) < 20, `${eight} of eight`)
  t.equal(thousand, eight)
})

test('allowance - what is left is on disk before much of it is taken', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  // All within a minute, in which nothing else has the row stored.
  for (let message = 0; message < 40; message++)
    await meterMuch(actor, transactionId, message * 150, actor.clock.wall - 2 * hourMs + message * 150_000)
  const { allowance } = actor.view().get(chargePointStatesTable, ['CP-1']) as ChargePointState
  const full = 2 * limits.storedBytesAtOnce // of two connectors
  const left = allowance?.bytes ?? full
  const stored = JSON.stringify(rowsOf(actor, transactionId)).length
  t.ok(full - left > stored - limits.unsavedAllowanceBytes, `${left} left, ${stored} stored`)
})

test('allowance - it grows back, and not by the end of a shard; the alert is resolved when there is room, and not before an hour', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  await leave(actor, { bytes: 0 })
  await actor.meter(transactionId, 100)
  t.match(rowsOf(actor, transactionId).at(-1), { energy_wh: 100, thinned: true })
  await comeBack(actor)
  await actor.meter(transactionId, 200)
  t.match(rowsOf(actor, transactionId).at(-1), { energy_wh: 200, thinned: true })
  t.same(over(actor), [open])
  await actor.call(1, 'StatusNotification', { connectorId: 2, errorCode: 'NoError', status: 'Preparing' })
  t.equal(actor.events('charge_point.status_changed').length, 0, 'events of passing states are left out')
  const { connectors } = actor.view().get(chargePointStatesTable, ['CP-1']) as ChargePointState
  t.equal(connectors[0]?.status, 'Preparing', 'the state itself is not')

  actor.pass(hourMs / 4)
  await actor.wake()
  t.same(over(actor), [open])
  actor.pass(hourMs)
  await actor.wake()
  t.same(over(actor), [resolved])
  await actor.meter(transactionId, 300)
  const newest = rowsOf(actor, transactionId).at(-1)
  t.match(newest, { energy_wh: 300 })
  t.equal(newest?.thinned, undefined)
})

test('allowance - transactions beyond it are refused so that they are sent again, and none that was answered is lost', async (t) => {
  const actor = await charging()
  await leave(actor, { bytes: limits.storedBytesAtOnce, transactions: 5 })
  for (let transactionId = 1; transactionId <= 5; transactionId++)
    await actor.call(1, 'StopTransaction', { transactionId, meterStop: 1, timestamp: actor.now() })
  t.same(over(actor), [])
  t.equal(actor.view().list(unmatchedTransactionsTable, []).length, 5)
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: actor.now() }
  await actor.frame(1, [2, 'start', 'StartTransaction', start])
  t.match(actor.said.at(-1), '1 [4,"start","InternalError"')
  await actor.frame(1, [2, 'stop', 'StopTransaction', { transactionId: 6, meterStop: 1, timestamp: actor.now() }])
  t.match(actor.said.at(-1), '1 [4,"stop","InternalError"')
  t.same(over(actor), [open])
  t.equal(
    messageOf(actor),
    'the charge point sends more than is stored per charge point in an hour. Further transactions are refused until there is room again',
  )
  t.equal(actor.view().list(sessionsTable, []).length, 0)
  actor.pass(60_000)
  const answer = await actor.call(1, 'StartTransaction', start)
  t.equal(typeof answer.transactionId, 'number', 'it is taken when it comes again')
  t.same(await actor.call(1, 'StartTransaction', start), answer, 'a repeat costs nothing')
})

test('allowance - an alert that is open for one part of it names the other when that is used up, too', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  await leave(actor, { bytes: 0, transactions: 0 })
  await actor.meter(transactionId, 100)
  const ofBytes = messageOf(actor)
  for (const id of ['one', 'two'])
    await actor.frame(1, [2, id, 'StopTransaction', { transactionId: 6, meterStop: 1, timestamp: actor.now() }])
  t.same(over(actor), [open])
  t.equal(messageOf(actor), `${ofBytes}. Further transactions are refused until there is room again`)
  await comeBack(actor)
  await actor.frame(1, [2, 'three', 'StopTransaction', { transactionId: 6, meterStop: 1, timestamp: actor.now() }])
  await actor.meter(transactionId, 200)
  t.equal(messageOf(actor), `${ofBytes}. Further transactions are refused until there is room again`)
  const published = actor.events('alert.triggered').filter(({ kind }) => kind === 'charge_point_over_allowance')
  t.equal(published.length, 1)
})

test('allowance - of an unmatched StopTransaction, the newest register is kept beyond it', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  await actor.stop(transactionId)
  await leave(actor, { bytes: 0 })
  const values = meterValue(actor.clock.wall, 5_000)
  const said = { transactionId: 77, meterStop: 5_200, timestamp: actor.now(), transactionData: values }
  for (let repeat = 0; repeat < 2; repeat++) await actor.call(1, 'StopTransaction', said)
  const rows = actor.view().list(unmatchedTransactionsTable, [])
  t.equal(rows.length, 1)
  const payload = rows[0]?.payload as { meterStop: number; transactionData: { sampledValue: { value: string }[] }[] }
  t.equal(payload.meterStop, 5_200)
  t.same(
    payload.transactionData.map(({ sampledValue }) => sampledValue.map(({ value }) => value)),
    [['5149']],
  )
})

test('allowance - so many security events are published in an hour', async (t) => {
  const actor = await charging()
  const say = async () => {
    actor.pass(1_000)
    t.same(await actor.call(1, 'SecurityEventNotification', { type: 'Tamper', timestamp: actor.now() }), {})
  }
  for (let event = 0; event < limits.securityEventsPerHour + 10; event++) await say()
  t.equal(alertsOf(actor, 'security_event').length, limits.securityEventsPerHour)
  actor.pass(hourMs)
  await say()
  t.equal(alertsOf(actor, 'security_event').length, limits.securityEventsPerHour + 1)
})

test('allowance - whoever registers the charge point next has all of it, and is told when that is used up', async (t) => {
  const actor = await charging()
  const transactionId = await actor.start({ meterStart: 0 })
  await leave(actor, { bytes: 0, transactions: 0 })
  await actor.meter(transactionId, 100)
  t.same(over(actor), [open])
  await actor.put(chargePointsTable, registeredRow('CP-1', { organization_id: 'org_2' }))
  await actor.ask({ type: 'registration-changed' })
  await actor.attach(2, epoch++)
  await actor.call(2, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: actor.now() }
  const next = Number((await actor.call(2, 'StartTransaction', start)).transactionId)
  await actor.meter(next, 100, 2)
  t.match(rowsOf(actor, next), [{ energy_wh: 100, thinned: undefined }])

  for (let stop = 1; stop < limits.transactionsAtOnce; stop++)
    await actor.call(2, 'StopTransaction', { transactionId: 7_000_000 + stop, meterStop: 1, timestamp: actor.now() })
  const own = () => alertsOf(actor, 'charge_point_over_allowance').filter((alert) => alert.organization_id === 'org_2')
  t.same(own(), [])
  await actor.frame(2, [2, 'stop', 'StopTransaction', { transactionId: 6, meterStop: 1, timestamp: actor.now() }])
  t.match(actor.said.at(-1), '2 [4,"stop","InternalError"')
  t.match(own(), [{ status: 'open' }])
})
