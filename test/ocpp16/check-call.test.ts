import { test } from 'tap'
import { checkCall, messages } from '../../src/ocpp16/index.js'
import { limits } from '../../src/ocpp16/limits.js'
import { samples } from './every-message.js'

function detailsOf(action: string, payload: unknown) {
  const check = checkCall(action, payload)
  return check.ok ? [] : check.details
}

test('check call - everything that the central system sends is taken when it is valid', async (t) => {
  for (const [action, { from }] of messages) {
    if (from !== 'charge-point') t.strictSame(checkCall(action, samples[action]?.request), { ok: true }, action)
  }
})

test('check call - what charge points send, and what no one sends, is an unknown action', async (t) => {
  for (const action of ['BootNotification', 'reset', 'Explode', '__proto__', '']) {
    t.match(checkCall(action, {}), { ok: false, unknownAction: true, details: [{ path: '' }] }, action)
  }
})

test('check call - every fault is told, with a JSON pointer', async (t) => {
  t.strictSame(checkCall('ReserveNow', { connectorId: -1, expiryDate: 'soon', idTag: 'x'.repeat(21), 'a/b': 1 }), {
    ok: false,
    unknownAction: false,
    details: [
      { path: '/reservationId', message: 'is required' },
      { path: '/a~1b', message: 'is not a field of OCPP 1.6' },
      { path: '/connectorId', message: 'must be at least 0' },
      { path: '/expiryDate', message: 'must be a date and time, such as 2026-01-02T03:04:05Z' },
      { path: '/idTag', message: 'must have at most 20 characters' },
    ],
  })
  t.strictSame(detailsOf('Reset', { type: 'hard' }), [{ path: '/type', message: 'must be one of Hard, Soft' }])
  t.strictSame(detailsOf('UpdateFirmware', { location: 'here', retrieveDate: '2026-01-02T03:04:05Z' }), [
    { path: '/location', message: 'must be a URI' },
  ])
  t.strictSame(detailsOf('Reset', []), [{ path: '', message: 'must be an object' }])
})

test('check call - faults deep inside are pointed at', async (t) => {
  const profile = structuredClone(samples.SetChargingProfile?.request.csChargingProfiles) as {
    chargingSchedule: { chargingSchedulePeriod: { limit: unknown }[] }
  }
  const period = profile.chargingSchedule.chargingSchedulePeriod[1]
  if (period !== undefined) period.limit = 6.25
  t.strictSame(detailsOf('SetChargingProfile', { connectorId: 1, csChargingProfiles: profile }), [
    {
      path: '/csChargingProfiles/chargingSchedule/chargingSchedulePeriod/1/limit',
      message: 'must have at most one decimal',
    },
  ])
})

test('check call - nothing is mended for a caller', async (t) => {
  t.equal(checkCall('UnlockConnector', { connectorId: '1' }).ok, false)
  t.equal(checkCall('UnlockConnector', { connectorId: null }).ok, false)
  t.equal(checkCall('RemoteStopTransaction', { transactionId: 2 ** 53 }).ok, false)
})

test('check call - the list of faults is bounded', async (t) => {
  const payload = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]))
  t.equal(detailsOf('ClearCache', payload).length, limits.callFaults)
})
