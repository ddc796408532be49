// Rows and log records as bytes: MessagePack, undefined fields left out. The only place that encodes or decodes them.

import { Decoder, Encoder } from '@msgpack/msgpack'

const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()
const forbiddenKey = '__proto__'

/** A field called `__proto__`, which JSON allows, is left out: no decoder gives it back. */
export function encodeRow(row: unknown): Uint8Array {
  const bytes = encoder.encode(row)
  if (Buffer.prototype.indexOf.call(bytes, forbiddenKey, 0, 'latin1') === -1) return bytes
  return encoder.encode(withoutForbiddenKeys(row))
}

/** The caller names the type of what it wrote: a table's rows are only ever written through that table. */
export function decodeRow<Row>(bytes: Uint8Array): Row {
  return decoder.decode(bytes) as Row
}

function withoutForbiddenKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutForbiddenKeys)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const kept = Object.entries(value).filter(([key]) => key !== forbiddenKey)
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutForbiddenKeys(held)]))
}
