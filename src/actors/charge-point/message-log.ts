// The log of what the charge point and the service say to each other: follows every message that the actor handles, and writes down each request
// with its answer. Nothing that is done depends on it, and nothing waits for it. Heartbeats and meter values are counted; of a charge point that
// says a lot, so much is kept in a minute. While a capture runs, everything is kept, for it.

import {
  type Direction,
  describeExchange,
  type FrameHead,
  type KeptFrame,
  keptFrame,
  kindOf,
  maskFrame,
  maskText,
  readHead,
  secretsIn,
} from '../../ocpp16/index.js'
import { type CapturedMessage, capturedMessagesTable } from '../../records/capture.js'
import { type ConnectionChange, type Message, messagesTable } from '../../records/message.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { idAt, placeAfter } from '../../runtime/ids.js'
import { limits } from './limits.js'
import type { MessageLog, Said } from './message-log-state.js'
import type { ChargePointMessage } from './messages.js'
import { captureNow, runningCapture } from './running-capture.js'
import type { State, Turn } from './state.js'

const none: readonly Effect[] = []
const minuteMs = 60_000

/** What is said without being asked for is logged too. */
export function withMessageLog<Rest extends readonly unknown[]>(turn: Turn<Rest>): Turn<Rest> {
  return (state, ...rest) => {
    const context = rest.at(-1) as Context
    const message = rest.length > 1 ? (rest[0] as ChargePointMessage) : undefined
    const { connection: before, messageLog } = state
    messageLog.deviations = undefined
    const effects = turn(state, ...rest)
    // One that has changed hands is another's to tell of: its last connection was not there.
    const connection = state.messageLog === messageLog ? before : undefined
    const logged = log(state, message, effects, connection, context)
    return logged.length === 0 ? effects : [...effects, ...logged]
  }
}

/** What the frame in hand has broken, before it is counted. */
export function noteForLog(state: State): void {
  state.messageLog.deviations = [...state.broken]
}

export const leavesOut = ({ unlogged }: MessageLog): boolean => unlogged !== undefined && unlogged.leftOut > 0

/** Somebody has begun or ended a capture. */
export function captureChanged(state: State, context: Context): readonly Effect[] {
  state.messageLog.capture = runningCapture(state.row.organization_id, context)
  return none
}

function log(
  state: State,
  message: ChargePointMessage | undefined,
  effects: readonly Effect[],
  connectionBefore: number | undefined,
  context: Context,
): readonly Effect[] {
  const { messageLog } = state
  if (state.registration === undefined) return none
  const logging = { state, messageLog, rows: [] as Effect[], context }
  if (connectionBefore !== state.connection) noteConnection(logging, message)
  let answers = framesOf(effects)
  if (message?.type === 'frame') answers = takeFrame(logging, message.text, answers)
  endAsked(logging, message)
  for (const text of answers) takeOwn(logging, text)
  return logging.rows
}

interface Logging {
  readonly state: State
  readonly messageLog: MessageLog
  readonly rows: Effect[]
  readonly context: Context
}

function framesOf(effects: readonly Effect[]): string[] {
  const frames: string[] = []
  for (const one of effects) if (one.type === 'frame') frames.push(one.text)
  return frames
}

const isCall = (text: string): boolean => text.charCodeAt(1) === 0x32

/** Returns what we have said beside the answer to it. */
function takeFrame(logging: Logging, text: string, said: string[]): string[] {
  const { messageLog, context, state } = logging
  const head = readHead(text)
  if (head.type === 'empty') return said
  if (head.type === 'result' || head.type === 'error') {
    const { asked } = messageLog
    if (asked?.messageId === head.messageId) endWith(logging, asked, text)
    // Nobody has waited for it, or not any more.
    else if (asked !== undefined || state.connection !== undefined) write(logging, 'out', { at: context.now() }, text)
    return said
  }
  const answer = said.find((frame) => !isCall(frame))
  const asked: Said = {
    direction: 'in',
    at: context.now(),
    monotonic: context.monotonic(),
    ...(head.type === 'call' && { messageId: head.messageId }),
    text,
    ...(messageLog.deviations !== undefined && { deviations: messageLog.deviations }),
  }
  if (answer === undefined && head.type === 'call') keepUnanswered(logging, head.messageId, asked)
  else takeRequest(logging, asked, head, answer)
  return said.filter((frame) => frame !== answer)
}

