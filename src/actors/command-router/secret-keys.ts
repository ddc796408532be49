// The configuration keys whose values are secrets: they stand in no record, neither as sent nor as a charge point tells them.

const secretKeys: ReadonlySet<string> = new Set(['authorizationkey'])

export const redacted = '(redacted)'

/** Keys are compared without regard to case (OCPP 1.6, 9). */
export function isSecretKey(key: unknown): boolean {
  return typeof key === 'string' && secretKeys.has(key.toLowerCase())
}

/** An answer to GetConfiguration without secrets; the key ought to be write-only, but some charge points tell it. */
export function withoutSecrets(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('configurationKey' in payload)) return payload
  const { configurationKey } = payload
  if (!Array.isArray(configurationKey)) return payload
  return { ...payload, configurationKey: configurationKey.map(withoutValue) }
}

function withoutValue(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('key' in entry) || !('value' in entry)) return entry
  return isSecretKey(entry.key) ? { ...entry, value: redacted } : entry
}
