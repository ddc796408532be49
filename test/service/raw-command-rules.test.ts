// Raw commands whose payload fits its schema and breaks a rule of the standard are refused with the place of the fault.

import { test } from 'tap'
import { bootChargePoint } from '../support/charge-point.js'
import { tenantOf } from '../support/organization.js'
import { sharedService } from '../support/shared-services.js'

const profile = (fields: object = {}) => ({
  chargingProfileId: 7,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Relative',
  chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
  ...fields,
})
const periods = (...starts: number[]) => ({
  chargingSchedule: {
    chargingRateUnit: 'A',
    chargingSchedulePeriod: starts.map((startPeriod) => ({ startPeriod, limit: 16 })),
  },
})

test('raw commands - what a rule of OCPP 1.6 forbids is not sent', async (t) => {
  const service = await tenantOf(await sharedService())
  const client = await bootChargePoint(service, 'RC-1')
  const start = (fields: object) => ({ idTag: 'TAG', chargingProfile: profile(fields) })
  const set = (fields: object, connectorId = 1) => ({ connectorId, csChargingProfiles: profile(fields) })
  const at = '/payload/csChargingProfiles'
  const list = (updateType: string, ...localAuthorizationList: object[]) => ({
    listVersion: 1,
    updateType,
    localAuthorizationList,
  })
  const times = { startTime: '2026-01-02T00:00:00Z', stopTime: '2026-01-01T00:00:00Z' }
  const forbidden: readonly (readonly [command: string, payload: object, path: string])[] = [
    [
      'RemoteStartTransaction',
      start({ chargingProfilePurpose: 'TxDefaultProfile' }),
      '/payload/chargingProfile/chargingProfilePurpose',
    ],
    ['RemoteStartTransaction', start({ transactionId: 5 }), '/payload/chargingProfile/transactionId'],
    ['SetChargingProfile', set({ chargingProfilePurpose: 'ChargePointMaxProfile' }), '/payload/connectorId'],
    ['SetChargingProfile', set({}, 0), '/payload/connectorId'],
    [
      'SetChargingProfile',
      set({ chargingProfilePurpose: 'TxDefaultProfile', transactionId: 5 }),
      `${at}/transactionId`,
    ],
    ['SetChargingProfile', set({ recurrencyKind: 'Daily' }), `${at}/recurrencyKind`],
    ['SetChargingProfile', set({ validFrom: times.startTime, validTo: times.stopTime }), `${at}/validTo`],
    ['SetChargingProfile', set(periods(60)), `${at}/chargingSchedule/chargingSchedulePeriod/0/startPeriod`],
    ['SetChargingProfile', set(periods(0, 60, 60)), `${at}/chargingSchedule/chargingSchedulePeriod/2/startPeriod`],
    ['SendLocalList', list('Full', { idTag: 'A' }), '/payload/localAuthorizationList/0/idTagInfo'],
    ['SendLocalList', list('Differential', { idTag: 'A' }, { idTag: 'a' }), '/payload/localAuthorizationList/1/idTag'],
    ['GetDiagnostics', { location: 'ftp://example.com/', ...times }, '/payload/stopTime'],
  ]
  for (const [command, payload, path] of forbidden)
    t.match(
      await service.request('POST', '/api/v1/ocpp16/send_command', { charge_point_id: 'RC-1', command, payload }),
      { status: 400, body: { error: { code: 'validation_error', details: [{ path }] } } },
      path,
    )
  const own = (fields: object, connector_id = 1) =>
    service.request('POST', '/api/v1/ocpp16/set_charging_profile', {
      charge_point_id: 'RC-1',
      connector_id,
      charging_profile: profile(fields),
    })
  const path = '/charging_profile/recurrencyKind'
  t.match(await own({ recurrencyKind: 'Daily' }), { status: 400, body: { error: { details: [{ path }] } } })
  t.match(await own({}, 0), { status: 400, body: { error: { details: [{ path: '/connector_id' }] } } })
  const recurring = own({ chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Recurring' })
  t.match(
    await client.answerNext({ status: 'Accepted' }),
    [2, String, 'SetChargingProfile', { csChargingProfiles: { chargingProfileKind: 'Recurring' } }],
    'the first that is sent: recurrencyKind is optional',
  )
  t.match(await recurring, { status: 200, body: { status: 'Accepted' } })
})
