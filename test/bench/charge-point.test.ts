// The simulated charge point, seen from a central system: it has to behave as the standard and the field do, or every
// test and every benchmark built on it proves nothing.

import { type Test, test } from 'tap'
import { type ChargePoint, type ChargePointOptions, createChargePoint } from '../../bench/client/charge-point.js'
import { type CentralSystem, startCentralSystem } from './central-system.js'

interface Setting {
  readonly central: CentralSystem
  readonly chargePoint: ChargePoint
}

async function setting(
  t: Test,
  options: Partial<ChargePointOptions> = {},
  prepare: (central: CentralSystem) => void = () => undefined,
): Promise<Setting> {
  const central = await startCentralSystem()
  prepare(central)
  const chargePoint = createChargePoint({
    id: 'CP-1',
    url: central.url,
    connectors: 2,
    reconnectMinimumMs: 20,
    reconnectMaximumMs: 50,
    rebootMs: 20,
    maintenanceStageMs: 20,
    ...options,
  })
  t.teardown(async () => {
    chargePoint.stop()
    await central.close()
  })
  chargePoint.start()
  return { central, chargePoint }
}

/** Booted, with the status of every connector told. */
async function ready(t: Test, options: Partial<ChargePointOptions> = {}): Promise<Setting> {
  const both = await setting(t, options)
  await both.central.take('StatusNotification', (payload) => payload.connectorId === 2)
  return both
}

const isCharging = (payload: Record<string, unknown>): boolean => payload.status === 'Charging'

/** A running transaction on connector 1, by RemoteStartTransaction; resolves with its id. */
async function charging({ central, chargePoint }: Setting): Promise<number> {
  await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' })
  await central.take('StatusNotification', isCharging)
  return chargePoint.connectors.find(1)?.transaction?.id ?? -1
}

test('charge point - boots, then tells the status of the controller and of every connector', async (t) => {
  const { central } = await ready(t)
  t.equal(central.calls[0]?.action, 'BootNotification')
  t.same(
    central.calls.slice(1, 4).map((call) => [call.action, call.payload.connectorId, call.payload.status]),
    [
      ['StatusNotification', 0, 'Available'],
      ['StatusNotification', 1, 'Available'],
      ['StatusNotification', 2, 'Available'],
    ],
  )
})

test('charge point - while Pending it sends nothing unasked, boots again after the interval, refuses a start', async (t) => {
  let boots = 0
  const { central } = await setting(t, {}, ({ answers }) => {
    answers.BootNotification = () => {
      boots++
      return { status: boots === 1 ? 'Pending' : 'Accepted', currentTime: new Date().toISOString(), interval: 1 }
    }
  })
  const first = await central.take('BootNotification')
  t.same((await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'T' }))[2], { status: 'Rejected' })
  const trigger = { requestedMessage: 'StatusNotification', connectorId: 1 }
  t.same((await central.command('TriggerMessage', trigger))[2], { status: 'Accepted' })
  await central.take('StatusNotification')
  const second = await central.take('BootNotification')
  t.ok(second.at - first.at > 700, 'not before the interval')
  t.not(second.id, first.id)
  t.same(
    central.calls.map((call) => call.action).slice(0, 3),
    ['BootNotification', 'StatusNotification', 'BootNotification'],
    'nothing but what was triggered in between',
  )
})

test('charge point - heartbeats come at the answered interval', async (t) => {
  const { central } = await setting(t, {}, ({ answers }) => {
    answers.BootNotification = () => ({ status: 'Accepted', currentTime: new Date().toISOString(), interval: 1 })
  })
  const boot = await central.take('BootNotification')
  await central.take('Heartbeat')
  const second = await central.take('Heartbeat')
  t.ok(second.at - boot.at > 1_500)
})

test('charge point - a remote start becomes a transaction with meter values, a remote stop ends it', async (t) => {
  const both = await ready(t, { configuration: { MeterValueSampleInterval: '1' } })
  const { central } = both
  const answer = await central.command('RemoteStartTransaction', { connectorId: 1, idTag: 'TAG-1' })
  t.same(answer[2], { status: 'Accepted' })
  const authorize = await central.take('Authorize')
  t.equal(authorize.payload.idTag, 'TAG-1')
  await central.take('StatusNotification', (payload) => payload.status === 'Preparing')
  const start = await central.take('StartTransaction')
  t.match(start.payload, { connectorId: 1, idTag: 'TAG-1', meterStart: Number, timestamp: /Z$/ })
  await central.take('StatusNotification', isCharging)
  const values = await central.take('MeterValues')
  t.equal(values.payload.transactionId, 101, 'the id that the central system gave')
  const [sample] = values.payload.meterValue as { sampledValue: { measurand: string; value: unknown }[] }[]
  t.same(
    sample?.sampledValue.map((one) => one.measurand),
    ['Energy.Active.Import.Register', 'Power.Active.Import', 'Current.Import', 'Voltage'],
  )
  t.ok(sample?.sampledValue.every((one) => typeof one.value === 'string'))
  t.same((await central.command('RemoteStopTransaction', { transactionId: 101 }))[2], { status: 'Accepted' })
  const stop = await central.take('StopTransaction')
  t.match(stop.payload, { transactionId: 101, reason: 'Remote' })
  t.ok(Number(stop.payload.meterStop) >= Number(start.payload.meterStart), 'the register never goes back')
  await central.take('StatusNotification', (payload) => payload.status === 'Finishing')
  await central.take('StatusNotification', (payload) => payload.status === 'Available' && payload.connectorId === 1)
  t.same((await central.command('RemoteStopTransaction', { transactionId: 101 }))[2], { status: 'Rejected' })
  t.equal(central.mostOutstanding(), 1, 'one CALL at a time')
})

