import { defineAttack } from '../attack.js'

export const apiWrites = defineAttack({
  name: 'api-writes',
  does: 'A tenant makes id tags over 40 connections as fast as it is answered.',
  async run(attacker) {
    let made = 0
    await attacker.lanes(20, async () => {
      const id_tag = `T${attacker.index}-${++made}`
      await attacker.request('POST', '/api/v1/id-tags', { id_tag, label: 'x'.repeat(100) })
    })
  },
})
