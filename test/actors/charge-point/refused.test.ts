// What a charge point is told of a frame that could not be stored.

import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { createChargePointActor } from '../../../src/actors/charge-point/charge-point.js'
import type { ChargePointMessage } from '../../../src/actors/charge-point/messages.js'
import { requireAnswer } from '../../../src/api/areas/commands/run-command.js'
import type { CommandRecord } from '../../../src/records/command.js'
import type { Context } from '../../../src/runtime/actor/actor.js'
import type { ErrorCode } from '../../../src/runtime/errors.js'
import { actorOverStore } from './actor-over-store.js'
import { charging, minuteMs } from './charge.js'

const actor = createChargePointActor({
  live: new Set([1]),
  heartbeatIntervalSeconds: 300,
  bootRetrySeconds: 60,
  provisionalCloseSeconds: 600,
  signsCertificates: false,
  logsMessages: true,
  randomBytes,
})
const context = { id: 'CP-1', now: () => Date.UTC(2026, 0, 2) } as Context

function answerTo(action: string, code: ErrorCode): unknown {
  const message: ChargePointMessage = { type: 'frame', connection: 1, text: JSON.stringify([2, 'id-1', action, {}]) }
  const only = actor.refused?.(message, code, context)[0]
  return only?.type === 'frame' ? JSON.parse(only.text) : only
}

test('refused frames - the charge point is made to try again', async (t) => {
  t.match(answerTo('StopTransaction', 'storage_unavailable'), [4, 'id-1', 'InternalError'])
  t.match(answerTo('Heartbeat', 'internal_error'), [4, 'id-1', 'InternalError'])
})

test('refused calls - the router hears that nothing was sent, and whether the store was why', async (t) => {
  const router = { kind: 'command-router', id: 'org_1' }
  const call = { commandId: 'cmd_1', action: 'Reset', payload: {}, remainingMs: 1, router }
  const outcomes = (['storage_unavailable', 'internal_error'] as const).map((code) => {
    const told = actor.refused?.({ type: 'call', ...call }, code, context)[0]
    return told?.type === 'send' ? told.message : undefined
  })
  t.match(outcomes, [
    { type: 'call-ended', commandId: 'cmd_1', outcome: { type: 'not-sent', storage: true } },
    { type: 'call-ended', commandId: 'cmd_1', outcome: { type: 'not-sent', storage: false } },
  ])
  const record = { charge_point_id: 'CP-1', command_id: 'cmd_1' } as CommandRecord
  for (const [storage, code] of [
    [true, 'storage_unavailable'],
    [false, 'internal_error'],
  ] as const)
    t.throws(() => requireAnswer({ record, outcome: { type: 'not-sent', storage } }), { code, message: /not sent/ })
})

test('refused frames - a heartbeat is answered while the disk takes no writes', async (t) => {
  t.same(answerTo('Heartbeat', 'storage_unavailable'), [3, 'id-1', { currentTime: '2026-01-02T00:00:00Z' }])
})

test('refused frames - a driver is authorised while the disk takes no writes, a start has to wait', async (t) => {
  const charger = await actorOverStore('CP-1')
  await charger.attach(1, 1)
  charger.refuseWrites(true)
  await t.rejects(charger.call(1, 'Authorize', { idTag: 'TAG' }), /no result/, 'not before its boot')
  charger.refuseWrites(false)
  await charger.call(1, 'BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  charger.refuseWrites(true)
  t.match(await charger.call(1, 'Authorize', { idTag: 'TAG' }), { idTagInfo: { status: 'Accepted' } })
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: '2026-01-02T00:00:00Z' }
  await t.rejects(charger.call(1, 'StartTransaction', start), /InternalError/)
  charger.refuseWrites(false)
  t.match(await charger.call(1, 'StartTransaction', start), { transactionId: Number })
})

test('refused frames - a stop has to wait while the disk takes no writes, and its session runs until it is stored', async (t) => {
  const charge = await charging()
  const transactionId = await charge.start()
  charge.pass(minuteMs)
  const stop = { transactionId, meterStop: 3_000, timestamp: charge.now() }
  charge.refuseWrites(true)
  await t.rejects(charge.call(1, 'StopTransaction', stop), /InternalError/)
  t.match(charge.session(transactionId), { status: 'active' })
  charge.refuseWrites(false)
  await charge.call(1, 'StopTransaction', stop)
  charge.restart()
  t.match(charge.session(transactionId), { status: 'completed', energy_wh: 2_000 })
})
