import { test } from 'tap'
import { operatorCommands } from '../../../src/actors/command-router/commands/index.js'
import { answeredStatus, endingOf, statusOfAnswer } from '../../../src/actors/command-router/outcome.js'
import { checkCall } from '../../../src/ocpp16/index.js'
import type { ChargePoint } from '../../../src/records/charge-point.js'
import { encodeRow } from '../../../src/runtime/codec.js'

const chargePoint = { charge_point_id: 'CP-1', connector_count: 2 } as ChargePoint
const now = Date.parse('2026-03-04T05:06:07.890Z')

const callOf = (name: string, parameters: object = {}) => operatorCommands.get(name)?.call(parameters, chargePoint, now)

const examples: Record<string, object> = {
  start_session: { connector_id: 1, id_tag: 'A' },
  stop_session: { transaction_id: 5 },
  set_available: { connector_id: 0 },
  set_unavailable: { connector_id: 1 },
  soft_reset: {},
  hard_reset: {},
  set_power_limit: { connector_id: 1, limit_watts: 7_400.28 },
  clear_power_limit: { connector_id: 1 },
  unlock_connector: { connector_id: 1 },
  update_firmware: { firmware_url: 'https://example.com/f.bin', retrieve_date: '2026-05-01T10:00:00.5+02:00' },
  get_diagnostics: { upload_url: 'ftp://example.com/logs' },
  send_local_list: { list_version: 1, local_authorization_list: [{ id_tag: 'A' }] },
}

test('operator commands - each becomes a call that the OCPP 1.6 schemas take', (t) => {
  t.same([...operatorCommands.keys()].sort(), Object.keys(examples).sort())
  for (const [name, parameters] of Object.entries(examples)) {
    const call = callOf(name, parameters)
    t.same(checkCall(call?.action ?? '', call?.payload), { ok: true }, name)
  }
  t.end()
})

test('operator commands - each has the action and the payload that the charge point is sent', (t) => {
  const sent: Record<string, [action: string, payload: object]> = {
    start_session: ['RemoteStartTransaction', { connectorId: 1, idTag: 'A' }],
    stop_session: ['RemoteStopTransaction', { transactionId: 5 }],
    set_available: ['ChangeAvailability', { connectorId: 0, type: 'Operative' }],
    set_unavailable: ['ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
    soft_reset: ['Reset', { type: 'Soft' }],
    hard_reset: ['Reset', { type: 'Hard' }],
    clear_power_limit: ['ClearChargingProfile', { id: 1_001 }],
    unlock_connector: ['UnlockConnector', { connectorId: 1 }],
    update_firmware: [
      'UpdateFirmware',
      { location: 'https://example.com/f.bin', retrieveDate: '2026-05-01T08:00:00Z' },
    ],
    get_diagnostics: ['GetDiagnostics', { location: 'ftp://example.com/logs' }],
  }
  for (const [name, [action, payload]] of Object.entries(sent))
    t.same(callOf(name, examples[name]), { action, payload }, name)
  // Their payloads have tests of their own.
  t.equal(callOf('set_power_limit', examples.set_power_limit)?.action, 'SetChargingProfile')
  t.equal(callOf('send_local_list', examples.send_local_list)?.action, 'SendLocalList')
  t.equal(Object.keys(sent).length + 2, operatorCommands.size)
  t.end()
})

test('operator commands - a power limit is one profile per connector, never above what was asked', (t) => {
  t.match(callOf('set_power_limit', { connector_id: 2, limit_watts: 7_400.28 })?.payload, {
    connectorId: 2,
    csChargingProfiles: {
      chargingProfileId: 1_002,
      chargingProfilePurpose: 'TxDefaultProfile',
      chargingSchedule: {
        startSchedule: '2026-03-04T05:05:07Z',
        chargingRateUnit: 'W',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: 7_400.2 }],
      },
    },
  })
  t.match(callOf('set_power_limit', { connector_id: 0, limit_watts: 11_000 })?.payload, {
    csChargingProfiles: { chargingProfileId: 1_000, chargingProfilePurpose: 'ChargePointMaxProfile' },
  })
  t.same(callOf('clear_power_limit', { connector_id: 2 })?.payload, { id: 1_002 })
  t.end()
})

