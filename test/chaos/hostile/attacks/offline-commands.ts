import { defineAttack } from '../attack.js'

export const offlineCommands = defineAttack({
  name: 'offline-commands',
  finding: 'H4',
  does: 'A tenant sends DataTransfer commands of 1 MB to its own charge points, which are offline, over 4 connections.',
  chargePoints: 4,
  run: (attacker) =>
    attacker.lanes(2, async (lane) => {
      await attacker.request('POST', '/api/v1/ocpp16/send_command', {
        charge_point_id: attacker.chargePointIds[lane],
        command: 'DataTransfer',
        payload: { vendorId: 'hostile', data: 'x'.repeat(1_000_000) },
      })
    }),
})
