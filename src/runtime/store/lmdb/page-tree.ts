// Whether the pages of a store's file lead to each other as lmdb takes for granted: it follows them without looking, and ends the process
// by a signal where they lead out of the file or of a page. What rows say is not looked at; a bit that has changed in one is not found.
// Only for a file that nobody writes meanwhile. Layout: MDB_page, MDB_node and MDB_db of lmdb's mdb.c, little-endian.

import { readSync } from 'node:fs'

const headerBytes = 24
const nodeBytes = 8
const branchPage = 0x01
const leafPage = 0x02
const overflowPage = 0x04
const onOverflowPages = 0x01
const isDatabase = 0x02
const databaseBytes = 48
const firstPage = 2
export const noPage = 0xffff_ffff_ffff_ffffn
/** Pages after which the time is looked at. */
const pagesPerLook = 64

/** MDB_db: where a database begins, and how many levels it has. */
export interface DatabaseRoot {
  readonly page: bigint
  readonly depth: number
}

export interface PageFile {
  readonly descriptor: number
  readonly pageBytes: number
  /** The newest. */
  readonly transaction: bigint
  /** Pages that have been in use, and those that the file has. */
  readonly pages: number
  readonly present: number
  /** The list of free pages, and the list of databases. */
  readonly roots: readonly [DatabaseRoot, DatabaseRoot]
}

/** A page that is to be looked at, and what has to be there. */
interface Awaited {
  readonly page: number
  /** Levels from here to the leaves, this one included. */
  readonly levels: number
  readonly leaves: Leaves
}

/** What its leaves hold: lists of free pages, databases by name, or rows. */
type Leaves = 'free' | 'names' | 'rows'

export function databaseRoot(bytes: Buffer, at: number): DatabaseRoot {
  return { depth: bytes.readUInt16LE(at + 6), page: bytes.readBigUInt64LE(at + 40) }
}

