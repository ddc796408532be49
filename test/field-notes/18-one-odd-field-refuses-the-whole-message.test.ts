// Field note 18 (lbbrhzn/ocpp#1248, #1576, mobilityhouse#122, #273, ocpp-go#359).

import { test } from 'tap'
import {
  bootChargePoint,
  chargePointOf,
  secondsAgo,
  sessionOf,
  startRequest,
  statusOf,
} from '../support/charge-point.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { sharedService } from '../support/shared-services.js'

const service = await sharedService()

test('a serial number or a model is too long - the charge point is accepted, its texts cut', async (t) => {
  await service.register('CP-18-1')
  const client = await connectOcpp(`${service.ocppUrl}/CP-18-1`)
  const answer = await client.boot({
    chargePointModel: 'A model name that is longer than twenty characters',
    chargePointSerialNumber: 'S'.repeat(80),
    chargeBoxSerialNumber: 4711,
    firmwareVersion: null,
    vendorSpecificField: { anything: true },
  })
  t.match(answer, { error: undefined, payload: { status: 'Accepted', interval: Number, currentTime: String } })
  t.match(await chargePointOf(service, 'CP-18-1'), { model: 'A model name that is', online: true })
  t.match(await client.call('Heartbeat', {}), { error: undefined })
})

test('an error code, a unit or a measurand is none of the standard - the rest of the message counts', async (t) => {
  const client = await bootChargePoint(service, 'CP-18-21')
  const status = { connectorId: 1, status: 'Available', errorCode: 'Error', info: 'x'.repeat(70), vendorErrorCode: 12 }
  t.match(await client.call('StatusNotification', status), { error: undefined })
  t.match(await statusOf(service, 'CP-18-21'), {
    connectors: [{ status: 'Available', error_code: 'OtherError', info: 'x'.repeat(50) }],
  })

  const { transactionId } = (await client.call('StartTransaction', startRequest())).payload
  const sampledValue = [
    { value: '50.02', measurand: 'Frequency', unit: 'Hz' },
    { value: '12', measurand: 'Made.Up', unit: 'furlong' },
    { value: 'NaN', measurand: 'Voltage', unit: 'V' },
    { value: 1.75, measurand: 'energy.active.import.register', unit: 'kWh' },
  ]
  const meterValue = { timestamp: secondsAgo(60), sampledValue }
  const answer = await client.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  t.match(answer, { error: undefined }, 'and an object stands for an array of one')
  t.match(await sessionOf(service, 'CP-18-21', transactionId), { energy_kwh: 0.75 })
})
