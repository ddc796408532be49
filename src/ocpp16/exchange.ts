// A request and its answer as one thing that was said: of which kind it is, what it is about, and what in it breaks the standard. It follows from
// the two frames alone, so that whoever has them, in memory or on disk, shows the same.

import type { ConformanceRule } from './conformance-rules.js'
import { type Frame, readFrame } from './frame.js'
import { headAtBegin } from './frame-head.js'
import { limits } from './limits.js'
import { messages } from './messages.js'
import { type Single, valueAt } from './pointer.js'
import { readRequest } from './reader.js'
import { authorize } from './schemas/authorize.js'
import { dataTransfer } from './schemas/data-transfer.js'
import { heartbeat } from './schemas/heartbeat.js'
import { meterValues } from './schemas/meter-values.js'
import { startTransaction } from './schemas/start-transaction.js'
import { stopTransaction } from './schemas/stop-transaction.js'
import { keptOf } from './violation.js'

/** `other` is what vendors transfer, what OCPP 1.6 does not have, and what cannot be read. */
export const exchangeKinds = ['transaction', 'status', 'meter', 'heartbeat', 'command', 'connection', 'other'] as const
export type ExchangeKind = (typeof exchangeKinds)[number]

/** `none`: no answer was seen, though the time for it may not be over; `timeout`: it was waited for in vain. */
export const answerTypes = ['result', 'error', 'timeout', 'none'] as const
export type AnswerType = (typeof answerTypes)[number]

/** `in` is what the charge point has asked, `out` what it was asked. */
export type Direction = 'in' | 'out'

/** A rule that a request breaks, where, and with what. */
export interface Deviation {
  readonly rule: ConformanceRule
  /** A JSON pointer into the payload. */
  readonly path?: string
  readonly received?: Single
}

export interface ExchangeFrames {
  readonly direction: Direction
  /** As sent; absent where only an answer was seen. */
  readonly request?: string
  readonly answer?: string
  /** The request is longer than what is kept of it: what it breaks cannot be told from it. */
  readonly isCut?: boolean
  /** What is known already of what the request breaks; looked for when absent. */
  readonly deviations?: readonly Deviation[]
  /** When the request came, wall ms. */
  readonly at: number
}

export interface Exchange {
  readonly kind: ExchangeKind
  readonly action?: string
  readonly message_id?: string
  readonly connector_id?: number
  readonly transaction_id?: number
  readonly error_code?: string
  readonly violations?: readonly Deviation[]
}

const transactionActions: ReadonlySet<string> = new Set([
  authorize.action,
  startTransaction.action,
  stopTransaction.action,
])

export function kindOf(direction: Direction, action: string | undefined): ExchangeKind {
  if (direction === 'out') return 'command'
  if (action === undefined || action === dataTransfer.action || !messages.has(action)) return 'other'
  if (action === meterValues.action) return 'meter'
  if (action === heartbeat.action) return 'heartbeat'
  return transactionActions.has(action) ? 'transaction' : 'status'
}

/** Never throws on what a charge point sends. */
export function describeExchange(frames: ExchangeFrames): Exchange {
  const { direction, request, answer, at, isCut = false } = frames
  const asked = request === undefined || isCut ? undefined : readFrame(request)
  const answered = answer === undefined ? undefined : readFrame(answer)
  const called = request !== undefined && isCut ? beginningOf(request) : asked?.type === 'call' ? asked : undefined
  const id = called?.messageId ?? (answered !== undefined && 'messageId' in answered ? answered.messageId : undefined)
  const found = frames.deviations ?? (direction === 'in' && asked !== undefined ? deviationsOf(asked, at) : [])
  const result = answered?.type === 'result' ? answered.payload : undefined
  return {
    kind: kindOf(direction, called?.action),
    ...(called !== undefined && { action: called.action.slice(0, limits.exchangeActionCharacters) }),
    ...(id !== undefined && { message_id: String(id) }),
    ...idOf('connector_id', called?.payload, 'connectorId'),
    ...(idOf('transaction_id', called?.payload, 'transactionId') ?? idOf('transaction_id', result, 'transactionId')),
    ...(answered?.type === 'error' && { error_code: answered.rawCode.slice(0, limits.exchangeActionCharacters) }),
    ...(found.length > 0 && { violations: found.slice(0, limits.exchangeViolations) }),
  }
}

/** A call that has been cut still says what it is, and most say of which connector before anything else. */
function beginningOf(
  text: string,
): Pick<Extract<Frame, { type: 'call' }>, 'messageId' | 'action' | 'payload'> | undefined {
  const head = headAtBegin(text)
  if (head?.type !== 'call') return undefined
  const [, connectorId] = /^[^{]{0,400}\{\s{0,9}"connectorId"\s{0,9}:\s{0,9}(\d{1,9})\s{0,9},/.exec(text) ?? []
  return { ...head, payload: connectorId === undefined ? {} : { connectorId: Number(connectorId) } }
}

function idOf<Name extends string>(
  name: Name,
  payload: unknown,
  field: string,
): { readonly [Key in Name]: number } | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const value = (payload as Readonly<Record<string, unknown>>)[field]
  return Number.isSafeInteger(value) ? ({ [name]: value } as { readonly [Key in Name]: number }) : undefined
}

/** Of a request that was refused for its content. */
export function refusedRequest(payload: unknown, { path }: { readonly path: string }): Deviation {
  return { rule: 'refused-request', ...(path !== '' && { path, ...keptOf(valueAt(payload, path)) }) }
}

/** What the charge point's actor finds in the frame as well, but for what depends on what else it knows. */
function deviationsOf(frame: ReturnType<typeof readFrame>, at: number): readonly Deviation[] {
  if (frame.type === 'malformed') return [{ rule: 'malformed-frame' }]
  if (frame.type === 'ignored') return [{ rule: 'unknown-message-type' }]
  if (frame.type !== 'call') return []
  const repaired: readonly Deviation[] = frame.repaired ? [{ rule: 'broken-json' }] : []
  const definition = messages.get(frame.action)
  if (definition === undefined || definition.from === 'central-system') return [...repaired, { rule: 'unknown-action' }]
  const reading = readRequest(definition, frame.payload, at)
  return reading.ok ? [...repaired, ...reading.violations] : [...repaired, refusedRequest(frame.payload, reading)]
}
