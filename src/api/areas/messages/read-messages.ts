// A page of what a charge point and the service have said, the newest first, from wherever it was kept: what is in memory as far as that goes back,
// and before it the log, captures and meter values. Costs the page, and what a selection passes over, within a bound.

import { type RecentFrames, recordedName } from '../../../edge/frame-recorder.js'
import { type CapturedMessage, capturedMessagesTable } from '../../../records/capture.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { type Message, messagesTable } from '../../../records/message.js'
import { lowestIdAt, timeOfId } from '../../../runtime/ids.js'
import type { ReadView } from '../../../runtime/store/store.js'
import type { Table } from '../../../runtime/store/table.js'
import { type LongRead, longOncePaused } from '../../pipeline/long-reads.js'
import type { Services } from '../../pipeline/services.js'
import { limits } from './limits.js'
import { type KnownMessage, ofConnection, ofPair } from './message-view.js'
import { readMeter } from './meter-messages.js'
import { createPairing, type Pair } from './pairs.js'
import { canBeSelected, isSelected, type Selection, selectsConnections, selectsMeter } from './selection.js'

export interface MessageQuery extends Selection {
  /** Ids: neither is part of the page. */
  readonly before?: string
  readonly after?: string
  /** Wall ms: `from` is part of it, `to` is not. */
  readonly from?: number
  readonly to?: number
  readonly limit: number
}

export interface Gap {
  /** Wall ms. */
  readonly from: number
  readonly to: number
  readonly heartbeats: number
  readonly meterValues: number
  readonly leftOut: number
}

export interface MessagePage {
  readonly messages: readonly KnownMessage[]
  /** Before which the next page goes on; undefined at the end. */
  readonly next: string | undefined
  readonly gaps: readonly Gap[]
}

/** Ids: the upper is not part of it, the lower is. */
interface Bounds {
  readonly lower: string
  readonly upper: string
}

const endOfTime = 8_640_000_000_000_000

function boundsOf({ before, after: behind, from, to }: MessageQuery): Bounds {
  const upper = [before, to === undefined ? undefined : lowestIdAt('msg', to)]
    .filter((id) => id !== undefined)
    .sort()[0]
  // The least text behind an id.
  const lower = [
    behind === undefined ? undefined : `${behind}!`,
    from === undefined ? undefined : lowestIdAt('msg', from),
  ]
    .filter((id) => id !== undefined)
    .sort()
    .at(-1)
  return { lower: lower ?? 'msg_', upper: upper ?? lowestIdAt('msg', endOfTime) }
}

export async function readMessages(
  chargePoint: ChargePoint,
  query: MessageQuery,
  services: Services,
): Promise<MessagePage> {
  const bounds = boundsOf(query)
  const read = longOncePaused(services.longReads.of(chargePoint.organization_id), services.clock)
  try {
    const inMemory = await readRing(chargePoint, query, bounds, services, read)
    if (inMemory.messages.length > query.limit) return cut(inMemory.messages, query.limit, [])
    if (inMemory.isCut)
      return { messages: inMemory.messages, next: lowestIdAt('msg', inMemory.completeSince + 1), gaps: [] }
    const room = query.limit - inMemory.messages.length
    const upper = [bounds.upper, lowestIdAt('msg', Math.min(inMemory.completeSince, endOfTime))].sort()[0] as string
    const stored = await readStored(chargePoint, { ...query, limit: room }, { ...bounds, upper }, services, read)
    return { ...stored, messages: [...inMemory.messages, ...stored.messages] }
  } finally {
    read.end()
  }
}

function cut(messages: readonly KnownMessage[], limit: number, gaps: readonly Gap[]): MessagePage {
  const shown = messages.slice(0, limit)
  return { messages: shown, next: shown.at(-1)?.id, gaps }
}

const newestFirst = (one: { readonly id: string }, other: { readonly id: string }): number =>
  one.id < other.id ? 1 : one.id > other.id ? -1 : 0

/** As many as the page and one more, if there are, and those of the same instant; each is looked into only when its turn has come. */
async function readRing(
  chargePoint: ChargePoint,
  query: MessageQuery,
  bounds: Bounds,
  { frames: source, clock }: Services,
  read: LongRead,
): Promise<{ readonly messages: readonly KnownMessage[] } & Pick<RecentFrames, 'completeSince' | 'isCut'>> {
  const { from, to } = timesOf(bounds)
  const { frames, completeSince, isCut } = await source.recent(recordedName(chargePoint), {
    limit: limits.ringFramesPerRead,
    bytes: limits.ringBytesPerRead,
    since: from,
    until: to,
    behind: limits.ringFramesBehind,
  })
  // Of the instant at which it was cut, some may be missing.
  const least = isCut ? completeSince + 1 : completeSince
  // As many as there are frames.
  const pairing = createPairing(limits.ringFramesPerRead)
  const pairs: Pair[] = []
  for (const frame of [...frames].reverse()) {
    pairs.push(...pairing.take(frame))
    if (read.isOver()) await read.pause()
  }
  pairs.push(...pairing.unanswered(Number.POSITIVE_INFINITY))
  const now = clock.now()
  const messages: KnownMessage[] = []
  for (const pair of pairs.sort((one, other) => other.at - one.at)) {
    const last = messages.at(-1)
    if (messages.length > query.limit && last !== undefined && pair.at < last.at) break
    if (pair.at < least) break
    if (!canBeSelected(query, pair)) continue
    const message = ofPair(pair, now)
    if (message.id >= bounds.lower && message.id < bounds.upper && isSelected(query, message)) messages.push(message)
    if (read.isOver()) await read.pause()
  }
  return { messages: messages.sort(newestFirst), completeSince, isCut }
}