/** Its answer leaves later. */
function keepUnanswered(logging: Logging, messageId: string, asked: Said): void {
  const { unanswered } = logging.messageLog
  if (unanswered.size >= limits.unansweredRequests) {
    unanswered.delete(unanswered.keys().next().value as string)
    if (logging.state.settings.logsMessages) unloggedOf(logging).leftOut++
  }
  unanswered.set(messageId, asked)
}

function takeRequest(logging: Logging, asked: Said, head: FrameHead, answer: string | undefined): void {
  const { messageLog } = logging
  const kind = kindOf('in', head.type === 'call' ? head.action : undefined)
  const isAsItShould = asked.deviations === undefined && (answer === undefined || answer.charCodeAt(1) === 0x33)
  const isCounted = isAsItShould && (kind === 'heartbeat' || kind === 'meter')
  if (isCounted) {
    const unlogged = unloggedOf(logging)
    if (kind === 'heartbeat') unlogged.heartbeats++
    else unlogged.meterValues++
  }
  if (!isCounted || messageLog.capture !== undefined) endWith(logging, asked, answer, isCounted)
}

/** A frame of ours that answers nothing of this turn: a call, or an answer that was owed. */
function takeOwn(logging: Logging, text: string): void {
  const { messageLog, context } = logging
  const head = readHead(text)
  if (head.type === 'call') {
    const { messageId } = head
    messageLog.asked = { direction: 'out', at: context.now(), monotonic: context.monotonic(), messageId, text }
    return
  }
  if (head.type !== 'result' && head.type !== 'error') return
  const asked = messageLog.unanswered.get(head.messageId)
  if (asked === undefined) return
  messageLog.unanswered.delete(head.messageId)
  takeRequest(logging, asked, readHead(asked.text ?? ''), text)
}

/** The call that was waited for is over without an answer. */
function endAsked(logging: Logging, message: ChargePointMessage | undefined): void {
  const { state, messageLog } = logging
  const { asked } = messageLog
  if (asked === undefined || state.calls.outstanding?.call.commandId === asked.messageId) return
  messageLog.asked = undefined
  const isTimeout = message?.type === 'call-timed-out' && message.messageId === asked.messageId
  if (isTimeout) write(logging, 'out', asked, undefined, { answer_type: 'timeout' })
  else write(logging, 'out', asked, undefined)
}

function endWith(logging: Logging, asked: Said, answer: string | undefined, forCaptureOnly = false): void {
  const { messageLog, context } = logging
  if (messageLog.asked === asked) messageLog.asked = undefined
  const milliseconds = Math.max(0, Math.round(context.monotonic() - (asked.monotonic ?? context.monotonic())))
  write(
    logging,
    asked.direction ?? 'in',
    asked,
    answer,
    { ...(answer !== undefined && { milliseconds }) },
    forCaptureOnly,
  )
}

