// Decimal numbers as text: what a sampled value should be, and what chargers make of it.

import { limits } from './limits.js'

/**
 * The decimal number that the text means, as JSON would write it, or undefined if it means none. Well-formed text is
 * given back as it is. Blanks, a comma for the point and a leading plus are understood; a comma together with a point
 * is not, since it could be either.
 */
export function readDecimal(text: string): string | undefined {
  if (isDecimal(text)) return text
  if (text.length > limits.decimalLength) return undefined
  const bare = text.replace(/[\s_]/g, '').replace(/^\+/, '')
  const pointed = bare.replace(',', '.')
  const led = pointed.replace(/^(-?)\./, '$10.').replace(/\.$/, '')
  return isDecimal(led) ? led : undefined
}

/** Digits with an optional sign, fraction and exponent. Run for every sampled value. */
function isDecimal(text: string): boolean {
  const length = text.length
  if (length > limits.decimalLength) return false
  let index = text.charCodeAt(0) === 0x2d ? 1 : 0
  let end = endOfDigits(text, index)
  if (end === index) return false
  if (end === length) return true
  if (text.charCodeAt(end) === 0x2e) {
    index = end + 1
    end = endOfDigits(text, index)
    if (end === index) return false
  }
  if (end === length) return true
  if ((text.charCodeAt(end) | 0x20) !== 0x65) return false
  index = end + 1
  const sign = text.charCodeAt(index)
  if (sign === 0x2b || sign === 0x2d) index++
  end = endOfDigits(text, index)
  return end > index && end === length && Number.isFinite(Number(text))
}

function endOfDigits(text: string, start: number): number {
  let index = start
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code < 0x30 || code > 0x39) return index
    index++
  }
  return index
}
