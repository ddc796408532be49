import { defineAttack } from '../attack.js'
import { sendFromAll } from '../calls.js'
import { hoard } from '../hoard.js'

export const streamHoard = defineAttack({
  name: 'stream-hoard',
  does: 'A tenant asks for 900 event streams at once, and never reads those that it gets, while a charge point of its own makes events.',
  chargePoints: 1,
  async run(attacker) {
    const head = `GET /api/v1/events/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${attacker.key}\r\n\r\n`
    const status = (number: number) => (number % 2 === 0 ? 'Faulted' : 'Available')
    await Promise.all([
      hoard(attacker, 900, head, (socket) => void socket.pause()),
      sendFromAll(attacker, (number) => [
        'StatusNotification',
        { connectorId: 1, errorCode: 'NoError', status: status(number) },
      ]),
    ])
  },
})
