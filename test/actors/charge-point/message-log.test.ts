// What is written down of what a charge point and the service say to each other: how much of it, and what is said of the rest.

import { test } from 'tap'
import { limits } from '../../../src/actors/charge-point/limits.js'
import { limits as ocppLimits } from '../../../src/ocpp16/limits.js'
import { capturedMessagesTable, capturesTable } from '../../../src/records/capture.js'
import { type Message, messagesTable } from '../../../src/records/message.js'
import { makeId } from '../../../src/runtime/ids.js'
import { secretStructures, secretTexts } from '../../ocpp16/secret-forms.js'
import { type ActorOverStore, actorOverStore } from './actor-over-store.js'

const boot = { chargePointVendor: 'V', chargePointModel: 'M' }

async function connected(): Promise<ActorOverStore> {
  const actor = await actorOverStore('CP-1')
  await actor.attach(1, 1)
  await actor.call(1, 'BootNotification', boot)
  return actor
}

const logged = (actor: ActorOverStore): readonly Message[] => actor.view().list(messagesTable, [])
const status = (actor: ActorOverStore, time: number): Promise<unknown> =>
  actor.call(1, 'StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status: time % 2 === 0 ? 'Available' : 'Preparing',
  })

test('message log - of a charge point that says a lot, so much is logged in a minute, and the next row counts the rest', async (t) => {
  const actor = await connected()
  const room = limits.loggedMessagesPerMinute - 1
  for (let time = 0; time < room + 10; time++) await status(actor, time)
  await actor.call(1, 'Heartbeat', {})
  t.equal(logged(actor).length, limits.loggedMessagesPerMinute)
  actor.clock.monotonic += 120_000
  actor.clock.wall += 120_000
  t.equal(actor.passivate(), 1, 'what was left out is not told yet')
  await status(actor, 0)
  const all = logged(actor)
  t.equal(all.length, limits.loggedMessagesPerMinute + 1)
  t.match(all.at(-1)?.before, { left_out: 10, heartbeats: 1, meter_values: 0 })
  actor.clock.monotonic += 120_000
  t.equal(actor.passivate(), 0)
  t.ok(
    all.slice(1, -1).every(({ before }) => before === undefined),
    'and no other row does',
  )
})

test('message log - a message that could not be stored is logged when it is repeated, once', async (t) => {
  const actor = await connected()
  actor.refuseWrites(true)
  await t.rejects(status(actor, 0), /try again later/)
  actor.refuseWrites(false)
  actor.clock.wall += 1_000
  await status(actor, 0)
  t.same(
    logged(actor).map(({ action }) => action),
    ['BootNotification', 'StatusNotification'],
    'nothing is stored of what was not handled',
  )
})

test('message log - of a long frame so many bytes are kept, and no half of a character', async (t) => {
  const actor = await connected()
  const data = '\u{1f50c}'.repeat(ocppLimits.keptFrameBytes / 4)
  await actor.call(1, 'DataTransfer', { vendorId: 'V', data })
  await actor.call(1, 'DataTransfer', { vendorId: 'Vv', data })
  for (const { request = '', cut } of logged(actor).slice(1)) {
    t.equal(cut, true)
    const bytes = Buffer.from(request)
    t.ok(bytes.length <= ocppLimits.keptFrameBytes && bytes.length > ocppLimits.keptFrameBytes - 4, `${bytes.length}`)
    t.notMatch(request, '\ufffd')
    t.match(data, request.slice(request.indexOf('\u{1f50c}')))
  }
})

test('message log - a secret is in no form in the log, nor in a capture', async (t) => {
  const actor = await connected()
  const secret = 'PLANTED-5EC8E7'
  await actor.put(capturesTable, {
    capture_id: makeId('cap', actor.clock.wall, Math.random),
    organization_id: 'org_1',
    charge_point_id: 'CP-1',
    version: 1,
    started_at: new Date(actor.clock.wall).toISOString(),
    ends_at: new Date(actor.clock.wall + 3_600_000).toISOString(),
    megabytes: 20,
    started_by: 'api_key:key_1',
  })
  await actor.ask({ type: 'capture-changed' })
  const forms = [...secretStructures('AuthorizationKey', secret), ...secretTexts('AuthorizationKey', secret)]
  for (const data of forms) {
    await actor.frame(1, [2, 'a', 'DataTransfer', { vendorId: 'V', data }])
    await actor.frame(1, [2, 'b', 'DataTransfer', data])
    actor.clock.monotonic += 60_000
  }
  await actor.frame(1, [2, 'c', `AuthorizationKey=${secret}`, {}])
  await actor.frame(1, [2, 'd', 'Heartbeat', { [`AuthorizationKey=${secret}`]: 1 }])
  const captured = actor.view().list(capturedMessagesTable, [])
  t.ok(logged(actor).length > 2 * forms.length, 'all are logged')
  t.ok(captured.length > 2 * forms.length, 'and captured')
  const showing = [...logged(actor), ...captured].filter((row) => JSON.stringify(row).includes(secret))
  t.same(showing, [])
})
