// The header `Authorization: Token` (OCPI 2.2.1, 4.1.2): the base64 of the token. Older partners send the token as it is, and the standard's own
// samples encode a line feed with it, so that a header may mean one of several tokens.

import { Buffer } from 'node:buffer'

export type TokenEncoding = 'base64' | 'plain'

/** Longer than the base64 of any token of 64 characters, with room for white space in it. */
const longestHeader = 200
const scheme = /^token +(\S.*)$/i
const printable = /^[\x21-\x7e]{1,64}$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The tokens that a header may mean, the likeliest first; none if it is no header of OCPI. */
export function tokensOfHeader(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > longestHeader) return []
  const sent = scheme.exec(header.trim())?.[1]?.trimEnd()
  if (sent === undefined) return []
  const decoded = decode(sent)
  const candidates = [decoded?.trimEnd(), sent].filter((token) => token !== undefined && printable.test(token))
  return [...new Set(candidates)] as string[]
}

/** Undefined for what is not the base64 of a text; its padding may be missing. */
function decode(sent: string): string | undefined {
  if (!base64.test(sent)) return undefined
  const bytes = Buffer.from(sent, 'base64')
  const isExact = bytes.toString('base64').replace(/(?<!=)=+$/, '') === sent.replace(/(?<!=)=+$/, '')
  return isExact ? bytes.toString('utf8') : undefined
}

export function headerOfToken(token: string, encoding: TokenEncoding = 'base64'): string {
  return `Token ${encoding === 'base64' ? Buffer.from(token, 'utf8').toString('base64') : token}`
}
