// Identifiers: a prefix and a ULID, so that they sort by the time of their creation.

import { decodeTime, encodeTime, monotonicFactory, TIME_LEN, TIME_MAX, ulid } from 'ulid'
import { assert } from './assert.js'
import type { Clock } from './clock.js'

/** `prefix` without its underscore; `now` in ms; `random` gives numbers in [0, 1). */
export function makeId(prefix: string, now: number, random: () => number): string {
  return `${prefix}_${encodeTime(now, TIME_LEN)}${ulid(undefined, random).slice(TIME_LEN)}`
}

/** The smallest id of a prefix that could have been made at or after `time` (ms): a bound for index ranges. */
export function lowestIdAt(prefix: string, time: number): string {
  // Not ulid(): it takes the time 0 for none given, and puts the present in its place.
  return `${prefix}_${encodeTime(Math.min(TIME_MAX, Math.max(0, time)), TIME_LEN)}${'0'.repeat(16)}`
}

/** When an id was made, in ms. */
export function timeOfId(id: string): number {
  return decodeTime(id.slice(id.indexOf('_') + 1))
}

/** FNV-1a over UTF-16 code units, 32 bits. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i)
    hash = Math.imul(hash, 0x01000193)
  }
  return hash >>> 0
}

/**
 * Ids of one maker grow strictly, also within a millisecond and when the clock goes back: they sort as they were made.
 * They follow `after`, the newest id of an earlier maker: the clock may have gone back in between.
 */
export function createIdMaker(
  clock: Pick<Clock, 'now'>,
  random: () => number,
  after?: string,
): (prefix: string) => string {
  const next = monotonicFactory(random)
  if (after !== undefined) next(timeOfId(after) + 1)
  let newest = ''
  return (prefix) => {
    const id = next(clock.now())
    assert(id > newest, 'ids grow', id, newest)
    newest = id
    return `${prefix}_${id}`
  }
}
