// The counts of test/ratchets.json: how they are made, compared, lowered and written. It reads no files.

import type { Offence } from './tree.js'

/** Counts by folder, by the name of the measure. A folder without offences has no entry. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>

export const countsFile = 'test/ratchets.json'

interface Difference {
  readonly measure: string
  readonly room: string
  readonly allowed: number
  readonly found: number
}

function countRooms(offences: readonly Offence[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { room } of offences) counts[room] = (counts[room] ?? 0) + 1
  return counts
}

export function countOffences(found: ReadonlyMap<string, readonly Offence[]>): Counts {
  return Object.fromEntries([...found].map(([measure, offences]) => [measure, countRooms(offences)]))
}

/** The folders whose counts differ from the allowed ones. */
export function differences(allowed: Counts, found: Counts): Difference[] {
  return Object.keys({ ...allowed, ...found }).flatMap((measure) => {
    const [before, after] = [allowed[measure] ?? {}, found[measure] ?? {}]
    return Object.keys({ ...before, ...after })
      .map((room) => ({ measure, room, allowed: before[room] ?? 0, found: after[room] ?? 0 }))
      .filter(({ allowed, found }) => allowed !== found)
  })
}

/** The smaller of each two counts. A measure that has no counts yet begins with the counts found. */
export function lowered(allowed: Counts, found: Counts): Counts {
  return Object.fromEntries(
    Object.entries(found).map(([measure, rooms]) => {
      const limits = allowed[measure]
      if (limits === undefined) return [measure, rooms]
      const kept = Object.entries(limits).map(([room, limit]) => [room, Math.min(limit, rooms[room] ?? 0)] as const)
      return [measure, Object.fromEntries(kept)]
    }),
  )
}

const sum = (rooms: Readonly<Record<string, number>> = {}): number =>
  Object.values(rooms).reduce((total, count) => total + count, 0)

/** The measures that an edit of the file raises. A folder may take over counts that others lose: files move. */
export function raisedMeasures(before: Counts, after: Counts): string[] {
  return Object.keys({ ...before, ...after }).filter((measure) => sum(after[measure]) > sum(before[measure]))
}

/** The file's text: sorted, without zeros. */
export function countsText(counts: Counts): string {
  const sorted = Object.entries(counts).map(([measure, rooms]) => [
    measure,
    Object.fromEntries(
      Object.entries(rooms)
        .filter(([, count]) => count > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  ])
  return `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`
}
