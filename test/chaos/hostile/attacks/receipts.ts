import { defineAttack } from '../attack.js'
import { endSessions } from '../ground.js'

export const receipts = defineAttack({
  name: 'receipts',
  finding: 'M6',
  does: 'A tenant asks for the receipt of a session 400 times at once, without end.',
  chargePoints: 1,
  prepare: async ({ tenant, chargePointIds }) => void (await endSessions(tenant, chargePointIds[0] as string, 1)),
  async run(attacker) {
    const answer = await attacker.request('GET', '/api/v1/sessions?per_page=1')
    const path = `/api/v1/portal/sessions/${answer?.body.sessions[0].session_id}/receipt`
    await attacker.lanes(200, async () => void (await attacker.request('GET', path)))
  },
})
