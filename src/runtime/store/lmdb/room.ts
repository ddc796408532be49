// Room in the data file: whether a transaction is sure to fit before it is committed, and the reserve that is allocated
// ahead while the disk still has it. lmdb 3.5.6 must not meet a full disk: on a write that fails it formats a message of
// more than 100 characters into 100 bytes (mdb_page_flush), which ends the process sooner or later.

import { closeSync, fstatSync, openSync, statfsSync, writeSync } from 'node:fs'
import { limits } from '../../limits.js'
import { lowBytesOf, type Space } from '../storage/space.js'

/** The disk has no room that is sure to do for a transaction. */
export class NoRoom extends Error {}

/** What a transaction has written so far. */
export interface Written {
  operations: number
  bytes: number
}

export interface Room {
  /** Throws NoRoom unless everything that the transaction can dirty fits, on the disk or into the reserve. */
  require(written: Written): void
  /** Brings the reserve up, if the disk gets short and still has the space. */
  reserve(): void
  close(): void
}

const pageBytes = 4_096
/** For the ways to the rows and for the list of free pages. */
const pagesOfTransaction = 64
/** A row dirties the page that it is in, and splits it at times. */
const pagesOfOperation = 2
const pieceBytes = 1_048_576

/** `lastPage` gives the number of the last page that the store uses. */
export function roomIn(path: string, lastPage: () => number, space: Space | undefined): Room {
  const file = openSync(`${path}/data.mdb`, 'r+')
  const zeros = Buffer.alloc(pieceBytes)
  const usedBytes = (): number => (lastPage() + 1) * pageBytes
  const reservedBytes = (): number => fstatSync(file).size - usedBytes()

  function disk(): { readonly freeBytes: number; readonly lowBytes: number } {
    const { bavail, bsize, blocks } = statfsSync(path)
    return { freeBytes: bavail * bsize, lowBytes: space?.lowBytes ?? lowBytesOf(blocks * bsize) }
  }

  return {
    require({ operations, bytes }) {
      const pages = pagesOfTransaction + pagesOfOperation * operations
      const mostNeeded = pages * pageBytes + 2 * bytes
      const { freeBytes, lowBytes } = disk()
      // Others write to the disk as well: half of what is low is more than they fill while a commit lasts.
      const spareBytes = freeBytes - lowBytes / 2
      if (spareBytes >= mostNeeded) return
      // However many rows change, there are not more pages than the file has, and those of what is new.
      const needed = Math.min(mostNeeded, 2 * usedBytes() + pages * 64 + 4 * bytes)
      if (spareBytes >= needed || reservedBytes() >= needed) return
      throw new NoRoom(`the disk of ${path} is full: make room on it`)
    },
    close: () => closeSync(file),
    reserve() {
      const { freeBytes, lowBytes } = disk()
      if (freeBytes >= 2 * lowBytes) return
      const wanted = Math.min(limits.spaceReserveBytes, lowBytes / 4) - reservedBytes()
      try {
        for (let missing = wanted; missing > 0; missing -= pieceBytes)
          writeSync(
            file,
            zeros,
            0,
            Math.min(pieceBytes, Math.ceil(missing / pageBytes) * pageBytes),
            fstatSync(file).size,
          )
      } catch (error) {
        // What could be had is had.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
  }
}
