// Rows that nobody waits for: kept in memory for a while, the newest of each, and then written in one batch for each partition. What is noted
// often so costs the store little, and what is lost with the shard is as old as limits.notesWithinMs at most. Each partition has its own time
// within that, so that the notes of all are never written at once, before a commit that somebody waits for.

import type { Clock } from '../clock.js'
import { encodeRow } from '../codec.js'
import { limits } from '../limits.js'
import type { Change } from '../store/store.js'
import type { Key, Table } from '../store/table.js'
import { partitionCount } from './partition-table.js'

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
  /** By table and key. */
  readonly rows: Map<string, Note>
}

const keyOf = ({ table, row }: Note): Key => table.key(row as never)

/** Encoded only now: of a row that is noted often, all but the newest are never written. */
export const changeOf = (note: Note): Change => ({
  type: 'put',
  table: note.table.name,
  key: keyOf(note),
  row: encodeRow(note.row),
})

const nameOf = (table: Table<never>, key: Key): string => JSON.stringify([table.name, ...key])

export function createNotes(
  clock: Clock,
  commit: (partition: number, changes: readonly Change[]) => Promise<unknown>,
): Notes {
  const partitions = new Map<number, NotesOfPartition>()
  /** When the first of them are due, or were before they were forgotten. */
  let next: number | undefined

  /** The next of the times of this partition, which come every limits.notesWithinMs. */
  function dueAtOf(partition: number): number {
    const now = clock.monotonic()
    const offset = Math.floor((partition * limits.notesWithinMs) / partitionCount)
    const sinceLast = (now - offset) % limits.notesWithinMs
    return now + (sinceLast < 0 ? 0 : limits.notesWithinMs) - sinceLast
  }

  function notesOf(partition: number): NotesOfPartition {
    const known = partitions.get(partition)
    if (known !== undefined) return known
    const notes = { dueAt: dueAtOf(partition), rows: new Map<string, Note>() }
    partitions.set(partition, notes)
    next = Math.min(next ?? notes.dueAt, notes.dueAt)
    return notes
  }

  function write(partition: number, { rows }: NotesOfPartition): void {
    partitions.delete(partition)
    // Nobody is promised them.
    if (rows.size > 0) commit(partition, [...rows.values()].map(changeOf)).catch(() => undefined)
  }

  function lookForNext(): void {
    next = undefined
    for (const { dueAt } of partitions.values()) next = Math.min(next ?? dueAt, dueAt)
  }

  return {
    add(partition, note) {
      notesOf(partition).rows.set(nameOf(note.table, keyOf(note)), note)
    },
    forget(partition, table, key) {
      partitions.get(partition)?.rows.delete(nameOf(table, key))
    },
    writeDue() {
      const now = clock.monotonic()
      if (next === undefined || next > now) return
      for (const [partition, notes] of partitions) if (notes.dueAt <= now) write(partition, notes)
      lookForNext()
    },
    writeOf(leaving) {
      for (const [partition, notes] of partitions) if (leaving.has(partition)) write(partition, notes)
      lookForNext()
    },
    next: () => next,
  }
}
