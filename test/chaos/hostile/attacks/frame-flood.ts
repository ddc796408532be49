import { textFrame } from '../../../../bench/client/websocket-frames.js'
import { defineAttack } from '../attack.js'
import { callText } from '../calls.js'
import { floodSocket } from '../flood.js'

const heartbeat = Buffer.from(textFrame(callText(['Heartbeat', {}])))

export const frameFlood = defineAttack({
  name: 'frame-flood',
  does: 'Six charge points send Heartbeats as fast as they can, and come back whenever they are thrown out.',
  chargePoints: 6,
  run: (attacker) => attacker.eachChargePoint((socket) => floodSocket(attacker, socket, heartbeat, 'messages')),
})
