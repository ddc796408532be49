// One text for the same JSON, whatever the order of its fields and the space between them.

import { limits as runtimeLimits } from '../../runtime/limits.js'
import { isDeeperThan, partsIn } from '../../runtime/nesting.js'
import { limits } from './limits.js'

/** The bytes as they are where they are no JSON, or JSON that is nested too deep to be taken, or has so much in it that ordering it holds others up. */
export function canonicalJson(bytes: Uint8Array): Uint8Array | string {
  if (partsIn(bytes, limits.comparedParts) > limits.comparedParts) return bytes
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return bytes
  }
  return isDeeperThan(value, runtimeLimits.nesting) ? bytes : JSON.stringify(ordered(value))
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, part]) => [name, ordered(part)]))
}
