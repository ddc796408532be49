// Mends the broken JSON that real chargers send, in one pass whose cost is that of the text's length.
// Never throws; what it cannot mend is left for JSON.parse to refuse.

import { limits } from './limits.js'

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const comma = 0x2c
const closingBrace = 0x7d
const closingBracket = 0x5d
const byteOrderMark = 0xfeff
const escapes = new Set([...'"\\/bfnrt'])
const literals = new Set(['true', 'false', 'null', 'e', 'E'])

/** A text as JSON, mended if it has to be; undefined where that does not help. */
export function parseRepaired(text: string): unknown {
  return parsed(text) ?? parsed(repairJson(text))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The text with these faults mended: a value left out (`"transactionId":,`) or unknown to JSON (`nan`) becomes null;
 * a comma before a closing bracket goes; an escape that JSON does not have keeps its backslash as text; control
 * characters are escaped in strings, and dropped outside, as is a byte order mark. Empty if nothing was there.
 */
export function repairJson(text: string): string {
  let mended = ''
  /** The last character outside strings that counts: what a bracket or comma follows. */
  let previous = 0
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code <= 0x20 || code === byteOrderMark) {
      index++
      continue
    }
    const closes = code === closingBrace || code === closingBracket
    if (previous === colon && (closes || code === comma)) mended += 'null'
    // A comma is written when something follows it that is not a closing bracket.
    if (previous === comma && !closes) mended += ','
    previous = code
    if (code === quote) {
      const end = endOfString(text, index)
      mended += repairString(text, index, end)
      index = end
    } else if (isLetter(code)) {
      const end = endOfWord(text, index)
      const word = text.slice(index, end)
      mended += literals.has(word) ? word : 'null'
      index = end
    } else {
      if (code !== comma) mended += text[index]
      index++
    }
  }
  return mended
}

/** The index after the closing quote, or the text's length. */
function endOfString(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) return index + 1
    index += code === backslash ? 2 : 1
  }
  return text.length
}

function repairString(text: string, start: number, end: number): string {
  let mended = ''
  let copied = start
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code === backslash) {
      const next = text[index + 1] ?? ''
      const known = escapes.has(next) || (next === 'u' && isHex(text, index + 2, Math.min(index + 6, end)))
      if (known) index++
      else {
        mended += `${text.slice(copied, index)}\\\\`
        copied = index + 1
      }
    } else if (code < 0x20) {
      mended += `${text.slice(copied, index)}\\u00${code.toString(16).padStart(2, '0')}`
      copied = index + 1
    }
  }
  return mended + text.slice(copied, end)
}

function isHex(text: string, start: number, end: number): boolean {
  if (end - start !== 4) return false
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index) | 0x20
    if (!((code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66))) return false
  }
  return true
}

function isLetter(code: number): boolean {
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x7a
}

function endOfWord(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && isLetter(text.charCodeAt(index))) index++
  return index
}

/** Whole pairs, and halves of one; an escaped backslash is taken with what follows it, so that it begins no other escape. */
const surrogates = /\\(?:u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)/gs

/** Of JSON: an escape that is half of a surrogate pair keeps its backslash as text, so that different texts stay different. */
export function repairSurrogates(text: string): string {
  return text.replace(surrogates, (written, half: string | undefined) => (half === undefined ? written : `\\\\${half}`))
}

const callWithTextId = new RegExp(`^\\uFEFF?\\s*\\[\\s*2\\s*,\\s*"([^"\\\\]{1,${limits.messageIdLength}})"`)
const callWithNumericId = /^\uFEFF?\s*\[\s*2\s*,\s*(-?\d{1,255})(?=[\s,\]])/

/** The message id of a CALL whose text is beyond mending, so that it can at least be refused. */
export function recoverMessageId(text: string): string | number | bigint | undefined {
  const id = callWithTextId.exec(text)?.[1]
  if (id !== undefined) return id
  const digits = callWithNumericId.exec(text)?.[1]
  if (digits === undefined) return undefined
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** A numeric message id as it stands in the text: JSON.parse has rounded it when it is above 2^53. */
export function recoverNumericId(parsed: number, text: string): number | bigint {
  if (Number.isSafeInteger(parsed)) return parsed
  const digits = callWithNumericId.exec(text)?.[1]
  return digits === undefined ? parsed : BigInt(digits)
}
