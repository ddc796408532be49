// When what has failed is tried again, and when it is given up: by delays, and not by what the clock of the machine is set to.

import type { OcpiCdrPush } from '../../records/ocpi-push.js'
import type { Context } from '../../runtime/actor/actor.js'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
/** After each attempt that was refused; the last one again and again. */
const delaysMs = [10 * second, minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 6 * hour]
const day = 24 * hour
/** Of waiting between attempts, whatever the clock shows. */
const givenUpAfterMs = 14 * day

/** A wall time, and the monotonic time of it, ms. */
export interface Steady {
  readonly wall: number
  readonly monotonic: number
}

interface Failed {
  /** With what there is to say of the attempt. */
  readonly row: OcpiCdrPush
  /** Until the next one, ms. */
  readonly delay: number
}

/** An attempt has failed. One that has been tried for a fortnight is given up: after that, it is tried once a day. `most` of the delays are used. */
export function failed(row: OcpiCdrPush, error: string, now: number, most = delaysMs.length): Failed {
  const { waited_ms = 0 } = row
  const isGivenUp = waited_ms >= givenUpAfterMs
  const delay = isGivenUp ? day : (delaysMs[Math.min(row.attempts + 1, most) - 1] ?? day)
  const tried = { ...row, attempts: row.attempts + 1, waited_ms: waited_ms + delay, error }
  return { row: isGivenUp ? { ...tried, given_up_at: row.given_up_at ?? now } : tried, delay }
}

/**
 * Wall ms by which attempts are due: it goes on when the clock is set back, so that nothing waits longer than it was to. What is told to others is
 * told by the clock.
 */
export function steadyNow(state: { steady: Steady }, context: Pick<Context, 'now' | 'monotonic'>): number {
  const monotonic = context.monotonic()
  const wall = Math.max(context.now(), state.steady.wall + monotonic - state.steady.monotonic)
  state.steady = { wall, monotonic }
  return wall
}

/** What is further away than its delay was set before the clock was set back. `first`: of those that are to be made, and to be sent. */
export function steadyFrom(
  context: Pick<Context, 'now' | 'monotonic'>,
  first: readonly (OcpiCdrPush | undefined)[],
): Steady {
  const setAt = first.map((row) => {
    const at = row?.bill_at ?? row?.next_attempt_at ?? 0
    const { attempts = 0, given_up_at } = row ?? {}
    if (given_up_at !== undefined) return at - day
    return at - (attempts === 0 ? 0 : (delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0))
  })
  return { wall: Math.max(context.now(), ...setAt), monotonic: context.monotonic() }
}
