import { test } from 'tap'
import { invalidCommand } from '../../src/api/areas/commands/errors.js'
import { conflict, type ErrorKind } from '../../src/runtime/errors.js'
import { CallError, createTestApi, routes, type Script } from './fixture.js'

async function withCharger(script: Script, changes: Record<string, unknown> = {}) {
  const service = await createTestApi()
  await service.register('CP-1', changes)
  const sent: [string, Record<string, unknown>][] = []
  const connection = service.connect('CP-1', (action, payload) => {
    sent.push([action, payload])
    return script(action, payload)
  })
  await service.settled()
  const send = (name: string, body: object) =>
    service.call('POST', `/api/v1/ocpp16/${name}`, { charge_point_id: 'CP-1', ...body })
  return { service, sent, send, connection }
}

const profile = {
  chargingProfileId: 7,
  stackLevel: 1,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 15.9 }] },
}

test('raw commands - each becomes its OCPP call and answers its fields', async (t) => {
  const { send, sent } = await withCharger(() => ({ status: 'Accepted' }))
  const expiry = '2030-01-01T13:00:00+01:00'
  const cases: [string, object, [string, object], object][] = [
    [
      'remote_start_transaction',
      { id_tag: 'A', connector_id: 1 },
      ['RemoteStartTransaction', { idTag: 'A', connectorId: 1 }],
      { connector_id: 1, id_tag: 'A' },
    ],
    ['remote_start_transaction', { id_tag: 'A' }, ['RemoteStartTransaction', { idTag: 'A' }], { connector_id: null }],
    [
      'remote_stop_transaction',
      { transaction_id: 9 },
      ['RemoteStopTransaction', { transactionId: 9 }],
      { transaction_id: 9 },
    ],
    [
      'change_availability',
      { connector_id: 0, type: 'Inoperative' },
      ['ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
      { connector_id: 0, type: 'Inoperative' },
    ],
    [
      'set_charging_profile',
      { connector_id: 1, charging_profile: profile },
      ['SetChargingProfile', { connectorId: 1, csChargingProfiles: profile }],
      { connector_id: 1, charging_profile_id: 7 },
    ],
    [
      'clear_charging_profile',
      { connector_id: 1, stack_level: 0 },
      ['ClearChargingProfile', { connectorId: 1, stackLevel: 0 }],
      {},
    ],
    ['reset', { type: 'Hard' }, ['Reset', { type: 'Hard' }], { type: 'Hard' }],
    [
      'trigger_message',
      { requested_message: 'MeterValues', connector_id: 2 },
      ['TriggerMessage', { requestedMessage: 'MeterValues', connectorId: 2 }],
      { requested_message: 'MeterValues' },
    ],
    [
      'reserve_now',
      { connector_id: 1, expiry_date: expiry, id_tag: 'A', reservation_id: 5 },
      ['ReserveNow', { connectorId: 1, expiryDate: '2030-01-01T12:00:00Z', idTag: 'A', reservationId: 5 }],
      { reservation_id: 5, expires_at: '2030-01-01T12:00:00.000Z' },
    ],
  ]
  for (const [name, body, call, fields] of cases) {
    const answer = await send(name, body)
    t.equal(answer.status, 200, name)
    t.match(answer.body, { charge_point_id: 'CP-1', status: 'Accepted', sent_at: String, ...fields }, name)
    t.same(sent.pop(), call, name)
  }
})

const fieldsOf = (body: object | undefined): object =>
  body !== undefined && 'properties' in body ? (body.properties as object) : {}

test('raw commands - a connector that the charge point does not have is its own affair', async (t) => {
  const { send, sent, service } = await withCharger(() => ({ status: 'Rejected' }), { connector_count: 2 })
  t.match(await send('change_availability', { connector_id: 9, type: 'Inoperative' }), {
    status: 200,
    body: { status: 'Rejected', connector_id: 9 },
  })
  t.same(sent.pop(), ['ChangeAvailability', { connectorId: 9, type: 'Inoperative' }])
  const operators = { command: 'unlock_connector', parameters: { connector_id: 9 } }
  t.equal((await service.call('POST', '/api/v1/cpo/commands/CP-1', operators)).status, 400)
  const silent = routes
    .filter(({ path, body }) => path.startsWith('/api/v1/ocpp16/') && 'connector_id' in fieldsOf(body))
    .filter(({ description }) => description?.includes('connector_count') !== true)
  t.same(silent, [], 'said where it can be named')
})

test('raw commands - each declares the errors that it can answer', (t) => {
  const declares = (kind: ErrorKind) =>
    routes
      .filter(({ path, errors }) => path.startsWith('/api/v1/ocpp16/') && errors?.includes(kind) === true)
      .map(({ operationId }) => operationId)
  t.same(declares(invalidCommand), ['sendOcppCommand'])
  t.same(declares(conflict), ['sendOcppCommand', 'reserveNow'])
  t.end()
})

test('raw commands - cancel_reservation, and a refusal is an answer', async (t) => {
  const { send, service } = await withCharger(() => ({ status: 'Rejected' }))
  const answer = await send('cancel_reservation', { reservation_id: 5 })
  t.equal(answer.status, 200)
  t.match(answer.body, { status: 'Rejected', reservation_id: 5 })
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(body.commands, [{ command: 'CancelReservation', status: 'Rejected' }])
})

test('raw commands - a charge point that does not know the action answers so; other CALLERRORs are 502', async (t) => {
  for (const code of ['NotImplemented', 'NotSupported']) {
    const unknown = await withCharger(() => new CallError(code))
    t.match(await unknown.send('reset', { type: 'Soft' }), { status: 200, body: { status: code } })
    const { body } = await unknown.service.call('GET', '/api/v1/cpo/commands/CP-1/history')
    t.match(body.commands, [{ command: 'Reset', status: 'Error', error: code }])
  }
  const failing = await withCharger(() => new CallError('InternalError'))
  const answer = await failing.send('reset', { type: 'Soft' })
  t.equal(answer.status, 502)
  t.equal(answer.body.error.code, 'ocpp_error')
})

test('raw commands - send_command checks the payload against the OCPP schema and gives the raw answer', async (t) => {
  const configuration = { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }] }
  const { send, sent, service } = await withCharger(() => configuration)
  const answer = await send('send_command', { command: 'GetConfiguration', payload: { key: ['HeartbeatInterval'] } })
  t.equal(answer.status, 200)
  t.match(answer.body, { status: 'Accepted', command: 'GetConfiguration' })
  t.same(answer.body.response, configuration)
  t.equal(sent.length, 1)
  const codes = async (command: string, payload: object) =>
    (await send('send_command', { command, payload })).body.error
  t.equal((await codes('MakeCoffee', {})).code, 'invalid_command')
  t.equal((await codes('Heartbeat', {})).code, 'invalid_command')
  const wrong = await codes('Reset', { type: 'Warm' })
  t.equal(wrong.code, 'validation_error')
  t.equal(wrong.details[0].path, '/payload/type')
  t.equal(sent.length, 1)
  await send('send_command', {
    command: 'ChangeConfiguration',
    payload: { key: 'authorizationkey', value: 'SECRETSECRETSECRET' },
  })
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.notMatch(JSON.stringify(body), /SECRETSECRET/)
})

