// Connections of one charge point, and what its registration allows it (OCPP 1.6, 4.2; OCPP-J 1.6, 4.1).

import { test } from 'tap'
import { bootChargePoint, chargePointOf, command, historyOf, startRequest } from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { tenantOf } from '../support/organization.js'
import { rawUpgrade } from '../support/raw-socket.js'
import { sharedService } from '../support/shared-services.js'
import { until } from '../support/until.js'

const service = await tenantOf(await sharedService())

test('connections - a newer one takes over: the call in flight ends as lost, those that waited go to the new socket', async (t) => {
  const first = await bootChargePoint(service, 'CO-TAKEN')
  const inFlight = command(service, 'CO-TAKEN', 'unlock_connector', { connector_id: 1 })
  const unanswered = await first.nextFrame()
  const waiting = command(service, 'CO-TAKEN', 'unlock_connector', { connector_id: 2 })

  const second = await connectOcpp(`${service.ocppUrl}/CO-TAKEN`)
  t.match(await first.closed, { code: 1000, reason: 'replaced by a newer connection' })
  t.match(await inFlight, { status: 422, body: { error: { code: 'charge_point_offline', command_id: unanswered[1] } } })

  t.match(await second.answerNext({ status: 'Unlocked' }), [2, String, 'UnlockConnector', { connectorId: 2 }])
  t.equal((await waiting).status, 200)
  // The answer to the lost call may still come over the new socket; it changes nothing.
  second.raw(JSON.stringify([3, unanswered[1], { status: 'Unlocked' }]))
  await second.call('Heartbeat', {})
  t.match(await historyOf(service, 'CO-TAKEN'), [
    { status: 'Accepted', parameters: { connector_id: 2 } },
    { status: 'Error', error: 'connection_lost', parameters: { connector_id: 1 }, charge_point_response: null },
  ])
  t.match(await chargePointOf(service, 'CO-TAKEN'), { online: true })
})

test('connections - a socket is lost with calls on it: none of them waits for its timeout', async (t) => {
  const client = await bootChargePoint(service, 'CO-LOST')
  const inFlight = command(service, 'CO-LOST', 'soft_reset', {}, 60)
  await client.nextFrame()
  const waiting = command(service, 'CO-LOST', 'hard_reset', {}, 60)
  await client.call('Heartbeat', {})
  client.socket.terminate()
  for (const answer of await Promise.all([inFlight, waiting]))
    t.match(answer, { status: 422, body: { error: { code: 'charge_point_offline' } } })
  await until(async () => (await chargePointOf(service, 'CO-LOST')).online === false)
  t.equal((await chargePointOf(service, 'CO-LOST')).status, 'offline')
})

test('registration - before the first BootNotification calls are refused, and the charge point is asked to boot, once', async (t) => {
  await service.register('CO-NEW')
  const client = await connectOcpp(`${service.ocppUrl}/CO-NEW`)
  t.match(await client.call('Heartbeat', {}), { error: 'SecurityError' })
  t.match(await client.call('StartTransaction', startRequest()), { error: 'SecurityError' })
  const asked = await client.answerNext({ status: 'Accepted' })
  t.match(asked, [2, String, 'TriggerMessage', { requestedMessage: 'BootNotification' }])
  t.match(await client.boot(), { payload: { status: 'Accepted', interval: Number } })
  t.match(await client.call('StartTransaction', startRequest()), { error: undefined })
  const sent = command(service, 'CO-NEW', 'soft_reset')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'Reset'], 'it was not asked a second time')
  t.equal((await sent).status, 200)

  const again = await connectOcpp(`${service.ocppUrl}/CO-NEW`)
  t.match(await again.call('Heartbeat', {}), { error: undefined }, 'a reconnect needs no other BootNotification')
})

