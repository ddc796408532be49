// The simulated charge point, seen from a central system: it has to behave as the standard and the field do, or every
// test and every benchmark built on it proves nothing. Here its connection and its transactions; what it is commanded is in
// charge-point-commands.test.ts.

import { test } from 'tap'
import { createSocketChargePoint } from '../../bench/client/socket-charge-point.js'
import { startCentralSystem } from './central-system.js'
import { charging, isCharging, ready, setting } from './simulated-charge-point.js'

test('charge point - boots, then tells the status of the controller and of every connector', async (t) => {
  const { central } = await ready(t)
  t.equal(central.calls[0]?.action, 'BootNotification')
  t.same(
    central.calls.slice(1, 4).map((call) => [call.action, call.payload.connectorId, call.payload.status]),
    [
      ['StatusNotification', 0, 'Available'],
      ['StatusNotification', 1, 'Available'],
      ['StatusNotification', 2, 'Available'],
    ],
  )
})

test('charge point - while Pending it sends nothing unasked, boots again after the interval, refuses a start', async (t) => {
  let boots = 0
  const { central } = await setting(t, {}, ({ answers }) => {
    answers.BootNotification = () => {
      boots++
      return { status: boots === 1 ? 'Pending' : 'Accepted', currentTime: new Date().toISOString(), interval: 1 }
    }
  })
  const first = await central.take('BootNotification')
  t.same((await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'T' }))[2], { status: 'Rejected' })
  const trigger = { requestedMessage: 'StatusNotification', connectorId: 1 }
  t.same((await central.command('TriggerMessage', trigger))[2], { status: 'Accepted' })
  await central.take('StatusNotification')
  const second = await central.take('BootNotification')
  t.ok(second.at - first.at > 700, 'not before the interval')
  t.not(second.id, first.id)
  t.same(
    central.calls.map((call) => call.action).slice(0, 3),
    ['BootNotification', 'StatusNotification', 'BootNotification'],
    'nothing but what was triggered in between',
  )
})

test('charge point - heartbeats come at the answered interval', async (t) => {
  const { central } = await setting(t, {}, ({ answers }) => {
    answers.BootNotification = () => ({ status: 'Accepted', currentTime: new Date().toISOString(), interval: 1 })
  })
  const boot = await central.take('BootNotification')
  await central.take('Heartbeat')
  const second = await central.take('Heartbeat')
  t.ok(second.at - boot.at > 1_500)
})

test('charge point - a remote start becomes a transaction with meter values, a remote stop ends it', async (t) => {
  const both = await ready(t, { configuration: { MeterValueSampleInterval: '1' } })
  const { central } = both
  const answer = await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' })
  t.same(answer[2], { status: 'Accepted' })
  const authorize = await central.take('Authorize')
  t.equal(authorize.payload.idTag, 'TAG-1')
  await central.take('StatusNotification', (payload) => payload.status === 'Preparing')
  const start = await central.take('StartTransaction')
  t.match(start.payload, { connectorId: 1, idTag: 'TAG-1', meterStart: Number, timestamp: /Z$/ })
  await central.take('StatusNotification', isCharging)
  const values = await central.take('MeterValues')
  t.equal(values.payload.transactionId, 101, 'the id that the central system gave')
  const [sample] = values.payload.meterValue as { sampledValue: { measurand: string; value: unknown }[] }[]
  t.same(
    [...new Set(sample?.sampledValue.map((one) => one.measurand))],
    ['Energy.Active.Import.Register', 'Power.Active.Import', 'Current.Import', 'Voltage'],
  )
  t.ok(sample?.sampledValue.every((one) => typeof one.value === 'string'))
  t.same((await central.command('RemoteStopTransaction', { transactionId: 101 }))[2], { status: 'Accepted' })
  const stop = await central.take('StopTransaction')
  t.match(stop.payload, { transactionId: 101, reason: 'Remote' })
  t.ok(Number(stop.payload.meterStop) >= Number(start.payload.meterStart), 'the register never goes back')
  await central.take('StatusNotification', (payload) => payload.status === 'Finishing')
  await central.take('StatusNotification', (payload) => payload.status === 'Available' && payload.connectorId === 1)
  t.same((await central.command('RemoteStopTransaction', { transactionId: 101 }))[2], { status: 'Rejected' })
  t.equal(central.mostOutstanding(), 1, 'one CALL at a time')
})

test('charge point - a tag that is not accepted is not charged', async (t) => {
  const { central, chargePoint } = await ready(t)
  central.answers.Authorize = () => ({ idTagInfo: { status: 'Blocked' } })
  chargePoint.connectors.start(1, 'BLOCKED', false)
  await central.take('StatusNotification', (payload) => payload.status === 'Preparing')
  await central.take('StatusNotification', (payload) => payload.status === 'Available' && payload.connectorId === 1)
  t.notOk(central.calls.some((call) => call.action === 'StartTransaction'))

  central.answers.Authorize = () => ({ idTagInfo: { status: 'Accepted' } })
  central.answers.StartTransaction = () => ({ transactionId: 55, idTagInfo: { status: 'Invalid' } })
  chargePoint.connectors.start(1, 'STALE', false)
  t.match((await central.take('StopTransaction')).payload, { transactionId: 55, reason: 'DeAuthorized' })
})

