// All that is known of one charge point now, in one answer.

import { test } from 'tap'
import { siteChargersTable } from '../../src/records/site-charger.js'
import { createTestApi } from './fixture.js'

async function running() {
  const service = await createTestApi()
  const stateOf = async (id: string) => (await service.call('GET', `/api/v1/chargepoints/${id}/state`)).body
  return { service, stateOf }
}

test('charge point state - one that was never connected is told to be so, with the connectors that it is said to have', async (t) => {
  const { service, stateOf } = await running()
  await service.register('CP-1')
  t.match(await stateOf('CP-1'), {
    charge_point_id: 'CP-1',
    status: 'offline',
    online: false,
    connected_at: null,
    disconnected_at: null,
    last_close: null,
    boot: null,
    registration: null,
    connectors: [
      { connector_id: 1, status: null, error_code: null, max_power_watts: 22_000, session: null },
      { connector_id: 2, status: null },
    ],
    limits: [],
    open_alerts: [],
  })
})

test('charge point state - what it has said of itself, its connectors with their codes, and what runs on them', async (t) => {
  const { service, stateOf } = await running()
  await service.register('CP-1')
  const connection = service.connect('CP-1')
  service.tellFrom(connection, 'BootNotification', {
    chargePointVendor: 'Alvero',
    chargePointModel: 'A22',
    chargePointSerialNumber: '8841',
    firmwareVersion: '4.2.1',
    iccid: '8949',
    meterSerialNumber: 'M-1',
  })
  const timestamp = new Date(service.now()).toISOString()
  service.tellFrom(connection, 'StatusNotification', { connectorId: 0, errorCode: 'NoError', status: 'Available' })
  service.tellFrom(connection, 'StatusNotification', {
    connectorId: 2,
    errorCode: 'HighTemperature',
    vendorErrorCode: 'E-117',
    info: 'hot',
    status: 'Faulted',
    timestamp,
  })
  service.tellFrom(connection, 'StartTransaction', { connectorId: 1, idTag: 'TAG', meterStart: 1_000, timestamp })
  await service.settled()
  const [{ transaction_id }] = (await service.call('GET', '/api/v1/ocpp16/active_transactions/CP-1')).body
    .active_transactions
  service.tellFrom(connection, 'MeterValues', {
    connectorId: 1,
    transactionId: transaction_id,
    meterValue: [
      {
        timestamp,
        sampledValue: [
          { value: '3000', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: '11000', measurand: 'Power.Active.Import', unit: 'W' },
        ],
      },
    ],
  })
  service.tellFrom(connection, 'FirmwareStatusNotification', { status: 'Idle' })
  await service.settled()
  t.match(await stateOf('CP-1'), {
    online: true,
    status: 'charging',
    remote_address: '127.0.0.1',
    security_profile: 0,
    disconnected_at: null,
    registration: 'Accepted',
    boot: {
      vendor: 'Alvero',
      serial_number: '8841',
      firmware_version: '4.2.1',
      iccid: '8949',
      imsi: null,
      meter_serial_number: 'M-1',
    },
    controller: { status: 'Available', error_code: 'NoError' },
    connectors: [
      { connector_id: 1, power_watts: 11_000, session: { transaction_id, energy_kwh: 2, cost: null, currency: null } },
      {
        connector_id: 2,
        status: 'Faulted',
        status_since: timestamp,
        error_code: 'HighTemperature',
        vendor_error_code: 'E-117',
        info: 'hot',
        session: null,
      },
    ],
    power_watts: 11_000,
  })
  service.disconnect(connection, 1001)
  await service.settled()
  t.match(await stateOf('CP-1'), {
    online: false,
    status: 'offline',
    last_close: { code: 1001 },
    disconnected_at: /Z$/,
    power_watts: 0,
    connectors: [{ power_watts: null, session: { transaction_id } }, { status: 'Faulted' }],
  })
})

test('charge point state - the limits that its site has given it, confirmed and asked for', async (t) => {
  const { service, stateOf } = await running()
  await service.register('CP-1')
  const place = { name: 'Quay', address: 'Quay 1', max_grid_power_kw: 50, latitude: 52, longitude: 4 }
  const { site_id } = (await service.call('POST', '/api/v1/sites', place)).body
  await service.call('POST', `/api/v1/sites/${site_id}/chargers/CP-1/link`)
  await service.put(siteChargersTable, {
    site_id,
    charge_point_id: 'CP-1',
    organization_id: service.operator.organizationId,
    standing: { amperes: 6 },
    connectors: [
      {
        connector_id: 1,
        session_id: 'ses_1',
        transaction_id: 1,
        limit: { amperes: 16, sent: 20 },
        phases: 1,
        applied_at: '2026-03-01T00:00:00.000Z',
      },
    ],
    updated_at: '2026-03-01T00:00:00.000Z',
  })
  t.strictSame((await stateOf('CP-1')).limits, [
    { connector_id: 1, amperes: 16, watts: 3_680, asked_amperes: 20, applied_at: '2026-03-01T00:00:00.000Z' },
    { connector_id: null, amperes: 6, watts: 4_140, asked_amperes: null, applied_at: null },
  ])
})

test("charge point state - another organization's is as absent as one that does not exist", async (t) => {
  const { service } = await running()
  const other = await service.addOrganization()
  await service.register('THEIRS', {}, other.key)
  t.equal((await service.call('GET', '/api/v1/chargepoints/THEIRS/state')).status, 404)
})

test('charge point state - who comes before and after it is in the order of the ids, of its organization alone', async (t) => {
  const { service, stateOf } = await running()
  const other = await service.addOrganization()
  for (const id of ['CP-1', 'CP-3', 'CP-5']) await service.register(id)
  for (const id of ['CP-2', 'CP-4']) await service.register(id, {}, other.key)
  const besides = async (id: string) => {
    const { previous_charge_point_id, next_charge_point_id } = await stateOf(id)
    return [previous_charge_point_id, next_charge_point_id]
  }
  t.same(await besides('CP-1'), [null, 'CP-3'])
  t.same(await besides('CP-3'), ['CP-1', 'CP-5'])
  t.same(await besides('CP-5'), ['CP-3', null])
})
