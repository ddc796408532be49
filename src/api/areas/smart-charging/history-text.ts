// A history as the JSON that is sent, written from the rows as they are stored: a year of it has 35,000 points.

import { type PowerRollUp, rollUpsOfSubject, valuesOfBucket } from '../../../records/power-roll-up.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Period } from './period.js'
import {
  createWordWriter,
  put,
  putInteger,
  putThousandths,
  type Words,
  type WordWriter,
  wordsOf,
  written,
} from './word-writer.js'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const dateCharacters = 'yyyy-mm-dd'.length
/** The names, a timestamp, and four numbers of 25 characters, which is the longest that a number gets. */
const mostBytesOfPoint = 240

const comma = wordsOf(',')
const budgetName = wordsOf('"budget_kw":')
const allocatedName = wordsOf('"allocated_kw":')
const drawnName = wordsOf(',"drawn_kw":')
const activeName = wordsOf(',"active_chargers":')
const pointEnd = wordsOf('}')
const end = wordsOf(']}')

export interface HistoryText {
  /** The fields before the bucket and the points. */
  readonly about: Readonly<Record<string, string>>
  readonly period: Period
  /** Of one subject, in the order of the table. */
  readonly rows: readonly PowerRollUp[]
  readonly hasBudget: boolean
}

export function historyText({ about, period, rows, hasBudget }: HistoryText): Uint8Array {
  const merged = rollUpsOfSubject(rows)
  const points = merged.reduce((sum, { values }) => sum + values.length / valuesOfBucket, 0)
  const first = `${JSON.stringify({ ...about, bucket: period.bucket }).slice(0, -1)},"points":[`
  const writer = createWordWriter(first, points * mostBytesOfPoint)
  const times = timesOfDay(period.minutes)
  let isFirst = true
  for (const row of merged) isFirst = writeRow(writer, row, { period, times, hasBudget, isFirst })
  put(writer, end)
  return written(writer)
}

/** What follows the date in the timestamp of each bucket of a day. */
function timesOfDay(minutes: number): readonly Words[] {
  return Array.from({ length: dayMs / minuteMs / minutes }, (_, at) =>
    wordsOf(`${formatTimestamp(at * minutes * minuteMs).slice(dateCharacters)}",`),
  )
}

interface Writing {
  readonly period: Period
  readonly times: readonly Words[]
  readonly hasBudget: boolean
  /** Nothing stands before it. */
  readonly isFirst: boolean
}

/** A row is of one day, or of a part of one. Returns whether still nothing is written. */
function writeRow(writer: WordWriter, row: PowerRollUp, { period, times, hasBudget, isFirst }: Writing): boolean {
  const { starts_at, minutes, values } = row
  const bucketMs = minutes * minuteMs
  const date = wordsOf(`{"timestamp":"${formatTimestamp(starts_at).slice(0, dateCharacters)}`)
  const firstTime = (starts_at % dayMs) / bucketMs
  let isNothing = isFirst
  for (let slot = 0, bucket = 0; slot < values.length; slot += valuesOfBucket, bucket++) {
    const at = starts_at + bucket * bucketMs
    if (values[slot] === 0 || at < period.start || at >= period.end) continue
    if (!isNothing) put(writer, comma)
    isNothing = false
    put(writer, date)
    put(writer, times[firstTime + bucket] as Words)
    if (hasBudget) {
      put(writer, budgetName)
      putThousandths(writer, values[slot + 1] ?? 0)
      put(writer, comma)
    }
    put(writer, allocatedName)
    putThousandths(writer, values[slot + 2] ?? 0)
    put(writer, drawnName)
    putThousandths(writer, values[slot + 3] ?? 0)
    put(writer, activeName)
    putInteger(writer, values[slot + 4] ?? 0)
    put(writer, pointEnd)
  }
  return isNothing
}
