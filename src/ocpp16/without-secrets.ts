// What is said to a charge point, and what it answers, as it is recorded and told: without secrets, wherever they stand. Frames are masked in
// masked-frame.ts, with the same eyes for texts.

import { maskText } from './masked-frame.js'
import { isSecretKey, redacted, withoutText } from './secrets.js'

/** A payload without the values of secret keys, which some charge points tell, and without `sent`, which some repeat. Its nesting is bounded. */
export function withoutSecrets(payload: unknown, sent: readonly string[] = []): unknown {
  if (typeof payload === 'string') return withoutText(maskText(payload), sent)
  if (typeof payload !== 'object' || payload === null) return payload
  if (Array.isArray(payload)) return payload.map((entry) => withoutSecrets(entry, sent))
  // As in an answer to GetConfiguration, and in ChangeConfiguration: a value belongs to the key beside it.
  const isOfSecretKey = 'key' in payload && isSecretKey(payload.key)
  const entries = Object.entries(payload).map(([name, value]) => {
    // Its status says how the command ended, whatever the secret was.
    if (name === 'status') return [name, value]
    const hides = isSecretKey(name) || (isOfSecretKey && name === 'value')
    return [name, hides && value !== null && value !== '' ? redacted : withoutSecrets(value, sent)]
  })
  return Object.fromEntries(entries)
}
