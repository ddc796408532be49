// Sees every row that reaches the simulated disk, as bytes, and reads them with a MessagePack decoder of its own.
// Knows tables by the names that they have on disk, and rows by the fields that the contract names.

import { Decoder } from '@msgpack/msgpack'
import type { SimulatedDisk } from '../store.js'

export type Row = Readonly<Record<string, unknown>>

export interface RowChange {
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export interface DiskWatch {
  /** What has changed in a table since it was last asked, oldest first; a change that was undone is none. */
  changes(table: string): RowChange[]
  rows(table: string): Iterable<Row>
}

const decoder = new Decoder()

/** Keys in the order of their last change, with what they held before it. */
class WatchedRows extends Map<string, Uint8Array> {
  readonly touched = new Set<string>()
  override set(key: string, value: Uint8Array): this {
    this.touched.add(key)
    return super.set(key, value)
  }
  override delete(key: string): boolean {
    this.touched.add(key)
    return super.delete(key)
  }
}

export function watchDisk(disk: SimulatedDisk, tables: readonly string[]): DiskWatch {
  const watched = new Map<string, { readonly rows: WatchedRows; readonly known: Map<string, [Uint8Array, Row]> }>()
  for (const table of tables) {
    const rows = new WatchedRows()
    disk.rows.set(`table:${table}`, { keys: [], values: rows })
    watched.set(table, { rows, known: new Map() })
  }
  return {
    changes(table) {
      const { rows, known } = watched.get(table) as NonNullable<ReturnType<typeof watched.get>>
      const changes: RowChange[] = []
      for (const key of rows.touched) {
        const bytes = rows.get(key)
        const before = known.get(key)
        if (bytes === before?.[0]) continue
        const after = bytes === undefined ? undefined : (decoder.decode(bytes) as Row)
        if (bytes === undefined || after === undefined) known.delete(key)
        else known.set(key, [bytes, after])
        changes.push({ before: before?.[1], after })
      }
      rows.touched.clear()
      return changes
    },
    *rows(table) {
      for (const [, row] of watched.get(table)?.known.values() ?? []) yield row
    },
  }
}
