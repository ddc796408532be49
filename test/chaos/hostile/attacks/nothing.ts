import { defineAttack } from '../attack.js'

/** What the others are compared with. */
export const nothing = defineAttack({
  name: 'nothing',
  does: 'Nobody attacks: what the same neighbours feel, and what the process takes, after the same time.',
  run: (attacker) => attacker.lanes(1, () => attacker.pause(100)),
})