test('raw commands - of a long payload, the record keeps what has room, and the charge point gets all of it', async (t) => {
  const { send, sent, service } = await withCharger(() => ({ status: 'Accepted', data: 'y'.repeat(50_000) }))
  const data = 'x'.repeat(1_000_000)
  const { body } = await send('send_command', { command: 'DataTransfer', payload: { vendorId: 'V', data } })
  t.same(sent, [['DataTransfer', { vendorId: 'V', data }]])
  t.equal(body.response.data.length, 50_000)
  const [command] = (await service.call('GET', '/api/v1/cpo/commands/CP-1/history')).body.commands
  t.match(command.parameters, { vendorId: 'V', data: '(1000002 characters left out)' })
  t.match(command.charge_point_response, { status: 'Accepted', data: '(50002 characters left out)' })
})

test('raw commands - passwords in URLs are sent and not recorded, however deep they stand', async (t) => {
  const { send, sent, service } = await withCharger(() => ({ status: 'Accepted' }))
  const log = { remoteLocation: 'ftp://user:SECRETSECRET@files.example.com/logs' }
  await send('send_command', { command: 'GetLog', payload: { logType: 'SecurityLog', requestId: 1, log } })
  t.match(sent, [['GetLog', { log }]])
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.match(body.commands[0].parameters.log.remoteLocation, /^ftp:\/\/user:redacted@files\.example\.com\/logs$/)
})

test('raw commands - what lets somebody in is recorded neither in JSON nor in the query of an address, nor as it is answered', async (t) => {
  const configurationKey = [
    { key: 'CentralSystemURL', readonly: false, value: 'wss://CP-1:SECRET-1@csms.example.com/' },
    { key: 'FtpServer', readonly: false, value: 'ftp://example.com/?token=SECRET-2' },
  ]
  const { send, sent, service } = await withCharger((action) =>
    action === 'GetConfiguration' ? { configurationKey } : { status: 'Accepted', data: 'token=SECRET-3' },
  )
  const data = '{"ssid":"SHOWN","password":"SECRET-4"}'
  await send('send_command', { command: 'DataTransfer', payload: { vendorId: 'V', data } })
  t.match(sent, [['DataTransfer', { data }]])
  await send('send_command', { command: 'GetConfiguration', payload: {} })
  const location = 'https://example.com/SHOWN?X-Amz-Date=SHOWN&X-Amz-Signature=SECRET-5&sig=SECRET-6'
  await send('send_command', { command: 'GetDiagnostics', payload: { location } })
  const history = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  const audit = await service.call('GET', '/api/v1/org/audit-log')
  for (const { body } of [history, audit]) {
    t.notMatch(JSON.stringify(body), /SECRET-/)
    t.equal(JSON.stringify(body.data).split('SHOWN').length - 1, 3)
  }
})

