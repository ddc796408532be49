// The period of a list of OCPI (2.2.1, 4.1.4): from inclusive, to exclusive.

import { Type } from 'typebox'
import type { ListQuery } from '../../runtime/store/store.js'
import { parseTimestamp } from '../pipeline/timestamp.js'

const instant = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** `what` it bounds, in a sentence. */
export const ocpiPeriod = (what = '`last_updated`') => ({
  date_from: instant(`Inclusive: bounds ${what}.`),
  date_to: instant(`Exclusive: bounds ${what}.`),
})

interface Period {
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : parseTimestamp(text))

/** Wall ms. */
export function ocpiTimes({ date_from, date_to }: Period) {
  return { from: timeOf(date_from), to: timeOf(date_to) }
}

/** Bounds in a list that is ordered by times in ms; undefined where neither is given. */
export function ocpiBetween(period: Period): ListQuery | undefined {
  const { from, to } = ocpiTimes(period)
  if (from === undefined && to === undefined) return undefined
  return { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to] }) }
}
