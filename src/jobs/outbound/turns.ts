// Who of the calls to one origin goes next. A burst takes connections that become free, instead of opening one for each of its calls;
// and an origin that is slow, or cannot be connected to, holds a share of the client, never all of it.

import type { Clock } from '../../runtime/clock.js'
import { limits } from './limits.js'

export interface Turn {
  /** The call has a connection. */
  connected(): void
  /** The call has ended, however it did. */
  end(): void
}

export interface Turns {
  /** Rejects when there is no turn within the patience, or too many wait already. */
  take(origin: string, patienceMs: number): Promise<Turn>
  /** Origins that have calls. */
  readonly origins: number
}

interface Waiter {
  readonly until: number
  readonly begin: (turn: Turn) => void
  readonly giveUp: (error: Error) => void
}

interface Lane {
  running: number
  connecting: number
  waiting: Waiter[]
}

const lookEveryMs = 500

export function createTurns(clock: Clock): Turns {
  const lanes = new Map<string, Lane>()
  let look: NodeJS.Timeout | undefined

  const free = ({ running, connecting }: Lane): boolean =>
    running < limits.outboundRequestsPerOrigin && connecting < limits.outboundConnectsPerOrigin

  function begin(origin: string, lane: Lane): Turn {
    lane.running++
    lane.connecting++
    let connecting = true
    function connected(): void {
      if (connecting) lane.connecting--
      connecting = false
    }
    return {
      connected() {
        connected()
        next(origin, lane)
      },
      end() {
        connected()
        lane.running--
        next(origin, lane)
        if (lane.running === 0) lanes.delete(origin)
      },
    }
  }

  function next(origin: string, lane: Lane): void {
    while (lane.waiting.length > 0 && free(lane)) lane.waiting.shift()?.begin(begin(origin, lane))
  }

  /** Those who wait do so in the order of their coming, not of their patience: all are looked at. */
  function dismiss(): void {
    const now = clock.monotonic()
    let left = 0
    for (const lane of lanes.values()) {
      const impatient = lane.waiting.filter(({ until }) => until <= now)
      if (impatient.length > 0) lane.waiting = lane.waiting.filter(({ until }) => until > now)
      left += lane.waiting.length
      for (const { giveUp } of impatient) giveUp(new Error('the connections of its origin were busy'))
    }
    if (left > 0) return
    clearInterval(look)
    look = undefined
  }

  return {
    async take(origin, patienceMs) {
      const lane = lanes.get(origin) ?? { running: 0, connecting: 0, waiting: [] }
      lanes.set(origin, lane)
      if (lane.waiting.length === 0 && free(lane)) return begin(origin, lane)
      if (lane.waiting.length >= limits.outboundWaitingPerOrigin)
        throw new Error('too many calls wait for a connection of its origin')
      look ??= setInterval(dismiss, lookEveryMs)
      return new Promise((resolve, reject) => {
        lane.waiting.push({ until: clock.monotonic() + patienceMs, begin: resolve, giveUp: reject })
      })
    },
    get origins() {
      return lanes.size
    },
  }
}
