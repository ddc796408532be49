// Whether what a browser sends here can be read on its way: then nobody should sign in, and the console says so instead of asking for a key.

export interface Visit {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** The hosts that browsers treat as safe without TLS (W3C, Secure Contexts, 3.1). */
const loopback = /^(?:(?:[^:]+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** `tls` says whether the listener speaks it. A proxy in front of it may do so in its place. */
export function isSecureEnough({ headers }: Visit, tls: boolean): boolean {
  if (tls || loopback.test(headers.host ?? '')) return true
  // Browsers send it to origins alone that they hold to be safe (W3C, Fetch Metadata, 2.1).
  if (headers['sec-fetch-site'] !== undefined) return true
  return lastOf(headers['x-forwarded-proto']) === 'https' || /\bproto="?https\b/i.test(lastOf(headers.forwarded))
}

function lastOf(list: string | undefined): string {
  return (list ?? '').split(',').at(-1)?.trim().toLowerCase() ?? ''
}
