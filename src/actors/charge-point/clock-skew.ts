// Charge points' clocks are wrong in known ways: 1970 before the first time signal, local time called UTC.
// A time that cannot be is replaced by that of arrival; both are kept (field notes 15 to 17).

import { readTimestamp } from '../../ocpp16/index.js'

export interface JudgedTime {
  /** Wall ms to go by. */
  readonly at: number
  /** The charge point's own words, when they were not taken. */
  readonly reported: string | undefined
  readonly suspect: boolean
}

const earliestMs = Date.parse('2020-01-01T00:00:00Z')
const aheadMs = 5 * 60_000

export function judgeTime(reported: string | undefined, receivedAt: number): JudgedTime {
  const at = reported === undefined ? undefined : readTimestamp(reported)
  if (at === undefined || at < earliestMs || at > receivedAt + aheadMs)
    return { at: receivedAt, reported, suspect: reported !== undefined }
  return { at, reported: undefined, suspect: false }
}

/** By how many seconds the clock is wrong, as far as one message tells; undefined for a time that may simply be old. */
export function clockSkewSeconds(reported: string | undefined, receivedAt: number): number | undefined {
  const at = reported === undefined ? undefined : readTimestamp(reported)
  if (at === undefined) return undefined
  const wrong = at < earliestMs || at > receivedAt + aheadMs
  return wrong ? Math.round((receivedAt - at) / 1000) : undefined
}

/** By how many seconds the clock seems to be behind; a message that was held back makes it seem more. */
export function clockOffsetSeconds(reported: string | undefined, receivedAt: number): number | undefined {
  const at = reported === undefined ? undefined : readTimestamp(reported)
  return at === undefined ? undefined : Math.round((receivedAt - at) / 1000)
}
