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
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const inside = insideBase64(core, offset)
      return [
        ['base64', inside],
        ['base64url', inside.replaceAll('+', '-').replaceAll('/', '_')],
      ]
    }),
  ]
  const needles = new Map(forms.map(([form, needle]) => [needle, { name, text, form, needle }] as const).reverse())
  return [...needles.values()]
}

/** What stays the same in base64 whatever stands before and after, `offset` bytes into a group of three. */
function insideBase64(text: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
  const first = Math.ceil((offset * 8) / 6)
  return bytes.toString('base64').slice(first, Math.floor((bytes.length * 8) / 6))
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
