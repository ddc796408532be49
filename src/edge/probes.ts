// Pings that somebody waits for: how long a charge point took to answer one, or that it has not. Apart from liveness, which pings at the charge
// point's own interval, and ends nothing here.

import type { PingEndedMessage } from '../actors/charge-point/messages.js'
import type { Clock } from '../runtime/clock.js'
import { limits } from './limits.js'
import type { Socket } from './socket.js'

export interface Probes {
  /** Sends a ping, unless one that is waited for is under way: its end is told of both. */
  begin(socket: Socket): void
  /** It has sent a pong. */
  answered(socket: Socket): void
  /** Its socket is gone, which its actor is told otherwise. */
  forget(socket: Socket): void
}

interface Probe {
  /** Monotonic ms. */
  readonly sentAt: number
  readonly timer: NodeJS.Timeout
}

export function createProbes(
  clock: Pick<Clock, 'monotonic'>,
  tell: (socket: Socket, message: PingEndedMessage) => void,
): Probes {
  const underWay = new Map<number, Probe>()

  function end(socket: Socket, latencyMs: number | null): void {
    const probe = underWay.get(socket.connection)
    if (probe === undefined) return
    forget(socket)
    const { connection, answersPings, heardAt } = socket
    tell(socket, { type: 'ping-ended', connection, latencyMs, answersPings, wasHeard: heardAt > probe.sentAt })
  }

  function forget({ connection }: Socket): void {
    clearTimeout(underWay.get(connection)?.timer)
    underWay.delete(connection)
  }

  return {
    begin(socket) {
      if (underWay.has(socket.connection)) return
      const timer = setTimeout(() => end(socket, null), limits.pongAwaitedMs)
      underWay.set(socket.connection, { sentAt: clock.monotonic(), timer })
      socket.webSocket?.ping()
    },
    answered(socket) {
      const probe = underWay.get(socket.connection)
      if (probe !== undefined) end(socket, Math.max(0, clock.monotonic() - probe.sentAt))
    },
    forget,
  }
}
