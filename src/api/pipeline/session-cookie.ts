// The cookie of the console. The prefix of its name keeps others from setting it: browsers take it only over TLS (or from the machine itself),
// for the whole host, and from no other one (RFC 6265bis, 4.1.3.2). It counts for requests of the service's own pages alone.

import type { RequestHead } from './message.js'

export const sessionCookieName = '__Host-ampshard'

/** What a page sends with each request that may change something: a form, a link or an image of another page cannot. */
export const pageHeader = { name: 'x-ampshard', value: 'console' } as const

/** The session that a page is of. Somebody else may have signed in since, in another tab of the same browser: what the page asks is not asked for them. */
export const sessionHeader = 'x-ampshard-session'

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** In a laboratory (`--console-insecure`), over plain http: browsers take no other one there. Only sessions that were made there have it. */
export const plainCookieName = 'ampshard'

export interface PresentedCookie {
  readonly text: string
  readonly isPlain: boolean
}

/** Undefined where there is none, and where there are two of a name, of which one could be somebody else's. */
export function sessionCookieOf(cookies: string | undefined): PresentedCookie | undefined {
  if (cookies === undefined || cookies === '') return undefined
  const text = cookieNamed(cookies, sessionCookieName)
  if (text !== undefined) return { text, isPlain: false }
  const plain = cookieNamed(cookies, plainCookieName)
  return plain === undefined ? undefined : { text: plain, isPlain: true }
}

function cookieNamed(cookies: string, wanted: string): string | undefined {
  const own = cookies.split(';').flatMap((cookie) => {
    const [name = '', value = '', ...more] = cookie.trim().split('=')
    return name === wanted && more.length === 0 ? [value] : []
  })
  return own.length === 1 && own[0] !== '' ? own[0] : undefined
}

/** Whether the request was made by a page of this very service, as its browser says. */
export function isOfOwnPage({ method, headers }: Pick<RequestHead, 'method' | 'headers'>): boolean {
  if (!safeMethods.has(method) && headers[pageHeader.name] !== pageHeader.value) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  return origin !== undefined && host !== undefined && origin.replace(/^https?:\/\//, '') === host
}

/**
 * The same over plain http, where browsers do not say it, and send no Origin with what only reads: the cookie itself comes with requests of this site
 * alone (SameSite), and no other page gets to see an answer.
 */
export function mayBeOfOwnPage(request: Pick<RequestHead, 'method' | 'headers'>): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  return isOfOwnPage(request) || (site === undefined && origin === undefined && safeMethods.has(request.method))
}

/** Set-Cookie, for so many seconds; an empty value and 0 remove it. */
export function setCookie(value: string, seconds: number, isPlain = false): string {
  const name = isPlain ? plainCookieName : sessionCookieName
  return `${name}=${value}; Max-Age=${seconds}; Path=/;${isPlain ? '' : ' Secure;'} HttpOnly; SameSite=Strict`
}
