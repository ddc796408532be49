// How deep JSON from outside is nested, and how much there is in it. Encoders and structured clone recurse: what is too deep for them must not reach them.

/** Whether objects and arrays in `value` are nested more than `depth` deep; looks no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const part of Object.values(value)) if (isDeeperThan(part, depth - 1)) return true
  return false
}

const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b

/** Whether the JSON has more values than that, before it is read: each follows a comma or opens a list or an object. Commas in texts count, too. */
export function hasMoreValues(json: string, most: number): boolean {
  let values = 1
  for (let at = 0; at < json.length; at++) {
    const character = json.charCodeAt(at)
    if (character === comma || character === bracket || character === brace) values++
    if (values > most) return true
  }
  return false
}
