import { defineAttack } from '../attack.js'

const ids = Array.from({ length: 100 }, (_, index) => `NOBODY-${index}`)

export const commandRecords = defineAttack({
  name: 'command-records',
  finding: 'H4',
  does: 'A tenant sends bulk commands with 1 MB of parameters to charge points that do not exist, over 2 connections.',
  run: (attacker) =>
    attacker.lanes(1, async () => {
      await attacker.request('POST', '/api/v1/cpo/commands/bulk', {
        charge_point_ids: ids,
        command: 'soft_reset',
        parameters: { junk: 'x'.repeat(1_040_000) },
      })
    }),
})
