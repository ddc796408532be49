import { defineAttack } from '../attack.js'

/** What a key may ask for in ten seconds: those at once, and 2,000 a second. */
const requests = 40_000

export const apiWrites = defineAttack({
  name: 'api-writes',
  does: 'A tenant makes id tags over 40 connections as fast as it is answered.',
  keptBytes: requests * 4_096,
  async run(attacker) {
    let made = 0
    await attacker.lanes(20, async () => {
      const id_tag = `T${attacker.index}-${++made}`
      await attacker.request('POST', '/api/v1/id-tags', { id_tag, label: 'x'.repeat(100) })
    })
  },
})
