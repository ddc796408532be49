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

/** The alphabet of ULIDs: Crockford's base 32. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** Of the random part of an id: so many characters count the ids of one millisecond; the others follow from what the id is given to. */
const countLength = 6
const countEnd = 32 ** countLength

/** Where an id stands among those of its maker. */
export interface IdPlace {
  /** Ms. */
  readonly time: number
  readonly timeText: string
  /** Within the millisecond. */
  readonly count: number
}

/** In the characters of a ULID, five bits each; `value` has 30 at most. */
function encodeBits(value: number, length: number): string {
  let text = ''
  for (let left = value; text.length < length; left >>>= 5) text = alphabet.charAt(left & 31) + text
  return text
}

/** Of any id, also of one whose random part is all chance. */
export function placeOfId(id: string): IdPlace {
  const text = id.slice(id.indexOf('_') + 1)
  const time = decodeTime(text)
  const counted = text.slice(TIME_LEN, TIME_LEN + countLength)
  return {
    time,
    timeText: text.slice(0, TIME_LEN),
    count: [...counted].reduce((sum, character) => sum * 32 + alphabet.indexOf(character), 0),
  }
}

/** The place behind `before`, or the first: at the time `at` (ms), or at that of `before` where it is later. */
export function placeAfter(before: IdPlace | undefined, at: number): IdPlace {
  if (before === undefined || at > before.time) return { time: at, timeText: encodeTime(at, TIME_LEN), count: 0 }
  const count = before.count + 1
  // Full is only a millisecond that a clock which was ahead has left behind for long.
  return count < countEnd
    ? { time: before.time, timeText: before.timeText, count }
    : placeAfter(before, before.time + 1)
}

/** FNV-1a over bytes, 30 bits of it, and how many they are: ten characters. */
function fingerprint(bytes: Uint8Array): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < bytes.length; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return encodeBits(hash >>> 2, 6) + encodeBits(bytes.length, 4)
}

/** An id that follows from its place and from `content`, so that stores which have parted do not give one id to different things. */
export function idAt(prefix: string, { timeText, count }: IdPlace, content: Uint8Array): string {
  return `${prefix}_${timeText}${encodeBits(count, countLength)}${fingerprint(content)}`
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
