// A byte store in memory: sorted keys and a map of values per database, with an undo list per transaction.

import type { ByteReader, ByteTransaction } from './byte-store.js'
import type { ByteRange } from './key-bytes.js'

// Keys are kept as text of one character per byte, which JavaScript compares as the bytes compare.
interface Rows {
  readonly keys: string[]
  readonly values: Map<string, Uint8Array>
}

/** What a store in memory keeps; a store opened again on it finds everything that was flushed. */
export type MemoryDisk = Map<string, Rows>

export function memoryDisk(): MemoryDisk {
  return new Map()
}

function textOf(key: Uint8Array): string {
  // Nearly every key is a Buffer already, and to make one costs as much as the text.
  const bytes = Buffer.isBuffer(key) ? key : Buffer.from(key.buffer, key.byteOffset, key.byteLength)
  return bytes.toString('latin1')
}

/** The first position whose key is not below `key`. */
function positionOf(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

function rowsOf(disk: MemoryDisk, database: string): Rows {
  let rows = disk.get(database)
  if (rows === undefined) {
    rows = { keys: [], values: new Map() }
    disk.set(database, rows)
  }
  return rows
}

function keysIn({ keys }: Rows, { start, end, reverse, offset, limit }: ByteRange): string[] {
  const from = positionOf(keys, textOf(start))
  const last = textOf(end)
  // Of a few keys from the start on, none is behind the end in most lists: the end need not be sought.
  if (!reverse && limit !== undefined && from + offset + limit <= keys.length) {
    const some = keys.slice(from + offset, from + offset + limit)
    if (some.length === 0 || (some.at(-1) as string) < last) return some
  }
  const to = Math.max(from, positionOf(keys, last))
  const count = Math.min(limit ?? keys.length, Math.max(0, to - from - offset))
  if (!reverse) return keys.slice(from + offset, from + offset + count)
  return keys.slice(to - offset - count, to - offset).reverse()
}

export function memoryReader(disk: MemoryDisk): ByteReader {
  return {
    get: (database, key) => rowsOf(disk, database).values.get(textOf(key)),
    has: (database, key) => rowsOf(disk, database).values.has(textOf(key)),
    values(database, range) {
      const rows = rowsOf(disk, database)
      return keysIn(rows, range).map((key) => rows.values.get(key) as Uint8Array)
    },
    keys: (database, range) => keysIn(rowsOf(disk, database), range).map((key) => Buffer.from(key, 'latin1')),
    count: (database, { start, end }) => {
      const { keys } = rowsOf(disk, database)
      return Math.max(0, positionOf(keys, textOf(end)) - positionOf(keys, textOf(start)))
    },
  }
}

function set({ keys, values }: Rows, key: string, value: Uint8Array | undefined): void {
  const position = positionOf(keys, key)
  const known = values.has(key)
  if (value === undefined) {
    if (known) keys.splice(position, 1)
    values.delete(key)
    return
  }
  if (!known) keys.splice(position, 0, key)
  values.set(key, value)
}

interface Undo {
  readonly rows: Rows
  readonly key: string
  readonly before: Uint8Array | undefined
}

export type MemoryTransactions = <Result>(work: (transaction: ByteTransaction) => Result) => Result

/** Runs `work`, one at a time; when it throws, everything it changed is as before. */
export function memoryTransactions(disk: MemoryDisk): MemoryTransactions {
  const undo: Undo[] = []
  const change = (database: string, key: string, value: Uint8Array | undefined) => {
    const rows = rowsOf(disk, database)
    undo.push({ rows, key, before: rows.values.get(key) })
    set(rows, key, value)
  }
  const transaction: ByteTransaction = {
    ...memoryReader(disk),
    put: (database, key, value) => change(database, textOf(key), value),
    remove: (database, key) => change(database, textOf(key), undefined),
    clear: (database) => {
      for (const key of [...rowsOf(disk, database).keys]) change(database, key, undefined)
    },
  }
  return (work) => {
    undo.length = 0
    try {
      return work(transaction)
    } catch (error) {
      for (const { rows, key, before } of undo.reverse()) set(rows, key, before)
      throw error
    }
  }
}
