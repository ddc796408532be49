// Why a charge point does not come online, on real sockets: its attempts are told to its organization as they happen.

import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await sharedService()

test('connection status - a misspelt id and a wrong path are told before the first connect, and it says so once connected', async (t) => {
  const tenant = await tenantOf(service)
  await tenant.register('DIAGNOSIS-0001')
  const status = async () => (await tenant.request('GET', '/api/v1/chargepoints/DIAGNOSIS-0001/connection-status')).body
  const root = service.ocppUrl.replace('/ocpp16', '')
  for (const path of ['/ocpp16/DIAGNOSIS_0001', '/DIAGNOSIS-0001'])
    await t.rejects(connectOcpp(`${root}${path}`), /HTTP 404/)
  const told = await until(async () => {
    const found = await status()
    return found.attempts.length === 2 && found
  })
  t.match(told, {
    connected: false,
    websocket_state: 'never_opened',
    explanation: /never been connected\. Its attempt at/,
    attempts: [
      { match: 'id', reason: 'wrong_path', cause: /ocpp16/, remote_address: '127.0.0.1' },
      { match: 'spelling', charge_point_id: 'DIAGNOSIS_0001', remedy: /DIAGNOSIS-0001/ },
    ],
  })
  const client = await connectOcpp(`${service.ocppUrl}/DIAGNOSIS-0001`)
  t.match(
    await until(async () => {
      const found = await status()
      return found.connected && found
    }),
    { websocket_state: 'open', ip_address: '127.0.0.1', explanation: /has not sent a BootNotification/ },
  )
  await client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  t.match(await status(), { registration: 'Accepted', explanation: 'The charge point is connected.' })
  client.socket.close()
  const gone = await until(async () => {
    const found = await status()
    return !found.connected && found
  })
  t.match(gone, { websocket_state: 'closed', explanation: /has not been connected since .* Nothing that could be/ })
})
