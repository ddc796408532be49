import { defineAttack } from '../attack.js'

export const keyRequestFlood = defineAttack({
  name: 'key-request-flood',
  finding: 'H2',
  does: 'A tenant lists its sessions over 40 connections as fast as it is answered.',
  run: (attacker) =>
    attacker.lanes(20, async () => void (await attacker.request('GET', '/api/v1/sessions?per_page=200'))),
})
