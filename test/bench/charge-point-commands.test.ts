// What the simulated charge point does with the commands of a central system: settings, triggers, profiles, reservations, availability,
// firmware and lists.

import { test } from 'tap'
import { charging, isCharging, ready } from './simulated-charge-point.js'

test('charge point - configuration keys are read, changed, refused and unknown as the standard says', async (t) => {
  const { central } = await ready(t)
  const change = async (key: string, value: string): Promise<unknown> =>
    (await central.command('ChangeConfiguration', { key, value }))[2]
  t.same(await change('HeartbeatInterval', '120'), { status: 'Accepted' })
  t.same(await change('heartbeatinterval', 'soon'), { status: 'Rejected' })
  t.same(await change('NumberOfConnectors', '9'), { status: 'Rejected' })
  t.same(await change('NoSuchKey', '1'), { status: 'NotSupported' })
  const key = ['HeartbeatInterval', 'NumberOfConnectors', 'NoSuchKey', 'AuthorizationKey']
  t.same((await central.command('GetConfiguration', { key }))[2], {
    configurationKey: [
      { key: 'HeartbeatInterval', readonly: false, value: '120' },
      { key: 'NumberOfConnectors', readonly: true, value: '2' },
    ],
    unknownKey: ['NoSuchKey', 'AuthorizationKey'],
  })
  const all = (await central.command('GetConfiguration', {}))[2] as { configurationKey: unknown[] }
  t.ok(all.configurationKey.length > 25)
})

test('charge point - a new AuthorizationKey is used at the next connection', async (t) => {
  const { central } = await ready(t)
  const again = central.connected()
  const value = '0001020304050607ffffffffffffffffffffffff'
  await central.command('ChangeConfiguration', { key: 'AuthorizationKey', value })
  await again
  const credentials = Buffer.concat([Buffer.from('CP-1:'), Buffer.from(value, 'hex')])
  t.equal(central.authorization(), `Basic ${credentials.toString('base64')}`, 'the bytes, not their hex')
})

test('charge point - a trigger sends the message after the answer', async (t) => {
  const { central } = await ready(t)
  const trigger = async (payload: Record<string, unknown>): Promise<unknown> =>
    (await central.command('TriggerMessage', payload))[2]
  t.same(await trigger({ requestedMessage: 'Heartbeat' }), { status: 'Accepted' })
  await central.take('Heartbeat')
  t.same(await trigger({ requestedMessage: 'MeterValues', connectorId: 2 }), { status: 'Accepted' })
  const values = await central.take('MeterValues')
  t.equal(values.payload.connectorId, 2)
  t.notOk('transactionId' in values.payload)
  t.same(await trigger({ requestedMessage: 'DiagnosticsStatusNotification' }), { status: 'Accepted' })
  t.equal((await central.take('DiagnosticsStatusNotification')).payload.status, 'Idle')
  t.same(await trigger({ requestedMessage: 'MeterValues', connectorId: 9 }), { status: 'Rejected' })
  t.same(await trigger({ requestedMessage: 'Nonsense' }), { status: 'NotImplemented' })
})

