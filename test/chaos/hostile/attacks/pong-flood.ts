import { pongFrame } from '../../../../bench/client/websocket-frames.js'
import { defineAttack } from '../attack.js'
import { floodSocket } from '../flood.js'

const pong = pongFrame(Buffer.alloc(0))

export const pongFlood = defineAttack({
  name: 'pong-flood',
  finding: 'H1',
  does: 'Six charge points send WebSocket pongs that nobody has asked for as fast as they can.',
  chargePoints: 6,
  run: (attacker) => attacker.eachChargePoint((socket) => floodSocket(attacker, socket, pong, 'pongs')),
})
