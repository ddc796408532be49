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

// How MessagePack writes `id: ''` as the first of fewer than 16 fields, behind the byte that counts them.
const emptyId = Buffer.from([0xa2, 0x69, 0x64, 0xa0])
const shortMap = 0x80
const shortText = 0xa0

/** An encoded row whose first field is an empty `id`, with this one (ASCII, shorter than 32) in its place; undefined for any other row. */
export function withFirstId(row: Uint8Array, id: string): Uint8Array | undefined {
  const [fields = 0] = row
  const isEmpty = (fields & 0xf0) === shortMap && Buffer.compare(row.subarray(1, 1 + emptyId.length), emptyId) === 0
  if (!isEmpty || id.length >= 32) return undefined
  const bytes = Buffer.allocUnsafe(row.length + id.length)
  bytes.set(row.subarray(0, emptyId.length))
  bytes[emptyId.length] = shortText | id.length
  bytes.write(id, emptyId.length + 1, 'latin1')
  bytes.set(row.subarray(emptyId.length + 1), emptyId.length + 1 + id.length)
  return bytes
}

function withoutForbiddenKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutForbiddenKeys)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  const kept = Object.entries(value).filter(([key]) => key !== forbiddenKey)
  return Object.fromEntries(kept.map(([key, held]) => [key, withoutForbiddenKeys(held)]))
}
