// The sockets that are open, and how much comes over each: HTTP has parts that no parser holds, and so none bounds
// (a reason phrase, the extensions of a chunk), and whoever sends them without end would take the thread's time.

import type { Socket } from 'node:net'
import { callFailure } from './failure.js'
import { limits } from './limits.js'

export interface OpenSockets {
  add(socket: Socket): void
  readonly count: number
}

const looksPerSecond = 4

export function createOpenSockets(): OpenSockets {
  /** By socket, the bytes that had come at the last look. */
  const seen = new Map<Socket, number>()
  let look: NodeJS.Timeout | undefined

  function lookAtAll(): void {
    for (const [socket, before] of seen) {
      const bytes = socket.bytesRead
      seen.set(socket, bytes)
      if (bytes - before > limits.outboundBytesPerSecond / looksPerSecond)
        socket.destroy(callFailure('protocol', 'far more came than an answer may have'))
    }
  }

  return {
    add(socket) {
      seen.set(socket, 0)
      look ??= setInterval(lookAtAll, 1_000 / looksPerSecond)
      socket.once('close', () => {
        seen.delete(socket)
        if (seen.size > 0) return
        clearInterval(look)
        look = undefined
      })
    },
    get count() {
      return seen.size
    },
  }
}
