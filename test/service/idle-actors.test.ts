// Charge points whose actor has left memory because nothing was said for a while: their sockets end and change as ever.

import { t, test } from 'tap'
import { bootChargePoint, chargePointOf, command, historyOf } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'

const service = await startService(t, { flags: ['--shards', '1', '--passivate-seconds', '1'] })

/** Resolves when no actor is in memory. */
async function allForgotten(): Promise<void> {
  await until(async () => {
    const { body } = await service.request('GET', '/metrics')
    return /^ampshard_actors(?:\{[^}]*\})? 0$/m.test(String(body))
  }, 20_000)
}

test('idle actors - a charge point that ends its connection is shown as disconnected', async (t) => {
  const client = await bootChargePoint(service, 'IDLE-1')
  await allForgotten()
  client.socket.terminate()
  await until(async () => !(await chargePointOf(service, 'IDLE-1')).online)
  t.match(await command(service, 'IDLE-1', 'soft_reset'), { body: { error: { code: 'charge_point_offline' } } })
})

test('idle actors - a newer connection replaces the one that was quiet', async (t) => {
  const older = await bootChargePoint(service, 'IDLE-2')
  await allForgotten()
  const newer = await connectOcpp(`${service.ocppUrl}/IDLE-2`)
  t.match(await older.closed, { code: 1000, reason: 'replaced by a newer connection' })
  t.match(await newer.call('Heartbeat', {}), { error: undefined })
  t.match(await chargePointOf(service, 'IDLE-2'), { online: true })
})

test('idle actors - an answer that comes late is kept with its command all the same', async (t) => {
  const client = await bootChargePoint(service, 'IDLE-3')
  const timed = command(service, 'IDLE-3', 'soft_reset', {}, 1)
  const [, messageId] = await client.nextFrame()
  t.match(await timed, { status: 408 })
  await allForgotten()
  client.raw(JSON.stringify([3, 'cmd_NOBODY', { status: 'Accepted' }]))
  client.raw(JSON.stringify([3, messageId, { status: 'Accepted' }]))
  const [record] = await until(async () => {
    const history = await historyOf(service, 'IDLE-3')
    return history[0].late_response !== null && history
  })
  t.match(record, { command_id: messageId, status: 'Timeout', late_response: { status: 'Accepted' } })
  const other = await bootChargePoint(service, 'IDLE-4')
  const others = command(service, 'IDLE-4', 'soft_reset', {}, 1)
  const [, othersId] = await other.nextFrame()
  t.match(await others, { status: 408 })
  await allForgotten()
  client.raw(JSON.stringify([3, othersId, { status: 'Accepted' }]))
  await client.call('Heartbeat', {})
  t.match(await historyOf(service, 'IDLE-4'), [{ late_response: null }], 'nobody answers for another one')
})
