// Assertions, left on in production: what must hold whatever comes in, where a mistake of this program would otherwise lose
// something, or do it twice, in silence. Never for input: what others send, or what a full disk does, is answered.

import { AssertionError } from 'node:assert/strict'

/**
 * Throws when `holds` is false. `rule` says what should have held; `found` is what was compared, and becomes text only then.
 * Not node's own `ok`: that takes one message, which would have to be made each time to say what was found.
 */
export function assert(holds: boolean, rule: string, ...found: [unknown?, unknown?]): asserts holds {
  if (!holds) fail(rule, found)
}

/** Whether an error is an assertion that failed, and not what the surroundings refused. */
export function isBroken(error: unknown): error is AssertionError {
  return error instanceof AssertionError
}

function fail(rule: string, found: readonly unknown[]): never {
  const values = found.length === 0 ? '' : ` (found ${found.map(String).join(', ')})`
  throw new AssertionError({ message: `broken: ${rule}${values}`, stackStartFn: assert })
}
