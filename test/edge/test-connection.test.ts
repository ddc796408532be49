// Pings that somebody asks for, over real sockets: every kind of charge point has its own answer.

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const tenant = await tenantOf(await sharedService())

const ping = async (id: string) => (await tenant.request('POST', `/api/v1/chargepoints/${id}/test-connection`)).body

/** It answers pings only as the test says. */
async function connectDeaf(id: string) {
  await tenant.register(id)
  const client = await connectOcpp(`${tenant.ocppUrl}/${id}`, { autoPong: false })
  await client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' })
  return client
}

test('test connection - a charge point that answers is measured; two who ask at once are told of one ping', async (t) => {
  const client = await bootChargePoint(tenant, 'PING-ANSWERS')
  let pings = 0
  client.socket.on('ping', () => pings++)
  const [one, other] = await Promise.all([ping('PING-ANSWERS'), ping('PING-ANSWERS')])
  t.match(one, {
    charge_point_id: 'PING-ANSWERS',
    reachable: true,
    latency_ms: Number,
    ocpp_version: '1.6',
    tested_at: String,
    result: 'answered',
    explanation: 'The charge point is connected. It answered a ping.',
    attempts: [],
  })
  t.equal(other.result, 'answered')
  t.ok(pings === 1 || pings === 2)
})

test('test connection - one that is offline, that must not be pinged, or leaves meanwhile', async (t) => {
  await tenant.register('PING-OFFLINE')
  t.match(await ping('PING-OFFLINE'), {
    reachable: false,
    latency_ms: null,
    ocpp_version: null,
    result: 'offline',
    explanation: /has never been connected/,
  })
  await tenant.register('PING-FRAIL')
  await tenant.request('PATCH', '/api/v1/chargepoints/PING-FRAIL', { ping_interval_seconds: 0 })
  const frail = await connectDeaf('PING-FRAIL')
  frail.socket.on('ping', () => t.fail('it is pinged'))
  t.match(await ping('PING-FRAIL'), {
    reachable: false,
    result: 'not_pinged',
    explanation: /is connected\. It is set not/,
  })
  const leaving = await connectDeaf('PING-LEAVES')
  const asked = ping('PING-LEAVES')
  leaving.socket.once('ping', () => leaving.socket.terminate())
  t.match(await asked, { reachable: false, result: 'offline' })
})

test('test connection - one that answers no pings, one that says something else, and one that has fallen silent', async (t) => {
  const [deaf, busy, silent] = await Promise.all(['PING-DEAF', 'PING-BUSY', 'PING-SILENT'].map(connectDeaf))
  silent?.socket.once('ping', (data) => silent.socket.pong(data))
  t.equal((await ping('PING-SILENT')).result, 'answered')
  busy?.socket.once('ping', () => void busy.call('Heartbeat', {}))
  const [first, second, third] = await Promise.all(['PING-DEAF', 'PING-BUSY', 'PING-SILENT'].map(ping))
  t.match(first, { reachable: false, latency_ms: null, ocpp_version: '1.6', result: 'not_answering_pings' })
  t.match(second, { reachable: true, latency_ms: null, result: 'heard' })
  t.match(third, { reachable: false, result: 'silent', explanation: /answered pings before/ })
  t.equal(deaf?.socket.readyState, 1, 'none is ended for it')
  const { body } = await until(async () => {
    const status = await tenant.request('GET', '/api/v1/chargepoints/PING-DEAF/connection-status')
    return status.body.connected && status
  })
  t.equal(body.websocket_state, 'open')
})

test("test connection - another organization's charge point does not exist", async (t) => {
  const other = await tenantOf(await sharedService())
  await tenant.register('PING-MINE')
  const { status } = await other.request('POST', '/api/v1/chargepoints/PING-MINE/test-connection')
  t.equal(status, 404)
})
