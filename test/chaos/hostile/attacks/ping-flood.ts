import { pingFrame } from '../../../../bench/client/websocket-frames.js'
import { defineAttack } from '../attack.js'
import { floodSocket } from '../flood.js'

export const pingFlood = defineAttack({
  name: 'ping-flood',
  finding: 'H1',
  does: 'Six charge points send WebSocket pings as fast as they can.',
  chargePoints: 6,
  run: (attacker) => attacker.eachChargePoint((socket) => floodSocket(attacker, socket, pingFrame(), 'pings')),
})