test('raw commands - an AuthorizationKey that a charge point tells is not shown and not recorded', async (t) => {
  const configurationKey = [
    { key: 'authorizationKey', readonly: false, value: 'SECRETSECRET' },
    { key: 'HeartbeatInterval', readonly: false, value: '300' },
  ]
  const { send, service } = await withCharger(() => ({ configurationKey }))
  const answer = await send('send_command', { command: 'GetConfiguration', payload: {} })
  t.match(answer.body.response.configurationKey, [{ value: '(redacted)' }, { value: '300' }])
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  t.notMatch(JSON.stringify(body), /SECRETSECRET/)
})

test('raw commands - a secret that a charge point repeats, in time or late, is not shown and not recorded', async (t) => {
  const secret = 'SECRETSECRET'
  const asSent = (value: string) => ({ command: 'ChangeConfiguration', payload: { key: 'Wifi-Password', value } })
  let answer: unknown = { status: 'Rejected', info: [`no: ${secret}`] }
  const { send, service, sent, connection } = await withCharger(() => answer)
  const rejected = (await send('send_command', asSent(secret))).body
  t.match(rejected, { status: 'Rejected', response: { status: 'Rejected', info: ['no: (redacted)'] } })
  answer = { status: 'Rejected' }
  t.equal((await send('send_command', asSent('Rejected'))).body.status, 'Rejected', 'a status is one whatever was sent')
  answer = new CallError(secret)
  t.equal((await send('send_command', asSent(secret))).status, 502)
  answer = undefined
  const asked = send('send_command', asSent(secret))
  await service.settled()
  await service.pass(31_000)
  t.equal((await asked).status, 408)
  const { body } = await service.call('GET', '/api/v1/cpo/commands/CP-1/history')
  service.answerLate(connection, body.commands[0].command_id, { status: 'Accepted', value: secret })
  await service.settled()
  const late = (await service.call('GET', '/api/v1/cpo/commands/CP-1/history')).body
  t.match(late.commands[0].late_response, { status: 'Accepted', value: '(redacted)' })
  t.notMatch(JSON.stringify([rejected, late]), new RegExp(secret))
  t.equal(sent.filter(([, { value }]) => value === secret).length, 3, 'the charge point alone is told')
})

test('raw commands - faults that the schema of a single field cannot say', async (t) => {
  const { send, sent } = await withCharger(() => ({ status: 'Accepted' }))
  const code = async (name: string, body: object) => (await send(name, body)).body.error?.code
  t.equal(await code('trigger_message', { requested_message: 'StatusNotification' }), 'validation_error')
  const max = { ...profile, chargingProfilePurpose: 'ChargePointMaxProfile' }
  t.equal(await code('set_charging_profile', { connector_id: 1, charging_profile: max }), 'validation_error')
  const tx = { ...profile, chargingProfilePurpose: 'TxProfile' }
  t.equal(await code('set_charging_profile', { connector_id: 0, charging_profile: tx }), 'validation_error')
  const start = (await send('remote_start_transaction', { id_tag: 'A', charging_profile: profile })).body.error
  t.match(start, { code: 'validation_error', details: [{ path: '/charging_profile/chargingProfilePurpose' }] })
  t.equal(await code('remote_start_transaction', { id_tag: 'A'.repeat(21) }), 'validation_error')
  t.same(sent, [])
})

test('raw commands - a TxProfile gets the transaction that runs on its connector', async (t) => {
  const { service, send, sent, connection } = await withCharger(() => ({ status: 'Accepted' }))
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 100, timestamp })
  await service.settled()
  const { body } = await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')
  const transactionId = body.active_transactions[0].transaction_id
  await send('set_charging_profile', {
    connector_id: 1,
    charging_profile: { ...profile, chargingProfilePurpose: 'TxProfile' },
  })
  t.match(sent, [['SetChargingProfile', { csChargingProfiles: { transactionId } }]])
})

test('raw commands - a charge point with one connector is told which', async (t) => {
  const { send, sent } = await withCharger(() => ({ status: 'Accepted' }), { connector_count: 1 })
  const answer = await send('remote_start_transaction', { id_tag: 'A' })
  t.equal(answer.body.connector_id, 1)
  t.same(sent, [['RemoteStartTransaction', { idTag: 'A', connectorId: 1 }]])
})
