// Field note 7 (steve#1294).

import { test } from 'tap'
import { bootChargePoint, secondsAgo, sessionOf, sessionsOf, startRequest } from '../support/charge-point.js'
import { maskedFrame, opcodes, rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('StartTransaction is replayed after its StopTransaction - the old id is answered and the ended session stays ended', async (t) => {
  const client = await bootChargePoint(service, 'CP-7-1')
  const start = startRequest()
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const stop = { transactionId, meterStop: 4000, timestamp: secondsAgo(60) }
  await client.call('StopTransaction', stop)
  const before = await sessionsOf(service, 'CP-7-1')

  t.equal((await client.call('StartTransaction', start)).payload.transactionId, transactionId)
  t.match(await client.call('StopTransaction', { ...stop, meterStop: 9000 }), { error: undefined })
  const [after] = await sessionsOf(service, 'CP-7-1')
  const odd = { flags: [], other_stops: [] }
  t.same({ ...after, ...odd }, { ...before[0], ...odd }, 'the replays have changed nothing of the session')
  t.same(after?.flags, ['start_repeated', 'stop_differs'], 'but it tells that both came again, the stop in other words')
  const read = await service.request('GET', `/api/v1/sessions/${after?.session_id}`)
  t.match(read.body, { flags: after?.flags, other_stops: [{ meter_stop: 9000, reason: 'Local' }] })

  const other = (await client.call('StartTransaction', { ...start, meterStart: start.meterStart + 1 })).payload
  t.not(other.transactionId, transactionId, 'another meter reading is another session')
  t.equal((await sessionsOf(service, 'CP-7-1')).length, 2)
})

test('a start comes again with another meter reading - it is a session of its own, and marked', async (t) => {
  const client = await bootChargePoint(service, 'CP-7-41')
  const start = startRequest()
  await client.call('StartTransaction', start)
  const { transactionId } = (await client.call('StartTransaction', { ...start, meterStart: start.meterStart + 5 }))
    .payload
  t.match(await sessionOf(service, 'CP-7-41', transactionId), { status: 'active', flags: ['start_differs_in_meter'] })
})

test('a whole offline queue is poured out at once, with repeats - every session is there once', async (t) => {
  const client = await bootChargePoint(service, 'CP-7-21')
  const start = startRequest()
  const { transactionId } = (await client.call('StartTransaction', start)).payload
  const stop = { transactionId, meterStop: 4000, timestamp: secondsAgo(60) }
  const peer = await rawUpgrade(service.port, '/ocpp16/CP-7-21')
  t.teardown(() => peer.socket.destroy())
  const calls: readonly (readonly [string, object])[] = [
    ['StopTransaction', stop],
    ['StartTransaction', start],
    ['StopTransaction', { ...stop, meterStop: 9000 }],
    ['StartTransaction', start],
  ]
  // In one write, so that the service reads them all before it has answered the first.
  const frames = calls.map(([action, payload], at) => JSON.stringify([2, `m${at}`, action, payload]))
  peer.socket.write(Buffer.concat(frames.map((frame) => maskedFrame(opcodes.text, Buffer.from(frame)))))
  for (const id of ['m1', 'm3']) t.match(await peer.answerTo(id), [3, id, { transactionId }])
  const sessions = await sessionsOf(service, 'CP-7-21')
  t.equal(sessions.length, 1)
  t.match(sessions[0], { status: 'completed', meter_stop: 4000, energy_kwh: 3 }, 'the first stop counts')
})
