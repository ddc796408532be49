// OCPI's DateTime (OCPI 2.2.1, 16.2): read with any designator or none, which is UTC; written with `Z`, in at most 25 characters.

import { readTimestamp } from '../ocpp16/timestamp.js'

/** Milliseconds since the Unix epoch, or undefined for what is no time. */
export const readDateTime: (text: string) => number | undefined = readTimestamp

/** With milliseconds. */
export function writeDateTime(ms: number): string {
  return new Date(ms).toISOString()
}

const sent = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/

/** Whether every reader of the standard understands it. */
export function isSentDateTime(text: string): boolean {
  return text.length <= 25 && sent.test(text) && readDateTime(text) !== undefined
}
