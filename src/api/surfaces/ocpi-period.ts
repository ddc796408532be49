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

/** Bounds in a list that is ordered by times in ms; undefined where neither is given. */
export function ocpiBetween({
  date_from,
  date_to,
}: {
  readonly date_from?: string | undefined
  readonly date_to?: string | undefined
}): ListQuery | undefined {
  const from = date_from === undefined ? undefined : parseTimestamp(date_from)
  const to = date_to === undefined ? undefined : parseTimestamp(date_to)
  if (from === undefined && to === undefined) return undefined
  return { ...(from !== undefined && { from: [from] }), ...(to !== undefined && { to: [to] }) }
}
