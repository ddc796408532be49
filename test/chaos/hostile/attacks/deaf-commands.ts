import { defineAttack } from '../attack.js'

export const deafCommands = defineAttack({
  name: 'deaf-commands',
  does: 'A tenant sends bulk commands over 20 connections to a hundred of its charge points, which are connected and never answer.',
  chargePoints: 100,
  async run(attacker) {
    const charge_point_ids = [...attacker.chargePointIds]
    await Promise.all(charge_point_ids.map((id) => attacker.connect(id)))
    await attacker.lanes(10, async () => {
      await attacker.request('POST', '/api/v1/cpo/commands/bulk', {
        charge_point_ids,
        command: 'soft_reset',
        timeout_seconds: 5,
      })
    })
  },
})
