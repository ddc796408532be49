// The charge point that every simulation is made of, without sockets, timers or a clock: time passes when the test says so, and
// the central system is a function. What it does over sockets is in charge-point.test.ts.

import { test } from 'tap'
import { createRegister } from '../../bench/charge-point/register.js'
import { callsOf, createWorld, type World } from './world.js'

/** A day with commands, a lost connection, a power cut and a call that nobody answers. */
function livedDay(): World {
  const world = createWorld()
  world.chargePoint.start()
  world.pass(1_000)
  world.command('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' })
  world.pass(300_000)
  world.chargePoint.drop()
  world.pass(60_000)
  world.chargePoint.connectors.start(2, 'TAG-2', false)
  world.pass(100_000)
  world.answers.MeterValues = () => {
    world.answers.MeterValues = () => ({})
    return undefined
  }
  world.pass(200_000)
  world.chargePoint.powerCycle()
  world.pass(300_000)
  world.command('Reset', { type: 'Soft' })
  world.pass(60_000)
  return world
}

test('charge point - the same seed, time and answers make the same frames', (t) => {
  const first = livedDay()
  const actions = new Set(first.sent.map(([, frame]) => (frame[0] === 2 ? frame[2] : 'answer')))
  for (const action of [
    'BootNotification',
    'Heartbeat',
    'StartTransaction',
    'MeterValues',
    'StopTransaction',
    'answer',
  ])
    t.ok(actions.has(action), action)
  t.ok(first.sent.length > 30, `${first.sent.length} frames`)
  t.same(livedDay().sent, first.sent)
  t.end()
})

test('charge point - a transaction message that is refused, not answered or cut off goes out again, in order, under another id', (t) => {
  const world = createWorld({
    configuration: { TransactionMessageAttempts: '3', TransactionMessageRetryInterval: '10' },
    callTimeoutMs: 5_000,
  })
  const { chargePoint, answers, pass } = world
  chargePoint.start()
  pass(1_000)
  answers.StartTransaction = () => undefined
  chargePoint.connectors.start(1, 'TAG-1', false)
  pass(3_000)
  chargePoint.connectors.stop(1, 'Local')
  t.equal(chargePoint.waitingTransactionMessages, 2)
  chargePoint.drop()
  pass(2_000)
  t.equal(callsOf(world, 'StartTransaction').length, 2, 'with the next connection')
  answers.StartTransaction = () => 'InternalError'
  pass(5_000 + 10_000)
  t.equal(callsOf(world, 'StartTransaction').length, 3, 'after the time for an answer, and the interval')
  t.equal(callsOf(world, 'StopTransaction').length, 0, 'nothing overtakes it')
  answers.StartTransaction = () => ({ transactionId: 7, idTagInfo: { status: 'Accepted' } })
  pass(20_000)
  const starts = callsOf(world, 'StartTransaction')
  t.equal(starts.length, 4, 'after twice the interval: what was cut off is no attempt')
  t.equal(new Set(starts.map(({ id }) => id)).size, 4)
  t.equal(new Set(starts.map(({ payload }) => JSON.stringify(payload))).size, 1)
  t.match(callsOf(world, 'StopTransaction'), [{ payload: { transactionId: 7 } }])
  t.equal(chargePoint.waitingTransactionMessages, 0)
  t.end()
})

test('charge point - one that its central system has forgotten boots again, and loses no transaction message', (t) => {
  const world = createWorld()
  const { chargePoint, answers, pass } = world
  chargePoint.start()
  pass(1_000)
  answers.StartTransaction = () => {
    answers.StartTransaction = () => ({ transactionId: 5, idTagInfo: { status: 'Accepted' } })
    return 'SecurityError'
  }
  chargePoint.connectors.start(1, 'TAG-1', false)
  pass(100)
  t.equal(callsOf(world, 'BootNotification').length, 2)
  pass(120_000)
  t.equal(callsOf(world, 'StartTransaction').length, 2)
  t.equal(chargePoint.connectors.find(1)?.transaction?.id, 5)
  t.end()
})

test('charge point - a register begins anew at its end, in the middle of a transaction', (t) => {
  const world = createWorld({ registerOf: () => createRegister(999_900, 1_000_000), maximumWatts: 22_000 })
  world.chargePoint.start()
  world.pass(1_000)
  world.chargePoint.connectors.start(1, 'TAG-1', false)
  world.pass(600_000)
  world.chargePoint.connectors.stop(1, 'Local')
  world.pass(1_000)
  t.match(callsOf(world, 'StartTransaction'), [{ payload: { meterStart: 999_900 } }])
  const meterStop = Number(callsOf(world, 'StopTransaction')[0]?.payload.meterStop)
  t.ok(meterStop > 500 && meterStop < 5_000, `${meterStop} Wh`)
  t.end()
})

test('charge point - an unset clock counts from when the power came, until the answer to the boot has the time', (t) => {
  const world = createWorld({ clock: 'unset' })
  world.answers.BootNotification = () => undefined
  world.chargePoint.start()
  world.pass(2_000)
  world.chargePoint.connectors.start(1, 'TAG-1', false)
  world.answers.BootNotification = () => ({ status: 'Accepted', interval: 300 })
  world.pass(120_000)
  world.chargePoint.connectors.stop(1, 'Local')
  world.pass(1_000)
  t.equal(callsOf(world, 'StartTransaction')[0]?.payload.timestamp, '1970-01-01T00:00:02.000Z')
  t.match(callsOf(world, 'StopTransaction')[0]?.payload.timestamp, /^2026-01-01T00:02:02/)
  t.end()
})