test('operator commands - times leave in UTC and whole seconds', (t) => {
  const { payload } = callOf('update_firmware', examples.update_firmware) ?? {}
  t.same(payload, { location: 'https://example.com/f.bin', retrieveDate: '2026-05-01T08:00:00Z' })
  t.end()
})

test('operator commands - a full local list has information for each tag, a differential one may remove', (t) => {
  const entries = [
    { id_tag: 'A' },
    { id_tag: 'B', id_tag_info: { status: 'Blocked', expiry_date: '2030-01-01T00:00:00Z' } },
  ]
  const full = callOf('send_local_list', { list_version: 3, local_authorization_list: entries })
  t.same(full?.payload, {
    listVersion: 3,
    updateType: 'Full',
    localAuthorizationList: [
      { idTag: 'A', idTagInfo: { status: 'Accepted' } },
      { idTag: 'B', idTagInfo: { status: 'Blocked', expiryDate: '2030-01-01T00:00:00Z' } },
    ],
  })
  const spelledAsOcpp = [
    { idTag: 'A' },
    { idTag: 'B', idTagInfo: { status: 'Blocked', expiryDate: '2030-01-01T02:00:00+02:00', parentIdTag: 'P' } },
  ]
  t.match(callOf('send_local_list', { list_version: 3, local_authorization_list: spelledAsOcpp })?.payload, {
    localAuthorizationList: [
      { idTag: 'A', idTagInfo: { status: 'Accepted' } },
      { idTag: 'B', idTagInfo: { status: 'Blocked', expiryDate: '2030-01-01T00:00:00Z', parentIdTag: 'P' } },
    ],
  })
  const changes = { list_version: 4, update_type: 'Differential', local_authorization_list: [{ id_tag: 'A' }] }
  t.match(callOf('send_local_list', changes)?.payload, { localAuthorizationList: [{ idTag: 'A' }] })
  t.notOk(JSON.stringify(callOf('send_local_list', changes)?.payload).includes('idTagInfo'))
  t.end()
})

test('outcomes - success in every form is Accepted, everything else that was answered is Rejected', (t) => {
  for (const status of ['Accepted', 'Scheduled', 'Unlocked', 'RebootRequired', 'accepted', 'UNLOCKED'])
    t.equal(statusOfAnswer({ status }), 'Accepted', status)
  for (const status of ['Rejected', 'NotSupported', 'UnlockFailed', 'Unknown', 'VersionMismatch', 'Failed', ''])
    t.equal(statusOfAnswer({ status }), 'Rejected', status)
  for (const payload of [{}, { fileName: 'log.zip' }, null, 'text', { status: 3 }])
    t.equal(statusOfAnswer(payload), 'Accepted')
  t.equal(answeredStatus({ status: 'reBOOTrequired' }), 'reBOOTrequired')
  t.end()
})

test('outcomes - an answer that is nested without end is stored as such, and no further', (t) => {
  let payload: object = {}
  for (let depth = 0; depth < 5_000; depth++) payload = { payload }
  const ending = endingOf({ type: 'answered', payload: { status: 'Rejected', payload }, responseTimeMs: 1 }, [])
  t.same(ending.charge_point_response, { error: 'nested more than 32 deep' })
  t.equal(ending.status, 'Rejected')
  t.ok(encodeRow(ending).length > 0)
  t.end()
})

test('outcomes - a CALLERROR is an Error with its code, and keeps what was said', (t) => {
  const ending = endingOf(
    {
      type: 'call-error',
      code: 'InternalError',
      description: 'no',
      details: { a: 1 },
      responseTimeMs: 3,
    },
    [],
  )
  t.same(ending, {
    status: 'Error',
    error: 'InternalError',
    response_time_ms: 3,
    charge_point_response: { errorCode: 'InternalError', errorDescription: 'no', errorDetails: { a: 1 } },
  })
  t.end()
})
