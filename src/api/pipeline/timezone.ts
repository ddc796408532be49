// Time zones in requests: IANA names that the runtime knows.

import { IANAZone } from 'luxon'
import { Type } from 'typebox'
import type { ErrorDetail } from '../../runtime/errors.js'
import { patternOf } from '../../runtime/fault-words.js'

/** A letter first: the runtime takes offsets for zones too, and those know no daylight saving. */
export const timezoneName = () =>
  Type.String({
    ...patternOf('^[A-Za-z][A-Za-z0-9_+/-]{1,63}$', 'the IANA name of a time zone, such as Europe/Amsterdam'),
    description: 'The IANA name of the time zone, such as Europe/Amsterdam.',
  })

export function timezoneFaults(timezone: string | undefined, path = '/timezone'): ErrorDetail[] {
  if (timezone === undefined || IANAZone.isValidZone(timezone)) return []
  return [{ path, message: 'is not a time zone of the IANA database' }]
}

/** Spelled as in the database; a name that is another one's alias stays as it was given. */
export function canonicalTimezone<Given extends string | null | undefined>(timezone: Given): Given | string {
  if (typeof timezone !== 'string') return timezone
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions()
  return timeZone.toLowerCase() === timezone.toLowerCase() ? timeZone : timezone
}
