// One text for the same JSON, whatever the order of its fields and the space between them.

import { limits } from '../../runtime/limits.js'
import { isDeeperThan } from '../../runtime/nesting.js'

/** The bytes as they are where they are no JSON, or JSON that is nested too deep to be taken. */
export function canonicalJson(bytes: Uint8Array): Uint8Array | string {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return bytes
  }
  return isDeeperThan(value, limits.nesting) ? bytes : JSON.stringify(ordered(value))
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, part]) => [name, ordered(part)]))
}
