// JSON pointers (RFC 6901) into the payload of a message.

export type Single = string | number | boolean | null

/** Undefined where there is nothing. */
export function valueAt(payload: unknown, path: string): unknown {
  let found = payload
  for (const part of path.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    found = Object.hasOwn(found, name) ? (found as Readonly<Record<string, unknown>>)[name] : undefined
  }
  return found
}

export function isSingle(value: unknown): value is Single {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
