// Rows and log records as bytes: MessagePack, undefined fields left out. The only place that encodes or decodes them.

import { Decoder, Encoder } from '@msgpack/msgpack'

const encoder = new Encoder({ ignoreUndefined: true })
const decoder = new Decoder()

export function encodeRow(row: unknown): Uint8Array {
  return encoder.encode(row)
}

/** The caller names the type of what it wrote: a table's rows are only ever written through that table. */
export function decodeRow<Row>(bytes: Uint8Array): Row {
  return decoder.decode(bytes) as Row
}
