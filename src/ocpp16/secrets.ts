// What of a command and its answer is a secret: the values of some configuration keys, and passwords in addresses. It stands in
// no record, neither as sent nor as a charge point tells or repeats it.

import { parseUrl } from '../runtime/parse-url.js'
import type { OcppCall } from './call.js'
import { changeConfiguration } from './schemas/change-configuration.js'

/** AuthorizationKey (OCPP 1.6 security white paper), and what makers call the credentials of other systems. */
const secretKey = new RegExp(
  [
    'passwor[dt]|passwd|passphrase|pwd|^pw\\d*$|(?<!by|com)pass\\d*$|secret|psk\\d*$|token$|connectionstring$|credentials?$|puk\\d*$',
    '^(proxy)?authorization$|^(set)?cookie$|^pin$',
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

const address = /^\s*[a-z][a-z0-9+.-]*:\/\//i
const queryValues = /([?&]([\w.~%-]+)=)([^&#\s"'<>]+)/g
/** With what stores of files sign addresses that let in whoever has them. */
const signingKey = /^(sig|key|auth)$|signature$/i

const isSecretQuery = (name: string): boolean => signingKey.test(name) || isSecretKey(name)

/** The values in the query of an address that let somebody in: tokens, and signatures as stores of files make them. */
function querySecretsOf(text: string): readonly string[] {
  if (!text.includes('?') || !address.test(text)) return []
  return [...text.matchAll(queryValues)].flatMap(([, , name = '', value = '']) => (isSecretQuery(name) ? [value] : []))
}

/** An address without its password, or without a user name that stands alone, and without what its query lets in with; any other text as it is. */
export function redactUrl(text: string): string {
  const shown = querySecretsOf(text).length === 0 ? text : withoutQuerySecrets(text)
  if (credentialOf(shown) === undefined) return shown
  const url = new URL(shown)
  if (url.password === '') url.username = 'redacted'
  else url.password = 'redacted'
  return url.href
}

function withoutQuerySecrets(text: string): string {
  return text.replaceAll(queryValues, (all, head: string, name: string) =>
    isSecretQuery(name) ? `${head}redacted` : all,
  )
}

// Each begins where a word begins, so that a long word is read once, and not once from each of its letters: a charge point chooses the text.
const addresses = /(?<![a-z0-9+.-])([0-9+.-]*)([a-z][a-z0-9+.-]*:\/\/\S+)/gi
/** A name, and the sign that says that its value follows; in JSON, which may be a text within a text, and in XML as well. */
const names = /(?<![\w.-])([\w.-]+)(?:\\*["']?\s*[=:>;|]|\\*["']\s*,(?=\s*\\*["']))\s*/g
/** What follows: a text in quotes, a structure, or a word, also behind the scheme of a header. What `redactUrl` has left out is gone already. */
const valueAfterName =
  /(?!redacted(?:[&#\s]|$))(?:(\\*")[^"]*|(\\*')[^']*|[[{][\s\S]*|(?:(?:basic|bearer|digest|token)\s+)?\S+)/iy
/** A name that is a value itself, as in `"name":"AuthorizationKey","val":"..."`; and the field that then holds the secret. */
const nameAsValue = /[=:>]\s*\\*["']?([\w.-]+)/g
const valueFieldInText = /(?<![a-z])(?:val(?:ue)?s?|v|contents?|data|text|string)\\*["']?\s*[=:>]/i

/** What lets in by itself, without a name, as the header of a request has it. */
const bearer = /(?<!\w)(bearer\s+)[\w.~+/=-]{8,}/gi
/** The name that OCPP gives a password, with a word behind it that is no part of a sentence. */
const passwordBeside = /authorizationkey\s+(?=\S*\d)\S{8,}/i

/** In the place of a text in which nothing tells where the secret is. */
export const heldBack = (text: string): string => `(${text.length} characters that may hold a secret)`

/** Free text of a charge point without the secrets that can be told from other words: in addresses, and after the name of a secret key. */
export function redactText(text: string): string {
  const open = text.replaceAll(addresses, (_all, before: string, address: string) => before + redactUrl(address))
  if (valueFieldInText.test(open) && [...open.matchAll(nameAsValue)].some(([, name]) => isSecretKey(name)))
    return heldBack(text)
  if (passwordBeside.test(open)) return heldBack(text)
  return withoutNamedValues(open).replaceAll(bearer, `$1${redacted}`)
}

function withoutNamedValues(text: string): string {
  const shown: string[] = []
  let from = 0
  names.lastIndex = 0
  for (let name = names.exec(text); name !== null; name = names.exec(text)) {
    if (!isSecretKey(name[1])) continue
    const begin = names.lastIndex
    valueAfterName.lastIndex = begin
    const value = valueAfterName.exec(text)
    if (value === null) continue
    shown.push(text.slice(from, begin), value[1] ?? value[2] ?? '', redacted)
    from = valueAfterName.lastIndex
    names.lastIndex = from
  }
  return from === 0 ? text : shown.join('') + text.slice(from)
}

/** What the charge point is sent and nobody else is told. */
export function secretsOf({ action, payload }: OcppCall): readonly string[] {
  const secrets: string[] = []
  const collect = (value: unknown): void => {
    if (typeof value === 'string') secrets.push(credentialOf(value) ?? '', ...querySecretsOf(value))
    else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part)
  }
  collect(payload)
  if (action === changeConfiguration.action && isSecretKey(payload.key)) secrets.push(String(payload.value))
  return secrets.filter((secret) => secret.length >= leastCharacters)
}

export function withoutText(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, redacted), text)
}
