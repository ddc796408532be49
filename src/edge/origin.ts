// Whether an upgrade comes from a web page of somebody else. A browser lets every page connect to whatever its reader can reach, and says in
// Origin which page it was (RFC 6455, 10.2); a page could pass for a charge point that has no password. Libraries of charge points send an
// Origin, too: the address that they connect to, or a text that is no origin.

import { isIP } from 'node:net'
import { parseUrl } from '../runtime/parse-url.js'

export interface OriginOptions {
  /** Origins that may connect all the same; separated by commas. */
  readonly allowed: string | undefined
  /** The address that charge points use, where it is known. */
  readonly publicUrl: string | undefined
}

/** `host` is the header, '' when there is none, as for `origin`. */
export function isForeignPage(origin: string, host: string, { allowed, publicUrl }: OriginOptions): boolean {
  if (origin === '' || (origin !== 'null' && !origin.includes('://'))) return false
  const wanted = origin.toLowerCase()
  if (allowed?.split(',').some((one) => one.trim().replace(/\/$/, '').toLowerCase() === wanted)) return false
  const own = parseUrl(origin)?.host
  if (own === undefined || own === '') return true
  if (publicUrl !== undefined && own === parseUrl(publicUrl)?.host) return false
  // A name that a page is served under may be made to lead here; an address is what it is.
  return own !== host.toLowerCase() || !isAddress(own)
}

function isAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isIP(name) !== 0
}
