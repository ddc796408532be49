// How much of the disk the records of one organization's commands may take: so much an hour, and more at once. When half of it is used up,
// records keep little of parameters and answers; when all of it is, commands are refused. The actor stays in memory until it has grown back;
// the death of its shard fills it up.

import type { CommandRecord } from '../../records/command.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { boundedFields, boundedJson } from '../../runtime/bounded-json.js'
import { fullBucket, secondsUntil, type TokenBucket, takeTokens, tokensIn } from '../../runtime/token-bucket.js'
import { limits } from './limits.js'

export interface RecordRoom {
  readonly bytes: TokenBucket
  /** A timer will look whether it has grown back. */
  isWatched: boolean
}

const rate = { perSecond: limits.recordedBytesPerHour / 3_600, burst: limits.recordedBytesAtOnce }

export function fullRoom(context: Context): RecordRoom {
  return { bytes: fullBucket(rate, context.monotonic()), isWatched: false }
}

/** Whether one more command can be recorded. */
export function hasRoom({ bytes }: RecordRoom, context: Context): boolean {
  return tokensIn(bytes.fullAt, rate, context.monotonic()) >= limits.recordBytes + 2 * limits.briefCharacters
}

/** The record as there is room for it. */
export function fitted({ bytes }: RecordRoom, record: CommandRecord, context: Context): CommandRecord {
  const now = context.monotonic()
  const left = tokensIn(bytes.fullAt, rate, now)
  const kept = left * 2 >= rate.burst ? record : brief(record)
  const { parameters = {}, charge_point_response = null, late_response = null } = kept
  const characters = JSON.stringify([parameters, charge_point_response, late_response]).length
  takeTokens(bytes, rate, now, Math.min(left, limits.recordBytes + characters))
  return kept
}

function brief(record: CommandRecord): CommandRecord {
  const { parameters, charge_point_response, late_response } = record
  return {
    ...record,
    ...(parameters !== undefined && { parameters: boundedFields(parameters, limits.briefCharacters) }),
    charge_point_response: boundedJson(charge_point_response, limits.briefCharacters),
    ...(late_response !== undefined && { late_response: boundedJson(late_response, limits.briefCharacters) }),
  }
}

/** Looks again when it has grown back, where so much has been taken that a fresh one would be more. */
export function watchRoom(room: RecordRoom, context: Context): readonly Effect[] {
  const seconds = secondsUntil(room.bytes, rate, context.monotonic(), rate.burst)
  if (room.isWatched || seconds * rate.perSecond < limits.unwatchedBytes) return []
  room.isWatched = true
  return [effect.schedule('record-room', context.monotonic() + seconds * 1_000, { type: 'record-room' })]
}

export function lookAtRoom(room: RecordRoom, context: Context): readonly Effect[] {
  room.isWatched = false
  return watchRoom(room, context)
}
