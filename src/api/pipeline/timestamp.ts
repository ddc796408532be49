// ISO 8601 in the API: any offset is taken in, UTC with milliseconds leaves.

import { readTimestamp } from '../../ocpp16/timestamp.js'

/** ms since the epoch, or undefined for what is no time. A blank for the plus of an offset is a query string's doing. */
export function parseTimestamp(text: string): number | undefined {
  return readTimestamp(
    text.replace(/ (\d{2}:?\d{2})$/, (blank, offset: string) => (/T/.test(text) ? `+${offset}` : blank)),
  )
}

export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString()
}
