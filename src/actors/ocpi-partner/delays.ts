// Delays between the attempts of a push, and when it is given up. Times are steady: the clock of the machine may be set.

import type { OcpiCdrPush } from '../../records/ocpi-push.js'

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
/** After each attempt that was refused; the last one again and again. */
const delaysMs = [10 * second, minute, 5 * minute, 15 * minute, hour, 2 * hour, 4 * hour, 6 * hour]
const day = 24 * hour
/** Of waiting between attempts, whatever the clock shows. */
const givenUpAfterMs = 14 * day

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
