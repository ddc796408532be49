// What must not stand in a command's record: passwords in URLs, and keys that ChangeConfiguration sets.

const secretKeys = new Set(['authorizationkey'])
export const redacted = '(redacted)'

/** The parameters as they are recorded. */
export function redactParameters(parameters: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? redactUrl(value) : value]),
  )
}

/** An OCPP payload as it is recorded. */
export function redactPayload(action: string, payload: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { key } = payload
  const shown = redactParameters(payload)
  if (action === 'ChangeConfiguration' && typeof key === 'string' && secretKeys.has(key.toLowerCase()))
    shown.value = redacted
  return shown
}

function redactUrl(text: string): string {
  if (!text.includes('@') || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.password === '') return text
  url.password = 'redacted'
  return url.href
}