async function readStored(
  chargePoint: ChargePoint,
  query: MessageQuery,
  bounds: Bounds,
  services: Services,
  read: LongRead,
): Promise<MessagePage> {
  const { organization_id, charge_point_id } = chargePoint
  const group = [organization_id, charge_point_id]
  const view = services.view()
  const wantsMeter = selectsMeter(query)
  const meter = wantsMeter ? readMeter(view, chargePoint, query, { ...timesOf(bounds), limit: query.limit + 1 }) : []
  const log = passOver<Message>(view, messagesTable, group, bounds)
  const captured = passOver<CapturedMessage>(view, capturedMessagesTable, group, bounds)
  const messages: KnownMessage[] = []
  const gaps: Gap[] = []
  const wantsConnections = selectsConnections(query)
  // Where memory has just filled the page, the next one begins with all that is stored.
  let [counted, scanned, last] = [0, 0, bounds.upper]
  for (;;) {
    const next = [log.peek(), captured.peek(), meter[0]].filter((one) => one !== undefined).sort(newestFirst)[0]
    if (next === undefined || next.id < bounds.lower) return { messages, next: undefined, gaps }
    if (counted >= query.limit || scanned >= limits.messagesPerRead) return { messages, next: last, gaps }
    last = next.id
    scanned++
    if (next === meter[0]) {
      meter.shift()
      messages.push(next)
      counted++
      continue
    }
    const isLogged = log.peek()?.id === next.id
    const logged = isLogged ? log.take() : undefined
    if (captured.peek()?.id === next.id) captured.take()
    const stored = next as Message
    const shown = shownOf(stored, isLogged ? 'log' : 'capture')
    if (isSelected(query, shown)) {
      messages.push(shown)
      counted++
    }
    const { before } = logged ?? {}
    if (before !== undefined) {
      gaps.push(...gapOf(stored, before, wantsMeter))
      const connections = wantsConnections ? (before.connections ?? []) : []
      messages.push(...connections.map((one) => ofConnection(one)).reverse())
      if (connections.length > 0 && counted < query.limit && !isSelected(query, shown)) counted++
    }
    if (scanned % limits.messagesPerStep === 0 && read.isOver()) await read.pause()
  }
}

function shownOf(stored: Message, source: 'log' | 'capture'): KnownMessage {
  const { organization_id: _, charge_point_id: __, ...message } = stored
  if (source === 'log') return { ...message, source }
  const { capture_id: ___, bytes: ____, ...rest } = message as typeof message & Partial<CapturedMessage>
  return { ...rest, source }
}

/** What has no row of its own; meter values have, where they are asked for. */
function gapOf({ at }: Message, before: NonNullable<Message['before']>, hasMeter: boolean): readonly Gap[] {
  const { since, heartbeats, meter_values, left_out } = before
  const meterValues = hasMeter ? 0 : meter_values
  if (heartbeats + meterValues + left_out === 0) return []
  return [{ from: since, to: at, heartbeats, meterValues, leftOut: left_out }]
}

function timesOf({ lower, upper }: Bounds): { readonly from: number; readonly to: number } {
  return { from: lower === 'msg_' ? 0 : timeOfId(lower.slice(0, 'msg_'.length + 26)), to: timeOfId(upper) }
}

interface Passing<Row> {
  peek(): Row | undefined
  take(): Row | undefined
}

/** Rows of a list by id, the newest first, a few at a time. */
function passOver<Row extends { readonly id: string }>(
  view: ReadView,
  table: Table<Row>,
  group: readonly string[],
  { lower, upper }: Bounds,
): Passing<Row> {
  let rows: Row[] = []
  let to: readonly string[] = [upper]
  let isOver = false
  function fill(): void {
    if (rows.length > 0 || isOver) return
    rows = view.listBy(table, 'byChargePoint', group, {
      from: [lower],
      to,
      reverse: true,
      limit: limits.messagesPerStep,
    })
    isOver = rows.length < limits.messagesPerStep
    to = [rows.at(-1)?.id ?? lower]
  }
  return {
    peek() {
      fill()
      return rows[0]
    },
    take() {
      fill()
      return rows.shift()
    },
  }
}
