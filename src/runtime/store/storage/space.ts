// What a disk that fills up still takes: the ladder from its free space to which rows are thinned and which are refused,
// so that transactions are the last that it has no room for. It measures nothing: the owner of the store tells it.

import { limits } from '../../limits.js'
import type { ChangeBatch } from '../store.js'
import type { Importance } from '../table.js'
import type { Tables } from './byte-store.js'

/** 0 ample; 1 low: series are thinned; 2 ordinary batches are refused too; 3 all but those of transactions are. */
export type SpaceLevel = 0 | 1 | 2 | 3

export interface Space {
  readonly level: SpaceLevel
  /** What is low on this disk; undefined until it was noted. */
  readonly lowBytes: number | undefined
  /** `bytes` are free, and `lowBytes` are few; returns the level that follows. */
  note(bytes: number, lowBytes: number): SpaceLevel
  /** Whether a batch may be tried; one that only removes always may. */
  admits(batch: ChangeBatch): boolean
  /** Batches refused for want of space, and rows thinned, since the start. */
  readonly refused: number
  readonly thinned: number
  /** Counts rows that were stored in part or not at all. */
  countThinned(rows: number): void
}

/** Shares of what is low. */
const rungs: readonly { readonly level: SpaceLevel; readonly share: number }[] = [
  { level: 3, share: 1 / 16 },
  { level: 2, share: 1 / 4 },
  { level: 1, share: 1 },
]
/** A rung is left only well above where it was reached, so that the level does not flutter. */
const leaveAt = 1.25

const weights: Readonly<Record<Importance, number>> = { ordinary: 1, operation: 2, transaction: 3 }

/** What is low on a disk of this size, where nobody has said it. */
export function lowBytesOf(totalBytes: number): number {
  return Math.min(limits.lowSpaceBytes, totalBytes * limits.lowSpaceShare)
}

export function createSpace(tables: Tables): Space {
  const weightOf = new Map(tables.map(({ name, importance = 'ordinary' }) => [name, weights[importance]]))
  let level: SpaceLevel = 0
  let low: number | undefined
  let refused = 0
  let thinned = 0
  return {
    get level() {
      return level
    },
    get lowBytes() {
      return low
    },
    get refused() {
      return refused
    },
    get thinned() {
      return thinned
    },
    note(bytes, lowBytes) {
      low = lowBytes
      const reached = (rung: (typeof rungs)[number]) =>
        bytes < lowBytes * rung.share * (level >= rung.level ? leaveAt : 1)
      level = rungs.find(reached)?.level ?? 0
      return level
    },
    admits({ changes }) {
      if (level < 2) return true
      const puts = changes.filter(({ type }) => type === 'put')
      const admitted = puts.length === 0 || puts.some(({ table }) => (weightOf.get(table) ?? weights.ordinary) >= level)
      if (!admitted) refused++
      return admitted
    },
    countThinned(rows) {
      thinned += rows
    },
  }
}
