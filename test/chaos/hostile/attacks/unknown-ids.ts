import { defineAttack } from '../attack.js'

export const unknownIds = defineAttack({
  name: 'unknown-ids',
  finding: 'L10',
  does: 'A stranger tries ids of charge points that nobody has, over 20 connections, as fast as it is answered.',
  async run(attacker) {
    let tried = 0
    await attacker.lanes(10, async () => void (await attacker.connect(`UNKNOWN-${attacker.index}-${++tried}`)))
  },
})
