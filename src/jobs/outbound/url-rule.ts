// Which URLs that others chose may be called, as far as the text tells: scheme, port, host. What a name resolves to is resolver.ts's.

import { isIP } from 'node:net'
import { parseUrl } from '../../runtime/parse-url.js'
import { isPublicAddress } from './addresses.js'
import { limits } from './limits.js'

export interface UrlRule {
  /** A laboratory: http as well as https, and private and loopback addresses. */
  readonly allowInsecure: boolean
}

/** Names of the own machine or network: RFC 6761, 6762, 8375, and what ICANN keeps for private use. */
const ownNames = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa'] as const

const lowestOpenPort = 1024
// What a parser of URLs drops or repairs: another parser may read another host out of it.
const repaired = /[\p{Cc}\p{Cf}\p{Z}\\]/u

/** Why `url` must not be called, in words for who chose it; undefined when nothing speaks against it. */
export function checkUrl(url: string, { allowInsecure }: UrlRule): string | undefined {
  if (url.length > limits.outboundUrlCharacters)
    return `the URL is longer than ${limits.outboundUrlCharacters} characters`
  if (repaired.test(url)) return 'the URL has characters that do not belong into one'
  const parsed = /^https?:\/\/[^/?#]/i.test(url) ? parseUrl(url) : undefined
  if (parsed === undefined) return 'it is not a URL that begins with https:// and a host'
  const { protocol, username, password, port, hostname } = parsed
  if (protocol !== 'https:' && !allowInsecure) return 'the URL must begin with https://'
  if (username !== '' || password !== '') return 'the URL must not carry a user name or password'
  const openPort = port === '' || Number(port) >= lowestOpenPort || port === '443'
  if (!openPort) return `port ${port} is not allowed: 443, or ${lowestOpenPort} and above`
  return allowInsecure ? undefined : checkHost(hostname)
}

/** `hostname` as the URL parser gives it: every spelling of an IPv4 address is dotted decimal by then, and letters are small. */
function checkHost(hostname: string): string | undefined {
  const bare = hostOf(hostname)
  if (isIP(bare) !== 0) return isPublicAddress(bare) ? undefined : `the address ${bare} is not public`
  const name = bare.replace(/\.+$/, '')
  const own = ownNames.some((end) => name === end || name.endsWith(`.${end}`))
  return own || !name.includes('.') ? `the host ${hostname} is not public` : undefined
}

/** A host without the brackets of IPv6. */
export function hostOf(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
}
