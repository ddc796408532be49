// The diagnostics of an installer's charge point: what it says, what it has said, and nothing that nobody knows.

import { test } from 'tap'
import { putRow } from '../../src/api/pipeline/changes.js'
import { chargePointsTable } from '../../src/records/charge-point.js'
import { type ReportedConfiguration, reportedConfigurationsTable } from '../../src/records/configuration.js'
import { installerOf, type TestInstaller } from '../support/installer.js'
import { registrationOf } from '../support/registration.js'
import { createTestApi, type Script } from './fixture.js'

const path = '/api/v1/installer/commissioning/CP-1/diagnostics'
const unknown = { last_updated: null, dns_resolution_ok: null, ntp_synced: null, rcd_present: null }

async function stage() {
  const api = await createTestApi()
  const request = (method: string, target: string, body?: unknown, headers = {}) =>
    api.call(method, target, body, { headers }) as unknown as ReturnType<TestInstaller['request']>
  const installer = await installerOf({ request })
  const box = { charge_point_id: 'CP-1', model: 'M', vendor: 'V', serial_number: 'SN-1', project_id: 'P' }
  await installer.request('POST', '/api/v1/installer/charge-points', box)
  const asked: string[] = []
  const connect = (script: Script) =>
    api.connect('CP-1', (action, payload) => {
      asked.push(action)
      return script(action, payload)
    })
  const diagnostics = () => installer.request('GET', path)
  return { ...api, installer, asked, connect, diagnostics }
}

const keys: Script = () => ({
  configurationKey: [
    { key: 'NumberOfConnectors', readonly: true, value: '2' },
    { key: 'SupportedFeatureProfiles', readonly: true, value: 'Core, SmartCharging' },
    { key: 'HeartbeatInterval', readonly: false, value: '300' },
    { key: 'Vendor.GSM-Signal_Strength', readonly: true, value: '17' },
    { key: 'gsmSignalStrength', readonly: true, value: '-71 dBm' },
    { key: 'ConnectionType', readonly: false, value: 'GSM' },
    { key: 'WifiPassword', readonly: false, value: 'hunter2' },
  ],
  unknownKey: [],
})

test('diagnostics - a charge point is asked for all of its keys, and what no key tells is null', async (t) => {
  const { installer, connect, diagnostics, asked, settled, pass } = await stage()
  const never = await diagnostics()
  t.match(never, { status: 200, body: { connected: false, collected_at: null, ocpp: { version: null } } })
  t.match(never.body, { network: { ip_address: null }, hardware: { connectors: null }, vendor_keys: [] })
  connect(keys)
  await settled()
  const { body } = await diagnostics()
  t.match(body, {
    charge_point_id: 'CP-1',
    connected: true,
    collected_at: String,
    firmware: { version: null, vendor: 'Example', last_updated: null },
    ocpp: { version: '1.6', supported_features: ['Core', 'SmartCharging'] },
    network: { interface: 'GSM', ip_address: '127.0.0.1', signal_strength: -71, iccid: null },
    hardware: { connectors: 2, meter_type: null },
    configuration_readonly_keys: [
      'NumberOfConnectors',
      'SupportedFeatureProfiles',
      'Vendor.GSM-Signal_Strength',
      'gsmSignalStrength',
    ],
  })
  t.match({ ...body.firmware, ...body.network, ...body.hardware }, unknown)
  t.same(
    body.vendor_keys.map(({ key }: { key: string }) => key),
    ['Vendor.GSM-Signal_Strength', 'gsmSignalStrength', 'ConnectionType', 'WifiPassword'],
  )
  t.notMatch(JSON.stringify(body), /hunter2/)
  t.same(asked, ['GetConfiguration'])
  await diagnostics()
  t.same(asked, ['GetConfiguration'], 'what was read within the last minute is not read again')
  await pass(61_000)
  await diagnostics()
  t.equal(asked.length, 2)
  const other = await installerOf({
    request: (method, target, sent, headers) => installer.request(method, target, sent, headers),
  })
  t.equal((await other.request('GET', path)).status, 404)
})

test('diagnostics - one that does not answer, or restarts when it is read, is shown by what it has said before', async (t) => {
  const { connect, diagnostics, asked, settled, pass, store, commit, disconnect } = await stage()
  const connection = connect(() => undefined)
  await settled()
  const waiting = diagnostics()
  await settled()
  await pass(16_000)
  t.match(await waiting, {
    status: 200,
    body: { connected: true, collected_at: null, firmware: { vendor: 'Example' } },
  })
  const reported: ReportedConfiguration = {
    charge_point_id: 'CP-1',
    organization_id: 'ins_0',
    keys: {},
    unknown: [],
    avoided: ['meterconfig'],
  }
  const stored = store.view().get(reportedConfigurationsTable, ['CP-1']) ?? reported
  t.equal(stored, reported, 'nothing was reported')
  const { organization_id } = store.view().list(chargePointsTable, [])[0] ?? reported
  await commit(putRow(reportedConfigurationsTable, { ...reported, organization_id }))
  await diagnostics()
  t.equal(asked.length, 1, 'it is not asked again')
  disconnect(connection)
  await settled()
  t.match((await diagnostics()).body, { connected: false, ocpp: { version: '1.6' } })
})

test('diagnostics - one whose answer was too long for a frame is not asked again', async (t) => {
  const { connect, diagnostics, asked, settled, disconnect } = await stage()
  const first = connect(() => undefined)
  await settled()
  const waiting = diagnostics()
  await settled()
  disconnect(first, 1009)
  t.match(await waiting, { status: 200, body: { collected_at: null } })
  connect(keys)
  await settled()
  await diagnostics()
  t.same(asked, ['GetConfiguration'])
})

test('diagnostics - an organization that has claimed the charge point alone sees them once the handover is complete', async (t) => {
  const { call, installer, connect, diagnostics, settled } = await stage()
  connect(keys)
  await settled()
  await installer.request('GET', '/api/v1/installer/charge-points/CP-1/config/download')
  const values = async () => (await diagnostics()).body.vendor_keys.map(({ value }: { value: unknown }) => value)
  t.same(await values(), ['17', '-71 dBm', 'GSM', null])
  t.equal((await call('POST', '/api/v1/chargepoints', registrationOf('CP-1'))).status, 201)
  t.same(await values(), [null, null, null, null], 'what its keys say is no longer told')
  t.equal((await installer.request('POST', '/api/v1/installer/charge-points/CP-1/commission')).status, 200)
  t.match(await diagnostics(), { status: 409, body: { error: { code: 'charge_point_claimed' } } })
})