test('charge point - a tag that is not accepted is not charged', async (t) => {
  const { central, chargePoint } = await ready(t)
  central.answers.Authorize = () => ({ idTagInfo: { status: 'Blocked' } })
  chargePoint.connectors.start(1, 'BLOCKED', false)
  await central.take('StatusNotification', (payload) => payload.status === 'Preparing')
  await central.take('StatusNotification', (payload) => payload.status === 'Available' && payload.connectorId === 1)
  t.notOk(central.calls.some((call) => call.action === 'StartTransaction'))

  central.answers.Authorize = () => ({ idTagInfo: { status: 'Accepted' } })
  central.answers.StartTransaction = () => ({ transactionId: 55, idTagInfo: { status: 'Invalid' } })
  chargePoint.connectors.start(1, 'STALE', false)
  t.match((await central.take('StopTransaction')).payload, { transactionId: 55, reason: 'DeAuthorized' })
})

test('charge point - a StartTransaction without an answer goes out again, new message id, same content', async (t) => {
  const { central, chargePoint } = await ready(t)
  central.answers.StartTransaction = () => undefined
  chargePoint.connectors.start(1, 'TAG-1', false)
  const first = await central.take('StartTransaction')
  central.answers.StartTransaction = () => ({ transactionId: 77, idTagInfo: { status: 'Accepted' } })
  central.connection().terminate()
  const second = await central.take('StartTransaction')
  t.not(second.id, first.id)
  t.same(second.payload, first.payload)
  t.equal(second.connection, 2)
  await central.take('StatusNotification', isCharging)
  t.equal(chargePoint.connectors.find(1)?.transaction?.id, 77)
})

test('charge point - a transaction made offline is told in order once the connection is back', async (t) => {
  const both = await ready(t)
  const { central, chargePoint } = both
  const transactionId = await charging(both)
  await central.close()
  while (chargePoint.connected) await new Promise((resolve) => setImmediate(resolve))
  t.ok(chargePoint.connectors.stop(1, 'Local'))
  t.ok(chargePoint.connectors.start(2, 'TAG-2', false))
  t.ok(chargePoint.connectors.stop(2, 'EVDisconnected'))
  t.equal(chargePoint.waitingTransactionMessages, 3)
  const seenBefore = central.calls.length
  await central.reopen()
  const lastStop = await central.take('StopTransaction', (payload) => payload.reason === 'EVDisconnected')
  const late = central.calls.slice(seenBefore)
  t.same(
    late.filter((call) => call.action.endsWith('Transaction')).map((call) => call.action),
    ['StopTransaction', 'StartTransaction', 'StopTransaction'],
  )
  t.notOk(
    late.some((call) => call.action === 'BootNotification'),
    'a reconnect is no reboot',
  )
  t.match(await central.take('StopTransaction'), { payload: { transactionId, reason: 'Local' } })
  t.equal(lastStop.payload.transactionId, 102, 'the id that came with the answer to its start')
})

test('charge point - a reset stops the transaction, leaves, and boots again', async (t) => {
  for (const [type, reason] of [
    ['Soft', 'SoftReset'],
    ['Hard', 'HardReset'],
  ] as const) {
    const both = await ready(t)
    const { central } = both
    await central.take('BootNotification')
    const transactionId = await charging(both)
    const again = central.connected()
    t.same((await central.command('Reset', { type }))[2], { status: 'Accepted' })
    await again
    const boot = await central.take('BootNotification')
    t.equal(boot.connection, 2)
    const stop = await central.take('StopTransaction')
    t.match(stop.payload, { transactionId, reason })
    if (type === 'Soft') t.equal(stop.connection, 1, 'a soft reset lets the transaction message out first')
  }
})

test('charge point - after a power loss it boots and reports the transaction as stopped by that', async (t) => {
  const both = await ready(t)
  const { central, chargePoint } = both
  await central.take('BootNotification')
  const transactionId = await charging(both)
  chargePoint.powerCycle()
  t.equal((await central.take('BootNotification')).connection, 2)
  const stop = await central.take('StopTransaction')
  t.match(stop, { connection: 2, payload: { transactionId, reason: 'PowerLoss' } })
})

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

test('charge point - a central system that has forgotten it says SecurityError, and it boots again', async (t) => {
  const { central } = await ready(t)
  await central.take('BootNotification')
  central.errors.Heartbeat = 'SecurityError'
  await central.command('TriggerMessage', { requestedMessage: 'Heartbeat' })
  await central.take('Heartbeat')
  t.equal((await central.take('BootNotification')).connection, 1)
})

test('charge point - two charge points of one process share no message id, tag or meter', async (t) => {
  const central = await startCentralSystem()
  const options = { url: central.url, reconnectMinimumMs: 20 }
  const both = ['CP-1', 'CP-2'].map((id) => createChargePoint({ id, ...options }))
  t.teardown(async () => {
    for (const one of both) one.stop()
    await central.close()
  })
  for (const one of both) one.start()
  await central.take('StatusNotification', (payload) => payload.connectorId === 1)
  await central.take('StatusNotification', (payload) => payload.connectorId === 1)
  for (const one of both) one.connectors.start(1, `TAG-${one.id}`, false)
  const starts = [await central.take('StartTransaction'), await central.take('StartTransaction')]
  t.not(starts[0]?.payload.meterStart, starts[1]?.payload.meterStart)
  const ids = central.calls.map((call) => call.id)
  t.equal(new Set(ids).size, ids.length)
})
