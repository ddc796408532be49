// What people are shown of an exchange with a partner: headers and bodies without tokens, and of a length that fits a page. Pure. What has been
// through here may come through again.

import { Buffer } from 'node:buffer'
import { limits } from './limits.js'

const hidden = '(hidden)'
const cut = '... (cut)'
const secretHeaders = new Set(['authorization', 'cookie', 'set-cookie', 'x-api-key', 'proxy-authorization'])

export function shownHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    secretHeaders.has(name.toLowerCase()) ? hidden : shownLine(value),
  ])
  return Object.fromEntries(shown)
}

/** In a shorter one than that, what is hidden could be words. */
const shortestHidden = 8

/** Hides the token that a call was made with, in either encoding: there are partners that repeat in an answer what they were sent. */
export function hiderOf(token: string): (text: string) => string {
  if (token.length < shortestHidden) return (text) => text
  const encoded = Buffer.from(token)
    .toString('base64')
    .replace(/(?<!=)=+$/, '')
  return (text) => text.replaceAll(encoded, hidden).replaceAll(token, hidden)
}

export function shownLine(text: string): string {
  return shortened(text, limits.ocpiShownLineCharacters)
}

/**
 * The token of credentials (7.3) is a text; that of a session or of a command is an object, and no secret. It is looked for in the text, because a
 * body need not be JSON, nor be whole.
 */
const tokenText = /("token"\s*:\s*")(?:[^"\\]|\\.)*("?)/gi

export function shownBody(body: string): string {
  // Cut before, too: the search takes no longer than what is shown.
  const start = body.slice(0, 2 * limits.ocpiShownCharacters)
  return shortened(start.replace(tokenText, `$1${hidden}$2`), limits.ocpiShownCharacters)
}

function shortened(text: string, most: number): string {
  if (text.length <= most || (text.endsWith(cut) && text.length <= most + cut.length)) return text
  return `${text.slice(0, most)}${cut}`
}
