// How deep JSON from outside is nested, and how much there is in it. Encoders and structured clone recurse: what is too deep for them must not reach them.

/** Whether objects and arrays in `value` are nested more than `depth` deep; looks no deeper than that. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth === 0) return true
  for (const part of Object.values(value)) if (isDeeperThan(part, depth - 1)) return true
  return false
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const bracket = 0x5b
const backslash = 0x5c
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

/**
 * The fields, objects and lists in JSON that nobody has read yet: with its length, they are what it costs to read. Counts no further than one more than
 * `most`. A byte costs a nanosecond; of what is not JSON, the number means nothing.
 */
export function partsIn(json: Uint8Array, most = Number.POSITIVE_INFINITY): number {
  let parts = 0
  for (let at = 0; at < json.length && parts <= most; at++) {
    const character = json[at]
    if (character === quote) at = endOfText(json, at)
    else if (character === colon || character === bracket || character === brace) parts++
  }
  return parts
}

/** Where the quote is that ends the text which begins there. */
function endOfText(json: Uint8Array, begin: number): number {
  let at = begin + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at
}
