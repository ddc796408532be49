// A value of JSON as it is recorded: within a bound, whatever somebody sends.

/** The value where its JSON has at most so many characters; the largest fields of one that is larger give way to their length. */
export function boundedJson(value: unknown, most: number): unknown {
  let characters = lengthOf(value)
  if (characters <= most) return value
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return leftOut(characters)
  const fields = Object.entries(value).map(([name, field]) => ({ name, length: lengthOf(field) }))
  const shortened: Record<string, unknown> = { ...value }
  for (const { name, length } of fields.sort((one, other) => other.length - one.length)) {
    const mark = leftOut(length)
    if (characters <= most || mark.length + 2 >= length) break
    shortened[name] = mark
    characters += mark.length + 2 - length
  }
  return characters <= most ? shortened : leftOut(characters)
}

/** Of an object: an object as well. */
export function boundedFields(fields: unknown, most: number): Record<string, unknown> {
  const kept = boundedJson(fields, most)
  // So many that not even their names have room.
  return typeof kept === 'string' ? { parameters: kept } : (kept as Record<string, unknown>)
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}

function leftOut(characters: number): string {
  return `(${characters} characters left out)`
}
