// What is said to a charge point, and what it answers, as it is recorded and told: without secrets, wherever they stand. Frames are masked in
// masked-frame.ts, with the same eyes for texts.

import { maskText } from './masked-frame.js'
import { isListOfNames, isNamedBefore, secretFieldsOf } from './secret-places.js'
import { redacted, withoutText } from './secrets.js'

/** A payload without the values of secret keys, which some charge points tell, and without `sent`, which some repeat. Its nesting is bounded. */
export function withoutSecrets(payload: unknown, sent: readonly string[] = []): unknown {
  return without(payload, sent, true)
}

function without(payload: unknown, sent: readonly string[], isWhole: boolean): unknown {
  if (typeof payload === 'string') return withoutText(maskText(payload), sent)
  if (typeof payload !== 'object' || payload === null) return payload
  if (Array.isArray(payload))
    return payload.map((entry, at) => (isNamedBefore(payload, at) ? hidden(entry) : without(entry, sent, false)))
  const isSecret = secretFieldsOf(payload as Readonly<Record<string, unknown>>)
  const entries = Object.entries(payload).map(([name, value]) => {
    // Its status says how the command ended, whatever the secret was.
    if (name === 'status') return [name, value]
    const shownName = withoutText(maskText(name), sent)
    if (isSecret(name)) return [shownName, hidden(value)]
    const isNames = isWhole && isListOfNames(name, value)
    return [shownName, isNames ? value.map((one) => without(one, sent, false)) : without(value, sent, false)]
  })
  return Object.fromEntries(entries)
}

const hidden = (value: unknown): unknown => (value === null || value === '' ? value : redacted)
