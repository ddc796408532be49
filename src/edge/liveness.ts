// Pings charge points as each likes it, and finds those that are gone (field notes 4 and 23).
// One pass a second over a slice of the sockets: no timer per connection.

import type { Socket } from './socket.js'

export interface LivenessOptions {
  readonly deadPeerSeconds: number
  readonly heartbeatIntervalSeconds: number
}

const missedPings = 3
/** How long the newest ping has for its answer before silence counts. */
const pongWithinMs = 10_000

export type Verdict = 'quiet' | 'ping' | 'gone'

/** What to do about a socket now (monotonic ms). A pong is not required of a peer that has never sent one. */
export function judge(socket: Socket, now: number, options: LivenessOptions): Verdict {
  const silenceMs = now - socket.heardAt
  const pingMs = socket.pingIntervalSeconds * 1000
  const heartbeatSeconds = Math.max(options.heartbeatIntervalSeconds, socket.configuredHeartbeatSeconds ?? 0)
  const toleranceMs =
    socket.answersPings && pingMs > 0
      ? missedPings * pingMs
      : Math.max(missedPings * pingMs, options.deadPeerSeconds * 1000, 2_200 * heartbeatSeconds)
  // Nobody is gone who was not asked: after a standstill of our own, every socket looks silent.
  const asked =
    pingMs === 0 || (socket.pingedAt > socket.heardAt && now - socket.pingedAt >= Math.min(pingMs, pongWithinMs))
  if (silenceMs > toleranceMs && asked) return 'gone'
  return pingMs > 0 && silenceMs >= pingMs && now - socket.pingedAt >= pingMs ? 'ping' : 'quiet'
}
