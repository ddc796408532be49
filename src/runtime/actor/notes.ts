// Rows that nobody waits for: kept in memory for a while, the newest of each, and then written in one batch for each partition. What is noted
// often so costs the store little, and what is lost with the shard is as old as limits.notesWithinMs at most.

import type { Clock } from '../clock.js'
import { encodeRow } from '../codec.js'
import { limits } from '../limits.js'
import type { Change } from '../store/store.js'
import type { Key, Table } from '../store/table.js'

export interface Note {
  readonly table: Table<never>
  readonly row: unknown
}

export interface Notes {
  add(partition: number, note: Note): void
  /** A row that goes must not come back by a note that was made before. */
  forget(partition: number, table: Table<never>, key: Key): void
  /** Writes the notes of partitions that have waited long enough. */
  writeDue(): void
  /** Writes those of partitions that another owner is to have. */
  writeOf(partitions: ReadonlySet<number>): void
  /** When the next are due, monotonic ms. */
  next(): number | undefined
}

interface NotesOfPartition {
  readonly dueAt: number
  readonly changes: Map<string, Change>
}

const nameOf = (table: Table<never>, key: Key): string => JSON.stringify([table.name, ...key])

export function createNotes(
  clock: Clock,
  commit: (partition: number, changes: readonly Change[]) => Promise<unknown>,
): Notes {
  /** In the order in which they are due. */
  const partitions = new Map<number, NotesOfPartition>()

  function notesOf(partition: number): NotesOfPartition {
    const known = partitions.get(partition)
    if (known !== undefined) return known
    const notes = { dueAt: clock.monotonic() + limits.notesWithinMs, changes: new Map<string, Change>() }
    partitions.set(partition, notes)
    return notes
  }

  function write(partition: number, { changes }: NotesOfPartition): void {
    partitions.delete(partition)
    // Nobody is promised them.
    if (changes.size > 0) commit(partition, [...changes.values()]).catch(() => undefined)
  }

  return {
    add(partition, { table, row }) {
      const key = table.key(row as never)
      const change: Change = { type: 'put', table: table.name, key, row: encodeRow(row) }
      notesOf(partition).changes.set(nameOf(table, key), change)
    },
    forget(partition, table, key) {
      partitions.get(partition)?.changes.delete(nameOf(table, key))
    },
    writeDue() {
      const now = clock.monotonic()
      for (const [partition, notes] of partitions) {
        if (notes.dueAt > now) return
        write(partition, notes)
      }
    },
    writeOf(leaving) {
      for (const [partition, notes] of partitions) if (leaving.has(partition)) write(partition, notes)
    },
    next() {
      const [first] = partitions.values()
      return first?.dueAt
    },
  }
}