test('charge point - a StartTransaction without an answer goes out again, new message id, same content', async (t) => {
  const { central, chargePoint } = await ready(t)
  central.answers.StartTransaction = () => undefined
  chargePoint.connectors.start(1, 'TAG-1', false)
  const first = await central.take('StartTransaction')
  central.answers.StartTransaction = () => ({ transactionId: 77, idTagInfo: { status: 'Accepted' } })
  central.connection().terminate()
  const second = await central.take('StartTransaction')
  t.not(second.id, first.id)
  t.same(second.payload, first.payload)
  t.equal(second.connection, 2)
  await central.take('StatusNotification', isCharging)
  t.equal(chargePoint.connectors.find(1)?.transaction?.id, 77)
})

test('charge point - a transaction made offline is told in order once the connection is back', async (t) => {
  const both = await ready(t)
  const { central, chargePoint } = both
  const transactionId = await charging(both)
  await central.close()
  while (chargePoint.connected) await new Promise((resolve) => setImmediate(resolve))
  t.ok(chargePoint.connectors.stop(1, 'Local'))
  t.ok(chargePoint.connectors.start(2, 'TAG-2', false))
  t.ok(chargePoint.connectors.stop(2, 'EVDisconnected'))
  t.equal(chargePoint.waitingTransactionMessages, 3)
  const seenBefore = central.calls.length
  await central.reopen()
  const lastStop = await central.take('StopTransaction', (payload) => payload.reason === 'EVDisconnected')
  const late = central.calls.slice(seenBefore)
  t.same(
    late.filter((call) => call.action.endsWith('Transaction')).map((call) => call.action),
    ['StopTransaction', 'StartTransaction', 'StopTransaction'],
  )
  t.notOk(
    late.some((call) => call.action === 'BootNotification'),
    'a reconnect is no reboot',
  )
  t.match(await central.take('StopTransaction'), { payload: { transactionId, reason: 'Local' } })
  t.equal(lastStop.payload.transactionId, 102, 'the id that came with the answer to its start')
})

test('charge point - a reset stops the transaction, leaves, and boots again', async (t) => {
  for (const [type, reason] of [
    ['Soft', 'SoftReset'],
    ['Hard', 'HardReset'],
  ] as const) {
    const both = await ready(t)
    const { central } = both
    await central.take('BootNotification')
    const transactionId = await charging(both)
    const again = central.connected()
    t.same((await central.command('Reset', { type }))[2], { status: 'Accepted' })
    await again
    const boot = await central.take('BootNotification')
    t.equal(boot.connection, 2)
    const stop = await central.take('StopTransaction')
    t.match(stop.payload, { transactionId, reason })
    if (type === 'Soft') t.equal(stop.connection, 1, 'a soft reset lets the transaction message out first')
  }
})

test('charge point - after a power loss it boots and reports the transaction as stopped by that', async (t) => {
  const both = await ready(t)
  const { central, chargePoint } = both
  await central.take('BootNotification')
  const transactionId = await charging(both)
  chargePoint.powerCycle()
  t.equal((await central.take('BootNotification')).connection, 2)
  const stop = await central.take('StopTransaction')
  t.match(stop, { connection: 2, payload: { transactionId, reason: 'PowerLoss' } })
})

test('charge point - a central system that has forgotten it says SecurityError, and it boots again', async (t) => {
  const { central } = await ready(t)
  await central.take('BootNotification')
  central.errors.Heartbeat = 'SecurityError'
  await central.command('TriggerMessage', { requestedMessage: 'Heartbeat' })
  await central.take('Heartbeat')
  t.equal((await central.take('BootNotification')).connection, 1)
})

test('charge point - two charge points of one process share no message id, tag or meter', async (t) => {
  const central = await startCentralSystem()
  const options = { url: central.url, reconnectMinimumMs: 20 }
  const both = ['CP-1', 'CP-2'].map((id) => createSocketChargePoint({ id, ...options }))
  t.teardown(async () => {
    for (const one of both) one.stop()
    await central.close()
  })
  for (const one of both) one.start()
  await central.take('StatusNotification', (payload) => payload.connectorId === 1)
  await central.take('StatusNotification', (payload) => payload.connectorId === 1)
  for (const one of both) one.connectors.start(1, `TAG-${one.id}`, false)
  const starts = [await central.take('StartTransaction'), await central.take('StartTransaction')]
  t.not(starts[0]?.payload.meterStart, starts[1]?.payload.meterStart)
  const ids = central.calls.map((call) => call.id)
  t.equal(new Set(ids).size, ids.length)
})
