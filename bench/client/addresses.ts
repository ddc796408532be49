// Either address of a server will do: that of its API, or that under which charge points connect.

/** `http://host` and `ws://host/ocpp16` both give `ws://host/ocpp16`; a path that is given is kept. Undefined for other texts. */
export function endpointOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^(?:ws|http)s?:$/.test(url.protocol)) return undefined
  if (url.protocol.startsWith('ws')) return text
  const path = url.pathname === '/' ? '/ocpp16' : url.pathname
  return `${url.protocol.replace('http', 'ws')}//${url.host}${path}`
}

/** The API's address, without a slash at its end: of `ws://host/ocpp16` it is `http://host`. Undefined for other texts. */
export function apiOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^(?:ws|http)s?:$/.test(url.protocol)) return undefined
  if (url.protocol.startsWith('ws')) return `${url.protocol.replace('ws', 'http')}//${url.host}`
  return text.replace(/\/+$/, '')
}
