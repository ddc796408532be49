import { defineAttack } from '../attack.js'
import { floodRequests } from '../flood.js'

export const requestFlood = defineAttack({
  name: 'request-flood',
  finding: 'H2',
  does: 'A stranger pipelines API requests with a wrong key over 4 connections as fast as it can.',
  run: (attacker) =>
    floodRequests(attacker, 2, 'GET /api/v1/sessions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n'),
})