function write(
  { state, messageLog, rows, context }: Logging,
  direction: Direction,
  said: Said,
  answer: string | undefined,
  more: Partial<Message> = {},
  forCaptureOnly = false,
): void {
  const { settings, row } = state
  const capture = captureNow(messageLog, context)
  const isLogged = settings.logsMessages && !forCaptureOnly && hasRoom(messageLog, context)
  if (!isLogged && settings.logsMessages && !forCaptureOnly) unloggedOf({ messageLog, context }).leftOut++
  if (!isLogged && capture === undefined) return
  const sent = said.direction === 'out' && said.text !== undefined ? secretsIn(said.text) : []
  const request = said.text === undefined ? undefined : maskFrame(said.text)
  const answered = answer === undefined ? undefined : maskFrame(answer, sent)
  const kept = {
    ...(request !== undefined && { request: keptFrame(request) }),
    ...(answered !== undefined && { answer: keptFrame(answered) }),
  }
  messageLog.place = placeAfter(messageLog.place, said.at)
  // What a charge point should not have sent may be, or hold, what was masked.
  const deviations = (said.deviations ?? []).map(({ received, path, ...deviation }) => ({
    ...deviation,
    ...(path !== undefined && { path: request === said.text ? path : maskText(path) }),
    ...(received !== undefined && request === said.text && { received }),
  }))
  const found = describeExchange({
    direction,
    at: said.at,
    deviations,
    // What names the action, or an error, is the charge point's text as well.
    ...(request !== undefined && { request }),
    ...(answered !== undefined && { answer: answered }),
  })
  const { error_code, ...described } = found
  const logged: Message = {
    id: idAt('msg', messageLog.place, Buffer.from(`${context.id}/${direction}/${found.message_id ?? ''}`)),
    organization_id: row.organization_id,
    charge_point_id: context.id,
    at: said.at,
    direction,
    ...described,
    ...(kept.request && { request: kept.request.text }),
    ...(kept.answer && { answer: kept.answer.text }),
    ...((kept.request?.cut || kept.answer?.cut) && { cut: true as const }),
    answer_type: answer === undefined ? 'none' : error_code === undefined ? 'result' : 'error',
    ...(error_code !== undefined && { error_code }),
    ...more,
    ...(isLogged && takeUnlogged(messageLog)),
  }
  if (isLogged) rows.push(effect.log(messagesTable, logged))
  if (capture === undefined) return
  const { before: _, ...message } = logged
  const bytes = bytesOf(kept.request) + bytesOf(kept.answer) + limits.capturedMessageBytes
  capture.bytes += bytes
  const captured: CapturedMessage = { ...message, capture_id: capture.captureId, bytes }
  rows.push(effect.log(capturedMessagesTable, captured))
}

const bytesOf = (frame: KeptFrame | undefined): number => (frame === undefined ? 0 : Buffer.byteLength(frame.text))

/** Of what is kept in a minute. */
function hasRoom(messageLog: MessageLog, context: Context): boolean {
  const now = context.monotonic()
  if (now - messageLog.minute >= minuteMs) {
    messageLog.minute = now
    messageLog.inMinute = 0
  }
  if (messageLog.inMinute >= limits.loggedMessagesPerMinute) return false
  messageLog.inMinute++
  return true
}

function unloggedOf({
  messageLog,
  context,
}: Pick<Logging, 'messageLog' | 'context'>): NonNullable<MessageLog['unlogged']> {
  messageLog.unlogged ??= { since: context.now(), heartbeats: 0, meterValues: 0, leftOut: 0, connections: [] }
  return messageLog.unlogged
}

function takeUnlogged(messageLog: MessageLog): Pick<Message, 'before'> {
  const { unlogged } = messageLog
  if (unlogged === undefined) return {}
  messageLog.unlogged = undefined
  const { since, heartbeats, meterValues, leftOut, connections } = unlogged
  const counts = { since, heartbeats, meter_values: meterValues, left_out: leftOut }
  return { before: { ...counts, ...(connections.length > 0 && { connections }) } }
}

/** Told with the next message, so that a wave of connections costs no rows. */
function noteConnection(logging: Logging, message: ChargePointMessage | undefined): void {
  const { state, context, messageLog } = logging
  const at = context.now()
  const { connections } = unloggedOf(logging)
  const change: ConnectionChange =
    state.connection === undefined
      ? { at, close: closeOf(state, message) }
      : { at, ...(state.details !== undefined && { remote_address: state.details.remoteAddress }) }
  if (connections.length >= limits.loggedConnections) connections.shift()
  connections.push(change)
  messageLog.unanswered.clear()
}

function closeOf(
  { row }: State,
  message: ChargePointMessage | undefined,
): { readonly code: number; readonly reason: string } {
  if (message?.type === 'detached') return { code: message.code, reason: message.reason }
  const { code = 1006, reason = '' } = row.last_close ?? {}
  return { code, reason }
}
