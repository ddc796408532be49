// A frame as it may be kept: whole, but for secrets. Unlike a sample (sample-frame.ts), it says who charges: it is shown to those alone who may
// read messages. A frame that cannot hold a secret costs a look at its text; it stays as it was sent, byte for byte. Of one that may, and has more in it
// than any message of OCPP, its length is shown in the place of its content: nobody makes others wait while it is searched.

import { hasMoreValues } from '../runtime/nesting.js'
import { readFrame } from './frame.js'
import { headAtBegin } from './frame-head.js'
import { parseRepaired } from './frame-repair.js'
import { limits } from './limits.js'
import { isListOfNames, isNamedBefore, secretFieldsOf } from './secret-places.js'
import { heldBack, redacted, redactText, secretsOf, withoutText } from './secrets.js'

/**
 * Words without which nothing in a frame is taken for a secret: those of `isSecretKey`, what begins a private key, the sign of an address, and an
 * escape, which hides a word. Most frames have none of them, so each begins with a letter that is rare there: a look at a frame of a thousand
 * characters takes a microsecond, and several times that where any other letter is first.
 */
const suspicious =
  /@|\\u|k(?:ey|(?<=tok)en|(?<=p[su]k))|p(?:ass|wd|w\b|in(?![a-z]))|z(?<=authoriz)ation|c(?:r(?:et(?<=secret)|edential)|onnection|ookie)|h(?<=[^"]auth)|[?&](?:auth|[\w.~%-]*sig(?:nature)?)=|b(?:egin|earer) /i
const privateKeyText = /-----BEGIN [A-Z ]*PRIVATE KEY-----/
/** Deeper than any message of OCPP; what is deeper is left out. */
const deepest = 32
const leftOut = '...'

/**
 * `sent`: secrets that the charge point was sent lately, which some repeat in their answers. `maySearch` is asked of a frame that may hold a secret; one
 * that is not searched is masked whole.
 */
export function maskFrame(text: string, sent: readonly string[] = [], maySearch = () => true): string {
  if (!suspicious.test(text) && !repeats(text, sent)) return text
  const masking = begun(sent)
  if (hasMoreValues(text, limits.maskedValues) || !maySearch())
    return JSON.stringify(masked(withoutContent(text), masking, 0))
  const frame = parseRepaired(text)
  if (frame === undefined) return unreadable(text, sent)
  const shown = masked(frame, masking, 0)
  return masking.found ? JSON.stringify(shown) : text
}

/** What it begins with, and how long it is. */
function withoutContent(text: string): unknown {
  const head = headAtBegin(text)
  if (head === undefined) return heldBack(text)
  const { messageId } = head
  if (head.type === 'call') return [2, messageId, head.action, heldBack(text)]
  return head.type === 'result' ? [3, messageId, heldBack(text)] : [4, messageId, '', heldBack(text)]
}

/** Whether one may be in it; a character of it may be written as an escape. */
function repeats(text: string, sent: readonly string[]): boolean {
  return sent.length > 0 && (text.includes('\\') || sent.some((secret) => text.includes(secret)))
}

export interface KeptFrame {
  readonly text: string
  /** There was more of it. */
  readonly cut: boolean
}

/** As much of a frame as is kept of one, in whole characters. */
export function keptFrame(text: string): KeptFrame {
  const most = limits.keptFrameBytes
  // A character takes three bytes at most.
  if (text.length * 3 <= most || Buffer.byteLength(text) <= most) return { text, cut: false }
  const bytes = Buffer.allocUnsafe(most)
  return { text: bytes.toString('utf8', 0, bytes.write(text)), cut: true }
}

/** The secrets that a call of ours tells the charge point. */
export function secretsIn(text: string): readonly string[] {
  if (!suspicious.test(text)) return []
  const frame = readFrame(text)
  if (frame.type !== 'call' || typeof frame.payload !== 'object' || frame.payload === null) return []
  return secretsOf({ action: frame.action, payload: frame.payload as Readonly<Record<string, unknown>> })
}

interface Masking {
  readonly sent: readonly string[]
  /** How many more signs are looked at, in all texts together. */
  readonly left: { signs: number }
  found: boolean
}

const begun = (sent: readonly string[]): Masking => ({
  sent,
  left: { signs: limits.maskedSigns },
  found: false,
})

/** What is no JSON may hold anything: it is shown where no word in it speaks of a secret. */
function unreadable(text: string, sent: readonly string[]): string {
  return suspicious.test(text) || repeats(text, sent) ? hiddenText(text) : text
}

const hiddenText = (text: string): string =>
  `(${text.length} characters that cannot be read, and that may hold a secret)`

/** The value itself, which is nobody else's, with what is secret replaced in its objects: to make large objects anew costs more than to read them. */
function masked(value: unknown, masking: Masking, depth: number): unknown {
  if (typeof value === 'string') return maskedText(value, masking, depth)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= deepest) {
    masking.found = true
    return leftOut
  }
  const hidden = (part: unknown): unknown => {
    if (part === null || part === '') return part
    masking.found = true
    return redacted
  }
  if (Array.isArray(value)) {
    // The id of a message is chosen by chance, and names nothing.
    const first = depth === 0 && typeof value[0] === 'number' ? 3 : 1
    return value.map((item, at) =>
      at >= first && isNamedBefore(value, at) ? hidden(item) : masked(item, masking, depth + 1),
    )
  }
  const fields = value as Record<string, unknown>
  const isSecret = secretFieldsOf(fields)
  const names = Object.keys(fields)
  const shownOf = (name: string, part: unknown): unknown => {
    if (isSecret(name)) return hidden(part)
    return depth === 1 && isListOfNames(name, part) ? maskedNames(part, masking) : masked(part, masking, depth + 1)
  }
  for (const name of names) {
    const part = fields[name]
    const shown = shownOf(name, part)
    if (shown !== part) fields[name] = shown
  }
  const shownNames = names.map((name) => maskedText(name, masking, depth))
  if (shownNames.every((name, at) => name === names[at])) return fields
  return Object.fromEntries(names.map((name, at) => [shownNames[at], fields[name]]))
}

const maskedNames = (names: readonly unknown[], masking: Masking): readonly unknown[] =>
  names.map((name) => masked(name, masking, 2))

function maskedText(text: string, masking: Masking, depth: number): string {
  const shown = withoutText(insideOf(text, masking, depth), masking.sent)
  if (shown !== text) masking.found = true
  return shown
}

/** A text without the secrets in it: in addresses, in JSON, after the name of a secret key, or as a private key. */
export function maskText(text: string): string {
  return insideOf(text, begun([]), 0)
}

/** What looks like JSON, wherever in the text it begins, and however often it was put into a text. */
const structured = /[{[]\s*\\*["'[{]|["']\s*:/

/** Signs without one of which a text is neither JSON nor an address, and no value follows a name in it. Most names and values have none. */
const telling = /[:=>"'[{;|]|-----BEGIN |(?:bearer|authorizationkey)\s/i

const signs = /[:=>;|]/g

/** After each of which a value may follow a name; counts no further than one address beyond `most`. */
function signsIn(text: string, most: number): number {
  let found = 0
  signs.lastIndex = 0
  while (found <= most && signs.test(text)) found += text.startsWith('//', signs.lastIndex) ? limits.signsOfAddress : 1
  return found
}

/** Vendors put JSON into texts, as into the data of a DataTransfer; some cut it, and then nothing tells where in it a secret stands. */
function insideOf(text: string, masking: Masking, depth: number): string {
  if (!telling.test(text)) return text
  if (privateKeyText.test(text)) return redacted
  masking.left.signs -= signsIn(text, masking.left.signs)
  if (masking.left.signs < 0) return heldBack(text)
  if (/^\s*[[{"]/.test(text)) {
    if (hasMoreValues(text, limits.maskedValues)) return heldBack(text)
    try {
      const inner = { ...masking, found: false }
      const shown = masked(JSON.parse(text), inner, depth + 1)
      return inner.found ? JSON.stringify(shown) : text
    } catch {
      // It is no JSON after all.
    }
  }
  return structured.test(text) && suspicious.test(text) ? hiddenText(text) : redactText(text)
}