test('charge point - a charging profile limits what it draws, and 0 pauses it', async (t) => {
  const both = await ready(t)
  const { central, chargePoint } = both
  const transactionId = await charging(both)
  const profile = (limit: number, chargingRateUnit: string): object => ({
    connectorId: 1,
    csChargingProfiles: {
      chargingProfileId: 7,
      transactionId,
      stackLevel: 0,
      chargingProfilePurpose: 'TxProfile',
      chargingProfileKind: 'Relative',
      chargingSchedule: { chargingRateUnit, chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
    },
  })
  const set = async (payload: object): Promise<unknown> =>
    (await central.command('SetChargingProfile', payload as Record<string, unknown>))[2]
  t.same(await set(profile(2_000, 'W')), { status: 'Accepted' })
  t.equal(chargePoint.connectors.find(1)?.powerWatts, 2_000)
  t.same(await set(profile(6, 'A')), { status: 'Accepted' })
  t.equal(chargePoint.connectors.find(1)?.powerWatts, 4_140, '6 A on three phases of 230 V')
  t.same(await set(profile(0, 'W')), { status: 'Accepted' })
  await central.take('StatusNotification', (payload) => payload.status === 'SuspendedEVSE')
  t.same((await central.command('ClearChargingProfile', { id: 7 }))[2], { status: 'Accepted' })
  await central.take('StatusNotification', isCharging)
  t.ok(Number(chargePoint.connectors.find(1)?.powerWatts) > 5_000)
  t.same((await central.command('ClearChargingProfile', { id: 7 }))[2], { status: 'Unknown' })
  t.same(await set({ ...profile(1, 'W'), connectorId: 2 }), { status: 'Rejected' }, 'no transaction there')
})

test('charge point - a reservation holds the connector for its tag and expires', async (t) => {
  const { central } = await ready(t)
  const reserve = async (reservationId: number, milliseconds: number): Promise<unknown> =>
    (
      await central.command('ReserveNow', {
        connectorId: 1,
        reservationId,
        idTag: 'MINE',
        expiryDate: new Date(Date.now() + milliseconds).toISOString(),
      })
    )[2]
  t.same(await reserve(5, 60_000), { status: 'Accepted' })
  await central.take('StatusNotification', (payload) => payload.status === 'Reserved')
  t.same(await reserve(6, 60_000), { status: 'Occupied' })
  const remote = (idTag: string): Promise<unknown[]> =>
    central.command('RemoteStartTransaction', { connectorId: 1, idTag })
  t.same((await remote('OTHER'))[2], { status: 'Rejected' })
  t.same((await remote('MINE'))[2], { status: 'Accepted' })
  t.equal((await central.take('StartTransaction')).payload.reservationId, 5)
  t.same((await central.command('CancelReservation', { reservationId: 5 }))[2], { status: 'Rejected' }, 'used up')

  const other = await ready(t)
  const expiryDate = new Date(Date.now() + 1_000).toISOString()
  await other.central.command('ReserveNow', { connectorId: 2, reservationId: 8, idTag: 'MINE', expiryDate })
  await other.central.take('StatusNotification', (payload) => payload.status === 'Reserved')
  await other.central.take(
    'StatusNotification',
    ({ status, connectorId }) => status === 'Available' && connectorId === 2,
  )
})

test('charge point - availability changes at once when idle, after the transaction when not', async (t) => {
  const both = await ready(t)
  const { central } = both
  const transactionId = await charging(both)
  const change = async (connectorId: number, type: string): Promise<unknown> =>
    (await central.command('ChangeAvailability', { connectorId, type }))[2]
  t.same(await change(2, 'Inoperative'), { status: 'Accepted' })
  await central.take('StatusNotification', ({ status, connectorId }) => status === 'Unavailable' && connectorId === 2)
  t.same(await change(1, 'Inoperative'), { status: 'Scheduled' })
  await central.command('RemoteStopTransaction', { transactionId })
  await central.take('StatusNotification', ({ status, connectorId }) => status === 'Unavailable' && connectorId === 1)
  t.same(await change(9, 'Operative'), { status: 'Rejected' })
})

test('charge point - firmware, diagnostics and logs report their stages; new firmware reboots into its version', async (t) => {
  const { central } = await ready(t)
  await central.take('BootNotification')
  const diagnostics = await central.command('GetDiagnostics', { location: 'https://example.org/upload' })
  t.match(diagnostics[2], { fileName: /log$/ })
  t.equal((await central.take('DiagnosticsStatusNotification')).payload.status, 'Uploading')
  t.equal((await central.take('DiagnosticsStatusNotification')).payload.status, 'Uploaded')
  const log = { logType: 'SecurityLog', requestId: 4, log: { remoteLocation: 'https://example.org/log' } }
  t.match((await central.command('GetLog', log))[2], { status: 'Accepted' })
  t.match((await central.take('LogStatusNotification')).payload, { status: 'Uploading', requestId: 4 })
  const location = 'https://example.org/firmware-2.4.1.bin'
  t.same((await central.command('UpdateFirmware', { location, retrieveDate: new Date().toISOString() }))[2], {})
  for (const status of ['Downloading', 'Downloaded', 'Installing', 'Installed']) {
    t.equal((await central.take('FirmwareStatusNotification')).payload.status, status)
  }
  t.equal((await central.take('BootNotification')).payload.firmwareVersion, '2.4.1')
})

test('charge point - an unknown action is NotImplemented, a missing field a CALLERROR', async (t) => {
  const { central } = await ready(t)
  const unknown = await central.command('MakeCoffee', {})
  t.same([unknown[0], unknown[2]], [4, 'NotImplemented'])
  const inherited = await central.command('toString', {})
  t.same([inherited[0], inherited[2]], [4, 'NotImplemented'])
  const missing = await central.command('UnlockConnector', {})
  t.same([missing[0], missing[2]], [4, 'OccurenceConstraintViolation'])
  t.same((await central.command('DataTransfer', { vendorId: 'someone' }))[2], { status: 'UnknownVendorId' })
})

test('charge point - local lists keep their version and refuse an old one', async (t) => {
  const { central } = await ready(t)
  const send = async (listVersion: number, updateType: string): Promise<unknown> => {
    const localAuthorizationList = [{ idTag: 'A', idTagInfo: { status: 'Accepted' } }]
    return (await central.command('SendLocalList', { listVersion, updateType, localAuthorizationList }))[2]
  }
  t.same(await send(5, 'Full'), { status: 'Accepted' })
  t.same(await send(5, 'Differential'), { status: 'VersionMismatch' })
  t.same(await send(6, 'Differential'), { status: 'Accepted' })
  t.same((await central.command('GetLocalListVersion', {}))[2], { listVersion: 6 })
})
