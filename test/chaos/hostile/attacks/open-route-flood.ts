import { defineAttack } from '../attack.js'
import { floodRequests } from '../flood.js'

export const openRouteFlood = defineAttack({
  name: 'open-route-flood',
  finding: 'H2',
  does: 'A stranger pipelines requests to /healthz over 4 connections as fast as it can.',
  run: (attacker) => floodRequests(attacker, 2, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
})