/** The number of a page that is not what it has to be; undefined where there is none, or none was found before `late`. */
export function findDamagedPage(file: PageFile, late: () => boolean): number | undefined {
  const { descriptor, pageBytes, pages, present, roots, transaction } = file
  const seen = new Uint8Array(Math.ceil(pages / 8))
  const page = Buffer.alloc(pageBytes)
  // What leads to others comes before what does not: in little time most is found by these.
  let level: Awaited[] = []

  /** No page is part of two things. */
  function takes(first: number, count: number): boolean {
    if (first < firstPage || count < 1 || first + count > pages) return false
    for (let number = first; number < first + count; number++) {
      const bit = 1 << (number & 7)
      if (((seen[number >> 3] ?? 0) & bit) !== 0) return false
      seen[number >> 3] = (seen[number >> 3] ?? 0) | bit
    }
    return true
  }

  function begin({ page: number, depth }: DatabaseRoot, leaves: Leaves): boolean {
    if (number === noPage) return true
    if (number >= BigInt(pages) || depth < 1 || !takes(Number(number), 1)) return false
    level.push({ page: Number(number), levels: depth, leaves })
    return true
  }

  function read(number: number): boolean {
    return number < present && readSync(descriptor, page, 0, pageBytes, number * pageBytes) === pageBytes
  }

  /** One of a later transaction would be taken for one that may be changed where it is. */
  function isPage(bytes: Buffer, number: number, kind: number): boolean {
    return (
      bytes.readBigUInt64LE(0) === BigInt(number) &&
      bytes.readBigUInt64LE(8) <= transaction &&
      bytes.readUInt16LE(18) === kind
    )
  }

  function isBefore(node: number, next: number, leaves: Leaves): boolean {
    const [bytes, nextBytes] = [page.readUInt16LE(node + 6), page.readUInt16LE(next + 6)]
    const [key, nextKey] = [node + nodeBytes, next + nodeBytes]
    if (leaves !== 'free') return page.compare(page, nextKey, nextKey + nextBytes, key, key + bytes) < 0
    return bytes === 8 && nextBytes === 8 && page.readBigUInt64LE(key) < page.readBigUInt64LE(nextKey)
  }

  /** Where its nodes begin, in the order of their keys; undefined where this is no such page. */
  function nodesOf({ page: number, levels, leaves }: Awaited): readonly number[] | undefined {
    const kind = levels === 1 ? leafPage : branchPage
    if (!isPage(page, number, kind)) return undefined
    const lower = page.readUInt16LE(20)
    const upper = page.readUInt16LE(22)
    if (lower % 2 !== 0 || lower > upper || headerBytes + upper > pageBytes || lower === 0) return undefined
    const nodes: number[] = []
    for (let at = headerBytes; at < headerBytes + lower; at += 2) {
      const node = headerBytes + page.readUInt16LE(at)
      if (node < headerBytes + upper || node + nodeBytes > pageBytes) return undefined
      if (node + nodeBytes + page.readUInt16LE(node + 6) > pageBytes) return undefined
      const previous = nodes.at(-1)
      // The first key of a branch is not read.
      const isCompared = previous !== undefined && (levels === 1 || nodes.length > 1)
      if (node % 2 !== 0 || (isCompared && !isBefore(previous, node, leaves))) return undefined
      nodes.push(node)
    }
    return nodes
  }

  /** The beginning of what is on these pages; undefined where they are not such pages. */
  function overflowOf(first: number, count: number, bytes: number): Buffer | undefined {
    if (!takes(first, count) || first + count > present) return undefined
    const found = Buffer.alloc(headerBytes + bytes)
    readSync(descriptor, found, 0, found.length, first * pageBytes)
    const isWhole = isPage(found, first, overflowPage) && found.readUInt32LE(20) === count
    return isWhole ? found.subarray(headerBytes) : undefined
  }

  /** Their count, and then pages; a negative number says how many there are from the next one on. */
  function isFreeList(list: Buffer): boolean {
    if (list.length < 8) return false
    const count = list.readBigUInt64LE(0)
    if (count > BigInt(list.length / 8 - 1)) return false
    let length = 1n
    for (let at = 8; at <= Number(count) * 8; at += 8) {
      const entry = list.readBigInt64LE(at)
      if (entry > 0n && (entry < BigInt(firstPage) || entry + length > BigInt(pages))) return false
      length = entry < 0n ? -entry : 1n
    }
    return true
  }

  function isDatabaseAt(data: number, bytes: number): boolean {
    return bytes === databaseBytes && begin(databaseRoot(page, data), 'rows')
  }

  function isLeafNode(node: number, leaves: Leaves): boolean {
    const bytes = page.readUInt32LE(node)
    const flags = page.readUInt16LE(node + 4)
    const data = node + nodeBytes + page.readUInt16LE(node + 6)
    if (flags === onOverflowPages && leaves !== 'names') {
      if (data + 24 > pageBytes) return false
      // A value that has become smaller keeps its pages.
      const count = Number(page.readBigUInt64LE(data + 16))
      if (count * pageBytes < headerBytes + bytes) return false
      const found = overflowOf(Number(page.readBigUInt64LE(data)), count, leaves === 'free' ? bytes : 0)
      return found !== undefined && (leaves !== 'free' || isFreeList(found))
    }
    if (data + bytes > pageBytes) return false
    // Another program's file has rows beside its databases.
    if (flags !== 0) return leaves === 'names' && flags === isDatabase && isDatabaseAt(data, bytes)
    return leaves !== 'free' || isFreeList(page.subarray(data, data + bytes))
  }

  function isWhole(awaited: Awaited): boolean {
    const { page: number, levels, leaves } = awaited
    const nodes = read(number) ? nodesOf(awaited) : undefined
    if (nodes === undefined) return false
    if (levels === 1) return nodes.every((node) => isLeafNode(node, leaves))
    return nodes.every((node) => {
      const child = page.readUInt32LE(node) + page.readUInt16LE(node + 4) * 2 ** 32
      if (!takes(child, 1)) return false
      level.push({ page: child, levels: levels - 1, leaves })
      return true
    })
  }

  if (!begin(roots[0], 'free')) return Number(roots[0].page)
  if (!begin(roots[1], 'names')) return Number(roots[1].page)
  let looked = 0
  while (level.length > 0) {
    const now = level.sort((one, other) => other.levels - one.levels || one.page - other.page)
    level = []
    for (const awaited of now) {
      if (!isWhole(awaited)) return awaited.page
      if (++looked % pagesPerLook === 0 && late()) return undefined
    }
  }
  return undefined
}
