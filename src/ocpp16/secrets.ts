// What of a command and its answer is a secret: the values of some configuration keys, and passwords in addresses. It stands in
// no record, neither as sent nor as a charge point tells or repeats it.

import { parseUrl } from '../runtime/parse-url.js'
import type { OcppCall } from './call.js'
import { changeConfiguration } from './schemas/change-configuration.js'

/** AuthorizationKey (OCPP 1.6 security white paper), and what makers call the credentials of other systems. */
const secretKey = new RegExp(
  [
    'password|passwd|passphrase|pwd|(?<!by|com)pass\\d*$|secret|psk$|token$|connectionstring$|credentials?$|puk\\d*$',
    '(sim|card|apn|gsm|modem|user|admin|bluetooth|ble)pin$',
    '(basic|digest|http|proxy|apn|ppp|ftp|mqtt|wifi|wlan)auth$',
    // Neither `key`, `configurationKey` and `unknownKey`, which are fields of OCPP, nor a key that is public.
    '(?<!^|configuration|unknown|public)key$',
  ].join('|'),
)

export const redacted = '(redacted)'
/** Fields whose values say who charges. */
export const idTagFields: ReadonlySet<string> = new Set(['idTag', 'parentIdTag'])
/** Shorter ones would be found in every text. */
const leastCharacters = 4

/** Keys are compared without regard to case (OCPP 1.6, 9). */
export function isSecretKey(key: unknown): boolean {
  return typeof key === 'string' && secretKey.test(key.toLowerCase().replace(/[^a-z0-9]/g, ''))
}

/** The password in an address, as it stands there. */
export function passwordOf(text: string): string | undefined {
  return text.includes('@') ? parseUrl(text)?.password || undefined : undefined
}

/** What an address lets in with: its password, or a user name that stands alone, as tokens do. */
function credentialOf(text: string): string | undefined {
  const url = text.includes('@') ? parseUrl(text) : undefined
  return url?.password || url?.username || undefined
}

/** An address without its password, or without a user name that stands alone; any other text as it is. */
export function redactUrl(text: string): string {
  if (credentialOf(text) === undefined) return text
  const url = new URL(text)
  if (url.password === '') url.username = 'redacted'
  else url.password = 'redacted'
  return url.href
}

const addresses = /[a-z][a-z0-9+.-]*:\/\/\S+/gi
const namedValues = /([A-Za-z][\w.-]*)(\s*[=:]\s*)(\S+)/g

/** Free text of a charge point without the secrets that can be told from other words: in addresses, and after the name of a secret key. */
export function redactText(text: string): string {
  return text
    .replaceAll(addresses, redactUrl)
    .replaceAll(namedValues, (all, name: string, sign: string) => (isSecretKey(name) ? name + sign + redacted : all))
}

/** What the charge point is sent and nobody else is told. */
export function secretsOf({ action, payload }: OcppCall): readonly string[] {
  const secrets: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') secrets.push(credentialOf(value) ?? '')
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part)
  }
  collect(payload)
  if (action === changeConfiguration.action && isSecretKey(payload.key)) secrets.push(String(payload.value))
  return secrets.filter((secret) => secret.length >= leastCharacters)
}

/** An answer without the values of secret keys, which some charge points tell, and without `sent`, which some repeat. */
export function withoutSecrets(payload: unknown, sent: readonly string[]): unknown {
  if (typeof payload === 'string') return withoutText(payload, sent)
  if (typeof payload !== 'object' || payload === null) return payload
  if (Array.isArray(payload)) return payload.map((entry) => withoutSecrets(entry, sent))
  // Its status says how the command ended, whatever the secret was.
  const entries = Object.entries(payload).map(([name, value]) => [
    name,
    name === 'status' ? value : withoutSecrets(value, sent),
  ])
  const shown: Record<string, unknown> = Object.fromEntries(entries)
  // As in an answer to GetConfiguration: { key, value }.
  if (isSecretKey(shown.key) && 'value' in shown) shown.value = redacted
  return shown
}

export function withoutText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, redacted), text)
}
