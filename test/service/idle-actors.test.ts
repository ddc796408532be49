// Charge points whose actor has left memory because nothing was said for a while: their sockets end and change as ever.

import { t, test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
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
