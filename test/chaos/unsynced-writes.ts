// What a power cut leaves of the data file: the writes since the last completed sync are undone, all of them or a random
// part, by the journal that shims/disk.c keeps. To be called between the end of a service and the next start.

import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../bench/client/random.js'

interface Write {
  readonly type: 'write'
  readonly offset: number
  readonly length: number
  readonly sizeBefore: number
  readonly replaced: Buffer
}

/** The part of the file that a synchronous write has made durable, whatever else is lost. */
interface Durable {
  readonly type: 'durable'
  readonly offset: number
  readonly bytes: Buffer
}

const headerBytes = 40
/** What a disk writes whole or not at all. */
const sectorBytes = 512

/** Returns how many writes were under way, or done without a sync. */
export function losePower(data: string, journal: string, random: Random, keeps: 'nothing' | 'some sectors'): number {
  const file = join(data, 'data.mdb')
  const entries = readJournal(journal)
  const writes = entries.filter((entry) => entry.type === 'write')
  const latest = readFileSync(file)
  const descriptor = openSync(file, 'r+')
  for (const { offset, sizeBefore, replaced } of writes.toReversed()) {
    ftruncateSync(descriptor, sizeBefore)
    writeSync(descriptor, replaced, 0, replaced.length, offset)
  }
  for (const entry of entries)
    if (entry.type === 'durable') writeSync(descriptor, entry.bytes, 0, entry.bytes.length, entry.offset)
  if (keeps === 'some sectors') {
    const share = random()
    for (const { offset, length } of writes) {
      for (let at = offset; at < Math.min(offset + length, latest.length); ) {
        const end = Math.min(offset + length, latest.length, (Math.floor(at / sectorBytes) + 1) * sectorBytes)
        if (random() < share) writeSync(descriptor, latest, at, end - at, at)
        at = end
      }
    }
  }
  closeSync(descriptor)
  truncateSync(journal, 0)
  // Locks and readers live in memory: a machine that starts has none.
  rmSync(join(data, 'lock.mdb'), { force: true })
  return writes.length
}

/** Whole entries only: what the last one is about had not begun when it was cut short. */
function readJournal(journal: string): (Write | Durable)[] {
  if (!existsSync(journal)) return []
  const bytes = readFileSync(journal)
  const entries: (Write | Durable)[] = []
  for (let at = 0; at + headerBytes <= bytes.length; ) {
    const [offset, length, sizeBefore, count] = [8, 16, 24, 32].map((field) =>
      Number(bytes.readBigUInt64LE(at + field)),
    )
    const start = at + headerBytes
    const following = bytes.subarray(start, start + (count as number))
    if (following.length < (count as number)) break
    entries.push(
      bytes.readUInt32LE(at) === 1
        ? {
            type: 'write',
            offset: offset as number,
            length: length as number,
            sizeBefore: sizeBefore as number,
            replaced: following,
          }
        : { type: 'durable', offset: offset as number, bytes: following },
    )
    at = start + (count as number)
  }
  return entries
}
