// DateTime of OCPI 2.2.1 (16.2) as a strict reader takes it: RFC 3339 in UTC, with `Z` or no designator, in at most 25 characters.

const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/

/** Milliseconds since the Unix epoch; undefined for what is no DateTime of OCPI. */
export function instantOf(text: string): number | undefined {
  if (text.length > 25 || !form.test(text)) return undefined
  const at = Date.parse(text.endsWith('Z') ? text : `${text}Z`)
  return Number.isNaN(at) ? undefined : at
}
