// Keys as bytes that sort as the keys do, part by part: numbers before strings, numbers by value, strings by code point.
// Every part ends where it says it ends, so the bytes of a prefix of a key are a prefix of the key's bytes.

import { limits } from '../../limits.js'
import type { ListQuery } from '../store.js'
import type { Key, KeyPart } from '../table.js'

// Tags rise in the order in which parts sort. The end of a group sorts before any part, so that a group never
// contains the entries of a longer one.
const GROUP_END = 0x01
const NUMBER = 0x10
const STRING = 0x20
// Inside a string the two lowest code units are escaped, which leaves 0 free to end it.
const STRING_END = 0x00
const ESCAPE = 0x01
/** Above every tag: appended to a prefix it gives the end of what begins with that prefix. */
const AFTER_ALL = 0xff

// A code unit takes three bytes at most, a number nine: a part is refused before it could pass the end.
const scratch = Buffer.allocUnsafe(limits.keyBytes + 16)

/** A key that cannot be stored: too long, or with a part that has no order. */
export class InvalidKeyError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InvalidKeyError'
  }
}

function room(position: number): void {
  if (position > limits.keyBytes) throw new InvalidKeyError(`a key is longer than ${limits.keyBytes} bytes`)
}

function writeNumber(value: number, start: number): number {
  if (Number.isNaN(value)) throw new InvalidKeyError('a key part is not a number')
  scratch[start] = NUMBER
  // `+ 0` turns -0 into 0: they are one key.
  scratch.writeDoubleBE(value + 0, start + 1)
  if (value < 0) for (let i = start + 1; i < start + 9; i++) scratch[i] = (scratch[i] as number) ^ 0xff
  else scratch[start + 1] = (scratch[start + 1] as number) ^ 0x80
  return start + 9
}

// UTF-8, and the same three bytes for a lone surrogate, so that no two different strings become one key.
function writeString(value: string, start: number): number {
  let at = start
  scratch[at++] = STRING
  for (let i = 0; i < value.length; i++) {
    room(at)
    let code = value.charCodeAt(i)
    if (code >= 0xd800 && code < 0xdc00) {
      const low = value.charCodeAt(i + 1)
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
        i++
      }
    }
    if (code <= ESCAPE) {
      scratch[at++] = ESCAPE
      scratch[at++] = code + 1
    } else if (code < 0x80) {
      scratch[at++] = code
    } else if (code < 0x800) {
      scratch[at++] = 0xc0 | (code >> 6)
      scratch[at++] = 0x80 | (code & 0x3f)
    } else if (code < 0x10000) {
      scratch[at++] = 0xe0 | (code >> 12)
      scratch[at++] = 0x80 | ((code >> 6) & 0x3f)
      scratch[at++] = 0x80 | (code & 0x3f)
    } else {
      scratch[at++] = 0xf0 | (code >> 18)
      scratch[at++] = 0x80 | ((code >> 12) & 0x3f)
      scratch[at++] = 0x80 | ((code >> 6) & 0x3f)
      scratch[at++] = 0x80 | (code & 0x3f)
    }
  }
  scratch[at++] = STRING_END
  return at
}

function writeParts(parts: readonly KeyPart[], start: number): number {
  let at = start
  for (const part of parts) {
    room(at)
    at = typeof part === 'number' ? writeNumber(part, at) : writeString(part, at)
  }
  room(at)
  return at
}

function copyOfScratch(length: number): Buffer {
  return Buffer.from(scratch.subarray(0, length))
}

/** A primary key; throws InvalidKeyError when it is empty, too long, or has NaN in it. */
export function encodeKey(key: Key): Buffer {
  if (key.length === 0) throw new InvalidKeyError('a key has no parts')
  return copyOfScratch(writeParts(key, 0))
}

/** The key of an index entry: the group, its end, the order, and the primary key that is already bytes. */
export function encodeEntry(group: Key, order: Key, primaryKey: Uint8Array): Buffer {
  const end = writeParts(order, writeGroup(group))
  room(end + primaryKey.length)
  scratch.set(primaryKey, end)
  return copyOfScratch(end + primaryKey.length)
}

function writeGroup(group: Key): number {
  const end = writeParts(group, 0)
  scratch[end] = GROUP_END
  return end + 1
}

/** What a list reads: keys from `start` (inclusive) to `end` (exclusive), in bytes. */
export interface ByteRange {
  readonly start: Buffer
  readonly end: Buffer
  readonly reverse: boolean
  readonly offset: number
  readonly limit: number | undefined
}

function rangeAfter(prefixLength: number, query: ListQuery): ByteRange {
  const start = copyOfScratch(writeParts(query.from ?? [], prefixLength))
  let endLength = writeParts(query.to ?? [], prefixLength)
  if (query.to === undefined || query.to.length === 0) scratch[endLength++] = AFTER_ALL
  return {
    // An empty start would mean "no bound" to some engines, which is right, and an error to others.
    start: start.length === 0 ? Buffer.of(0) : start,
    end: copyOfScratch(endLength),
    reverse: query.reverse ?? false,
    offset: Math.max(0, Math.trunc(query.offset ?? 0)),
    limit: query.limit === undefined ? undefined : Math.max(0, Math.trunc(query.limit)),
  }
}

/** Keys that begin with `prefix`, within the query's bounds; the bounds are prefixes of what follows `prefix`. */
export function prefixRange(prefix: Key, query: ListQuery = {}): ByteRange {
  return rangeAfter(writeParts(prefix, 0), query)
}

/** Entries of exactly this group, within the query's bounds; the bounds are prefixes of order and primary key. */
export function groupRange(group: Key, query: ListQuery = {}): ByteRange {
  return rangeAfter(writeGroup(group), query)
}
