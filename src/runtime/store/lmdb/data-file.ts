// What lmdb takes for granted of its file: that it is one of its own, and whole. On a file that is not, it ends the process by a signal
// instead of throwing, so that this is looked at before it is opened. Layout: MDB_page and MDB_meta of lmdb's mdb.c, little-endian.

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { type DatabaseRoot, databaseRoot, findDamagedPage, noPage, type PageFile } from './page-tree.js'

const magic = 0xbeefc0de
const dataVersion = 2
const metaFlag = 0x08
const metaPages = 2
/** From the beginning of a page to the end of what is read of it. */
const metaBytes = 168
const leastPageBytes = 512
const mostPageBytes = 65_536
/** The file may end before the last pages, where a transaction has taken and freed them without writing them. */
const unwrittenPages = 64n

interface Meta {
  readonly pageBytes: number
  readonly transaction: bigint
  readonly lastPage: bigint
  /** The list of free pages, and the list of databases. */
  readonly roots: readonly [DatabaseRoot, DatabaseRoot]
}

/** Throws one clear line when the store's file at `path` is not one that lmdb can open; one that is absent is. */
export function refuseDamagedFile(path: string): void {
  if (!existsSync(path)) return
  const file = openSync(path, 'r')
  try {
    pagesOf(path, file)
  } finally {
    closeSync(file)
  }
}

/** The store is written while it is looked at: its pages are no longer those of one moment. */
export class WrittenMeanwhile extends Error {}

/** As `refuseDamagedFile`, and looks at the pages as well until it is `late`. Throws WrittenMeanwhile instead when it cannot know. */
export function refuseDamagedPages(path: string, late: () => boolean): void {
  const file = openSync(path, 'r')
  try {
    const before = pagesOf(path, file)
    const page = findDamagedPage(before, late)
    if (page === undefined) return
    // Of another machine or container, which no lock keeps apart from this one.
    if (pagesOf(path, file).transaction !== before.transaction)
      throw new WrittenMeanwhile(`another process writes ${path}`)
    throw damaged(path, `page ${page} is not what it has to be`)
  } finally {
    closeSync(file)
  }
}

function pagesOf(path: string, descriptor: number): PageFile {
  // The metas first: whoever writes meanwhile makes the file longer before it says so.
  const first = metaAt(descriptor, 0)
  if (first === undefined)
    throw damaged(path, fstatSync(descriptor).size === 0 ? 'it is empty' : 'its first page is not that of a store')
  const second = metaAt(descriptor, first.pageBytes)
  if (second === undefined || second.pageBytes !== first.pageBytes)
    throw damaged(path, `its page ${metaPages} is not that of a store`)
  const { lastPage, pageBytes, roots, transaction } = first.transaction > second.transaction ? first : second
  const present = Math.floor(fstatSync(descriptor).size / pageBytes)
  const isLost = roots.some(({ page }) => page !== noPage && page >= BigInt(present))
  if (isLost || lastPage >= BigInt(present) + unwrittenPages)
    throw damaged(path, `it ends after ${present} pages, and has had ${lastPage + 1n}`)
  return { descriptor, pageBytes, pages: Number(lastPage) + 1, present, roots, transaction }
}

function damaged(path: string, why: string): Error {
  return new Error(`the file ${path} is damaged, or not a store: ${why}. Restore a backup`)
}

/** Undefined where there is none. */
function metaAt(file: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(metaBytes)
  if (readSync(file, bytes, 0, metaBytes, position) < metaBytes) return undefined
  const pageBytes = bytes.readUInt32LE(48)
  const isMeta =
    (bytes.readUInt16LE(18) & metaFlag) !== 0 &&
    bytes.readUInt32LE(24) === magic &&
    (bytes.readUInt32LE(28) & 0xffff) === dataVersion
  const isPageSize = pageBytes >= leastPageBytes && pageBytes <= mostPageBytes && (pageBytes & (pageBytes - 1)) === 0
  if (!isMeta || !isPageSize) return undefined
  return {
    pageBytes,
    transaction: bytes.readBigUInt64LE(152),
    lastPage: bytes.readBigUInt64LE(144),
    roots: [databaseRoot(bytes, 48), databaseRoot(bytes, 96)],
  }
}
