// Finds secrets in text and bytes, in any form in which a program may have written them. It does not know where they may be.

import { createHash } from 'node:crypto'

export interface Secret {
  /** The kind of secret. */
  readonly name: string
  readonly text: string
}

export interface Needle extends Secret {
  readonly form: string
  readonly needle: string
}

/** A key's own prefix and its id may be seen by anybody: only what is random in it is looked for. */
const publicPart = /^(ak_[0-9A-Z]{26}_|gst_)/

/** The secret as it is, encoded, and inside of a longer text that was encoded. */
export function needlesOf({ name, text }: Secret): Needle[] {
  const core = text.replace(publicPart, '')
  const forms: [string, string][] = [
    ['plain', core],
    ['as JSON', JSON.stringify(core).slice(1, -1)],
    ['URL-encoded', encodeURIComponent(core)],
    ['hex', Buffer.from(core).toString('hex')],
    ['HEX', Buffer.from(core).toString('hex').toUpperCase()],
    ...bytesOf(core).flatMap((bytes): [string, string][] => {
      const inside = insideBase64(bytes)
      return [
        ['base64', inside],
        ['base64url', inside.replaceAll('+', '-').replaceAll('/', '_')],
      ]
    }),
  ]
  const needles = new Map(forms.map(([form, needle]) => [needle, { name, text, form, needle }] as const).reverse())
  return [...needles.values()]
}

interface Bytes {
  readonly bytes: Buffer
  /** Into a group of three, which become four characters. */
  readonly offset: number
}

/** The text, and the bytes that it spells in hex: a charge point may send its key as either. */
function bytesOf(text: string): Bytes[] {
  const spelled = /^([0-9a-f]{2})+$/i.test(text) ? [Buffer.from(text, 'hex')] : []
  return [Buffer.from(text), ...spelled].flatMap((bytes) => [0, 1, 2].map((offset) => ({ bytes, offset })))
}

/** What stays the same in base64 whatever stands before and after. */
function insideBase64({ bytes, offset }: Bytes): string {
  const within = Buffer.concat([Buffer.alloc(offset), bytes])
  return within.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((within.length * 8) / 6))
}

/** By which a secret is checked: nobody but the store has to have it. */
export function hashesOf({ name, text }: Secret): Needle[] {
  const hash = createHash('sha256').update(text).digest()
  return (['hex', 'base64', 'base64url'] as const).map((form) => ({
    name,
    text,
    form: `hash in ${form}`,
    needle: hash.toString(form),
  }))
}

export function findIn(haystack: string | Buffer, needles: readonly Needle[]): Needle[] {
  return needles.filter(({ needle }) => haystack.includes(needle))
}
