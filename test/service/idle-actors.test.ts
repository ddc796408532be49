// Charge points whose actor has left memory because nothing was said for a while: their sockets end and change as ever.

import { test } from 'tap'
import { bootChargePoint, chargePointOf, command } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { type Service, startService } from '../support/service.js'
import { until } from '../support/until.js'

const forgetful = ['--shards', '1', '--passivate-seconds', '1']

/** Resolves when no actor is in memory. */
async function allForgotten(service: Service): Promise<void> {
  await until(async () => {
    const { body } = await service.request('GET', '/metrics')
    return /^ampshard_actors(?:\{[^}]*\})? 0$/m.test(String(body))
  }, 20_000)
}

test('idle actors - a charge point that ends its connection is shown as disconnected', async (t) => {
  const service = await startService(t, { flags: forgetful })
  const client = await bootChargePoint(service, 'CP-1')
  await allForgotten(service)
  client.socket.terminate()
  await until(async () => !(await chargePointOf(service, 'CP-1')).online)
  t.match(await command(service, 'CP-1', 'soft_reset'), { body: { error: { code: 'charge_point_offline' } } })
})

test('idle actors - a newer connection replaces the one that was quiet', async (t) => {
  const service = await startService(t, { flags: forgetful })
  const older = await bootChargePoint(service, 'CP-1')
  await allForgotten(service)
  const newer = await connectOcpp(`${service.ocppUrl}/CP-1`)
  t.match(await older.closed, { code: 1000, reason: 'replaced by a newer connection' })
  t.match(await newer.call('Heartbeat', {}), { error: undefined })
  t.match(await chargePointOf(service, 'CP-1'), { online: true })
})
