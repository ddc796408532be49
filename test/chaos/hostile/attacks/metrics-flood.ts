import { defineAttack } from '../attack.js'
import { floodRequests } from '../flood.js'

export const metricsFlood = defineAttack({
  name: 'metrics-flood',
  finding: 'H2',
  does: 'A stranger asks for /metrics over 4 connections as fast as it can.',
  run: (attacker) => floodRequests(attacker, 2, 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'),
})
