// A WOFF font as a plain sfnt (TrueType) font: its tables inflated once. pdfkit reads both, but inflates a WOFF's tables again for every glyph.

import { inflateSync } from 'node:zlib'

const headerBytes = 44
const entryBytes = 20
const sfntHeaderBytes = 12
const sfntEntryBytes = 16

/** WOFF 1.0, sections 3 to 5. */
export function sfntOfWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const directory = Buffer.alloc(sfntHeaderBytes + sfntEntryBytes * count)
  const levels = Math.floor(Math.log2(count))
  const searchRange = sfntEntryBytes * 2 ** levels
  directory.writeUInt32BE(woff.readUInt32BE(4), 0)
  directory.writeUInt16BE(count, 4)
  directory.writeUInt16BE(searchRange, 6)
  directory.writeUInt16BE(levels, 8)
  directory.writeUInt16BE(sfntEntryBytes * count - searchRange, 10)
  const parts = [directory]
  let offset = directory.length
  for (let table = 0; table < count; table++) {
    const from = headerBytes + entryBytes * table
    const stored = woff.readUInt32BE(from + 4)
    const storedLength = woff.readUInt32BE(from + 8)
    const length = woff.readUInt32BE(from + 12)
    const bytes = woff.subarray(stored, stored + storedLength)
    const data = storedLength < length ? inflateSync(bytes) : bytes
    const to = sfntHeaderBytes + sfntEntryBytes * table
    directory.writeUInt32BE(woff.readUInt32BE(from), to)
    directory.writeUInt32BE(woff.readUInt32BE(from + 16), to + 4)
    directory.writeUInt32BE(offset, to + 8)
    directory.writeUInt32BE(length, to + 12)
    const padding = (4 - (length % 4)) % 4
    parts.push(Buffer.from(data), Buffer.alloc(padding))
    offset += length + padding
  }
  return Buffer.concat(parts)
}
