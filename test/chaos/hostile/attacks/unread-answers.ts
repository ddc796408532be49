import { textFrame } from '../../../../bench/client/websocket-frames.js'
import { defineAttack } from '../attack.js'
import { allowedPerSecond } from '../calls.js'
import { upgradeRequest } from '../upgrade-request.js'

/** As long as a message id may be: the answer carries it back. */
const messageId = 'x'.repeat(240)
const call = Buffer.from(textFrame(JSON.stringify([2, messageId, 'Unknown', {}])))
const stepMs = 100

export const unreadAnswers = defineAttack({
  name: 'unread-answers',
  does: 'Fifty charge points send calls at the allowed rate, and never read an answer.',
  chargePoints: 50,
  run: (attacker) =>
    attacker.lanes(attacker.chargePointIds.length, async (lane) => {
      const socket = await attacker.dial()
      if (socket === undefined) return attacker.pause(stepMs)
      socket.pause()
      socket.write(upgradeRequest(attacker.chargePointIds[lane] as string))
      const perStep = Math.floor((allowedPerSecond * stepMs) / 1_000)
      while (attacker.attacking && socket.writable && socket.writableLength === 0) {
        socket.write(Buffer.concat(Array.from({ length: perStep }, () => call)))
        attacker.count('messages', perStep)
        await attacker.pause(stepMs)
      }
      socket.destroy()
    }),
})