test('registration - Pending: no transactions in either direction, but configuration and status', async (t) => {
  await service.register('CO-PENDING')
  await service.request('PATCH', '/api/v1/chargepoints/CO-PENDING', { registration: 'Pending' })
  const client = await connectOcpp(`${service.ocppUrl}/CO-PENDING`)
  const { payload } = await client.boot()
  t.equal(payload.status, 'Pending')
  t.ok(payload.interval >= 54 && payload.interval <= 66, 'the retry interval, give or take a tenth')
  t.match(await client.call('StartTransaction', startRequest()), { error: 'SecurityError' })
  const status = { connectorId: 1, status: 'Available', errorCode: 'NoError' }
  t.match(await client.call('StatusNotification', status), { error: undefined })
  const start = await command(service, 'CO-PENDING', 'start_session', { connector_id: 1, id_tag: 'TAG-1' })
  t.match(start, { status: 422, body: { error: { code: 'charge_point_not_accepted', message: /was not sent/ } } })

  const configured = service.request('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: 'CO-PENDING',
    command: 'ChangeConfiguration',
    payload: { key: 'HeartbeatInterval', value: '60' },
  })
  t.match(
    await client.answerNext({ status: 'Accepted' }),
    [2, String, 'ChangeConfiguration'],
    'the first frame it gets',
  )
  t.match(await configured, { status: 200, body: { status: 'Accepted' } })

  await service.request('PATCH', '/api/v1/chargepoints/CO-PENDING', { registration: 'Accepted' })
  t.match(await client.boot(), { payload: { status: 'Accepted' } })
  t.match(await client.call('StartTransaction', startRequest()), { error: undefined })
})

test('registration - Rejected: nothing but another BootNotification is taken', async (t) => {
  await service.register('CO-REJECTED')
  await service.request('PATCH', '/api/v1/chargepoints/CO-REJECTED', { registration: 'Rejected' })
  const client = await connectOcpp(`${service.ocppUrl}/CO-REJECTED`)
  t.match(await client.boot(), { payload: { status: 'Rejected', interval: Number } })
  const calls: readonly (readonly [string, object])[] = [
    ['Heartbeat', {}],
    ['StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' }],
    ['Authorize', { idTag: 'TAG-1' }],
    ['StartTransaction', startRequest()],
  ]
  for (const [action, payload] of calls) t.match(await client.call(action, payload), { error: 'SecurityError' }, action)
  for (const ask of [
    { command: 'GetConfiguration', payload: {} },
    { command: 'Reset', payload: { type: 'Soft' } },
  ])
    t.match(
      await service.request('POST', '/api/v1/ocpp16/send_command', { charge_point_id: 'CO-REJECTED', ...ask }),
      { status: 422, body: { error: { code: 'charge_point_not_accepted', command_id: String } } },
      ask.command,
    )
  t.match((await historyOf(service, 'CO-REJECTED'))[0], { status: 'Error', error: 'charge_point_not_accepted' })
  t.match(await client.boot(), { payload: { status: 'Rejected' } })
  await service.request('PATCH', '/api/v1/chargepoints/CO-REJECTED', { registration: 'Accepted' })
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'TriggerMessage'], 'the first frame it gets')
})

test('registration - what the operator decides about a connected charge point holds at once', async (t) => {
  await service.register('CO-DECIDED')
  const client = await connectOcpp(`${service.ocppUrl}/CO-DECIDED`)
  await client.boot()
  await service.request('PATCH', '/api/v1/chargepoints/CO-DECIDED', { registration: 'Rejected' })
  await until(async () => (await client.call('Heartbeat', {})).error === 'SecurityError')
  await service.request('PATCH', '/api/v1/chargepoints/CO-DECIDED', { registration: 'Accepted' })
  const asked = await client.answerNext({ status: 'Accepted' })
  t.match(asked, [2, String, 'TriggerMessage', { requestedMessage: 'BootNotification' }])
  t.match(await client.boot(), { payload: { status: 'Accepted' } })
  t.match(await client.call('Heartbeat', {}), { error: undefined })
})

test('connections - no answer names the library that gives it', async (t) => {
  await service.register('CO-QUIET')
  for (const path of ['/', '/docs', '/api/v1/chargepoints', '/nothing', '/ocpp16/CO-QUIET'])
    t.notOk((await service.request('GET', path)).headers.has('uwebsockets'), path)
  for (const [id, status] of [
    ['CO-QUIET', 101],
    ['CO-UNKNOWN', 404],
  ]) {
    const upgrade = await rawUpgrade(service.port, `/ocpp16/${id}`)
    t.equal(upgrade.status, status)
    t.notMatch(upgrade.head, /uwebsockets/i)
    upgrade.socket.destroy()
  }
})

test('connections - the address of a charge point says to a browser that it takes WebSockets', async (t) => {
  for (const path of ['/ocpp16/CO-1', '/some/OCPP16/tenant/CO-1']) {
    const { status, headers, body } = await service.request('GET', path)
    t.equal(status, 426)
    t.equal(headers.get('upgrade'), 'websocket')
    t.match(body, { error: { code: 'upgrade_required', request_id: String } })
  }
  t.equal((await service.request('GET', '/api/v1/ocpp16/nothing')).status, 404)
  t.equal((await service.request('POST', '/ocpp16/CO-1')).status, 404)
})
