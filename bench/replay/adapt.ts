// What has to be another in a replay than it was: the numbers that the service gives to transactions, and times, which are moved to now.

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?$/

export interface Adapting {
  /** By the number of the recording. */
  readonly transactions: ReadonlyMap<number, number>
  /** By how much times move. */
  readonly shiftMs: number
}

/** A payload as it is sent now. Times keep their form, also one that is wrong. */
export function adapted(value: unknown, adapting: Adapting, name = ''): unknown {
  if (typeof value === 'number' && name === 'transactionId') return adapting.transactions.get(value) ?? value
  if (typeof value === 'string' && isoTime.test(value)) return shifted(value, adapting.shiftMs)
  if (Array.isArray(value)) return value.map((item) => adapted(item, adapting, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([field, part]) => [field, adapted(part, adapting, field)]))
}

function shifted(text: string, shiftMs: number): string {
  const zone = /(?:Z|[+-]\d\d:?\d\d)$/.exec(text)?.[0] ?? ''
  const at = Date.parse(zone === '' ? `${text}Z` : text)
  if (Number.isNaN(at)) return text
  // Of a zone that is not UTC, the wall of that zone is written.
  const [sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone)?.slice(1) ?? []
  const offsetMs = sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  const written = new Date(at + shiftMs + offsetMs).toISOString()
  const fraction = /\.\d+/.test(text) ? written.slice(19, 23) : ''
  return `${written.slice(0, 19)}${fraction}${zone}`
}
