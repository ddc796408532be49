// How far an installer is with a charge point, as it follows from what is known of it.

import { test } from 'tap'
import type { ChargePointState } from '../../src/records/charge-point-state.js'
import { registrationMark } from '../../src/records/client-certificate.js'
import { installerStatus, isHandedOver } from '../../src/records/installer-status.js'
import { claimedRow, installedRow } from '../support/registration.js'

const live = new Set([2])
const at = '2026-11-01T00:00:00.000Z'

function stateOf(fields: Partial<ChargePointState>): ChargePointState {
  return {
    charge_point_id: 'CP-1',
    organization_id: 'ins_1',
    run: 2,
    connected: true,
    registration: 'Accepted',
    connectors: [],
    power_watts: 0,
    ...fields,
  }
}

test('installer status - goes from registered to commissioned, and is offline where the socket is lost', (t) => {
  const registered = installedRow('CP-1')
  const configured = installedRow('CP-1', { configured_at: at })
  const commissioned = installedRow('CP-1', { configured_at: at, commissioned_at: at })
  const online = stateOf({})
  const lost = stateOf({ connected: false })
  const lives = [
    ['registered', registered, undefined],
    ['registered', registered, stateOf({ registration: 'none' })],
    ['registered', registered, stateOf({ registration: 'none', connected: false })],
    ['configured', configured, undefined],
    ['configured', configured, stateOf({ registration: 'Pending' })],
    ['connected', registered, online],
    ['connected', configured, online],
    ['offline', registered, lost],
    ['offline', configured, stateOf({ run: 1 })],
    ['commissioned', commissioned, online],
    ['offline', commissioned, lost],
    ['offline', commissioned, undefined],
  ] as const
  for (const [expected, chargePoint, state] of lives) t.equal(installerStatus(chargePoint, state, live), expected)
  t.end()
})

test('installer status - a charge point is handed over once it is commissioned and claimed, in either order', (t) => {
  const commissioned = installedRow('CP-1', { commissioned_at: at })
  t.same([installedRow('CP-1'), commissioned].map(isHandedOver), [false, false])
  t.same([claimedRow(installedRow('CP-1')), claimedRow(commissioned)].map(isHandedOver), [false, true])
  t.end()
})

test('installer status - what was issued for a charge point is good over its claim, and for no later registration', (t) => {
  const before = installedRow('CP-1')
  const mark = registrationMark(before)
  t.equal(registrationMark(claimedRow(before)), mark)
  t.not(registrationMark(claimedRow(before, { certificates_revoked_at: at })), mark)
  t.not(registrationMark({ ...before, created_at: '2026-11-02T00:00:00.000Z' }), mark)
  t.not(registrationMark(installedRow('CP-1', { installer_id: 'ins_2' })), mark)
  t.end()
})
