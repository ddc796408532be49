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

test('connection status - a charge point that was connected and is not any more says why, and what to do', async (t) => {
  const tenant = await tenantOf(service)
  const id = 'DROPPED-0001'
  await tenant.register(id)
  const connect = () => connectOcpp(`${service.ocppUrl}/${id}`)
  const path = `/api/v1/chargepoints/${id}`
  const statusOnce = (isConnected: boolean, before = '') =>
    until(async () => {
      const { body } = await tenant.request('GET', `${path}/connection-status`)
      return body.connected === isConnected && (isConnected ? body.connected_at : body.disconnected_at) > before && body
    })
  const silent = await connect()
  t.match(await statusOnce(true), { last_close: null })
  silent.socket.terminate()
  const first = await statusOnce(false)
  t.match(first, {
    last_close: {
      code: 1006,
      at: first.disconnected_at,
      cause: /without a word.* had sent no BootNotification/,
      remedy: /Restart it/,
    },
    explanation: /has not been connected since .* had sent no BootNotification.* Restart it.* Nothing that could be/,
  })

  const large = await connect()
  await large.boot()
  large.raw(JSON.stringify([2, '1', 'DataTransfer', { vendorId: 'V', data: 'x'.repeat(100_000) }]))
  const second = await statusOnce(false, first.disconnected_at)
  t.match(second.last_close, { code: 1009, cause: /larger than the service takes/, remedy: /less in one message/ })
  const { body: tested } = await tenant.request('POST', `${path}/test-connection`)
  t.match(tested, { result: 'offline', last_close: second.last_close, explanation: /larger than the service takes/ })

  const [older, newer] = [await connect(), await connect()]
  await older.closed
  t.match(await statusOnce(true, second.disconnected_at), {
    last_close: { code: 1000, cause: /has taken the place of an earlier one/ },
    explanation: /The charge point is connected.* two charge points have the same id/,
  })
  newer.socket.close(1001, 'rebooting')
  t.match(await statusOnce(false, second.disconnected_at), {
    last_close: { code: 1001, reason: 'rebooting', cause: /going away.* "rebooting"/ },
    explanation: /it restarted, or was switched off/,
  })
})
