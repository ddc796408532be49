// The frames of OCPP-J 1.6 (4.2): text to a Frame and back. Never throws on what a charge point sends, never looks
// into a payload. The first JSON.parse is the whole cost of a well-formed frame; all tolerance is on the way after it.

import { type OcppErrorCode, readErrorCode } from './error-codes.js'
import { recoverMessageId, recoverNumericId, repairJson, repairSurrogates } from './frame-repair.js'
import { limits } from './limits.js'

/** A message id as it was on the wire; answers echo it in that JSON type. A bigint is a number above 2^53. */
export type RawMessageId = string | number | bigint

export type Frame =
  | {
      readonly type: 'call'
      /** The id as text, for comparing. */
      readonly messageId: string
      /** The id to answer with. */
      readonly rawMessageId: RawMessageId
      readonly action: string
      /** As sent; an absent or null payload is `{}`. */
      readonly payload: unknown
      /** Whether the text was not JSON and had to be mended. */
      readonly repaired: boolean
    }
  | { readonly type: 'result'; readonly messageId: string; readonly payload: unknown; readonly repaired: boolean }
  | {
      readonly type: 'error'
      readonly messageId: string
      readonly code: OcppErrorCode
      /** The code as sent, for the records. */
      readonly rawCode: string
      readonly description: string
      readonly details: unknown
      readonly repaired: boolean
    }
  /** No text at all: some chargers keep the connection alive with it. */
  | { readonly type: 'empty' }
  /** To be answered with a CALLERROR if `messageId` is there, else only to be counted. */
  | {
      readonly type: 'malformed'
      readonly messageId?: RawMessageId
      readonly code: OcppErrorCode
      readonly description: string
    }
  /** A message type that is none of 1.6's: not answered (OCPP-J 1.6, 4.1.3). */
  | { readonly type: 'ignored'; readonly messageType: number }

const call = 2
const callResult = 3
const callError = 4

/** Reads one text frame. */
export function readFrame(text: string): Frame {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return readBrokenFrame(text)
  }
  return mayHaveBrokenText.test(text) ? readOddText(json, text, false) : readMessage(json, text, false)
}

function readMessage(json: unknown, text: string, repaired: boolean): Frame {
  if (!Array.isArray(json)) return malformed(undefined, 'FormationViolation', 'A frame is a JSON array')
  const elements: readonly unknown[] = json
  const rawMessageId = elements[1]
  switch (elements[0]) {
    case call: {
      const action = elements[2]
      if (typeof rawMessageId === 'string' && typeof action === 'string') {
        const length = rawMessageId.length
        if (length > 0 && length <= limits.messageIdLength && action.length > 0) {
          return {
            type: 'call',
            messageId: rawMessageId,
            rawMessageId,
            action,
            payload: elements[3] ?? {},
            repaired,
          }
        }
      }
      return readUnusualCall(elements, text, repaired)
    }
    case callResult: {
      const messageId = readAnswerId(rawMessageId)
      if (messageId === undefined) return malformed(undefined, 'FormationViolation', 'The message id is unusable')
      return { type: 'result', messageId, payload: elements[2] ?? {}, repaired }
    }
    case callError: {
      const messageId = readAnswerId(rawMessageId)
      if (messageId === undefined) return malformed(undefined, 'FormationViolation', 'The message id is unusable')
      const code = elements[2]
      const description = elements[3]
      return {
        type: 'error',
        messageId,
        code: readErrorCode(code),
        rawCode: typeof code === 'string' ? code : '',
        description: typeof description === 'string' ? description : '',
        details: elements[4] ?? {},
        repaired,
      }
    }
    default: {
      const messageType = elements[0]
      if (typeof messageType === 'number') return { type: 'ignored', messageType }
      return malformed(undefined, 'FormationViolation', 'The message type is not a number')
    }
  }
}

function readUnusualCall(elements: readonly unknown[], text: string, repaired: boolean): Frame {
  let rawMessageId: RawMessageId
  const id = elements[1]
  if (typeof id === 'string') rawMessageId = id
  // JSON has 1e400, and no way to write back what it is read as.
  else if (typeof id === 'number' && Number.isFinite(id))
    rawMessageId = Number.isInteger(id) ? recoverNumericId(id, text) : id
  else return malformed(undefined, 'FormationViolation', 'The message id is neither text nor a number')
  const messageId = String(rawMessageId)
  if (messageId.length === 0) return malformed(rawMessageId, 'FormationViolation', 'The message id is empty')
  if (messageId.length > limits.messageIdLength) {
    return malformed(rawMessageId, 'FormationViolation', `The message id is over ${limits.messageIdLength} characters`)
  }
  const action = elements[2]
  if (typeof action !== 'string' || action.length === 0) {
    return malformed(rawMessageId, 'ProtocolError', 'The action is missing')
  }
  return { type: 'call', messageId, rawMessageId, action, payload: elements[3] ?? {}, repaired }
}

function readAnswerId(id: unknown): string | undefined {
  if (typeof id === 'number') return String(id)
  return typeof id === 'string' && id.length > 0 && id.length <= limits.messageIdLength ? id : undefined
}

const mayHaveBrokenText = /\\u[dD][89a-fA-F]/

/** Half of a surrogate pair would be stored as another text, and two id tags as one. The message id is answered as it came. */
function readOddText(json: unknown, text: string, repaired: boolean): Frame {
  const mended = repairSurrogates(text)
  if (mended === text) return readMessage(json, text, repaired)
  const frame = readMessage(JSON.parse(mended), mended, true)
  const id: unknown = Array.isArray(json) ? json[1] : undefined
  return frame.type === 'call' && typeof id === 'string' ? { ...frame, rawMessageId: id } : frame
}

/** The text is not JSON: mended once, and if that does not help, only its message id is looked for. */
function readBrokenFrame(text: string): Frame {
  const mended = repairJson(text)
  if (mended === '') return { type: 'empty' }
  try {
    return readOddText(JSON.parse(mended), mended, true)
  } catch {
    return malformed(recoverMessageId(text), 'FormationViolation', 'The frame is not JSON')
  }
}

function malformed(messageId: RawMessageId | undefined, code: OcppErrorCode, description: string): Frame {
  return messageId === undefined
    ? { type: 'malformed', code, description }
    : { type: 'malformed', messageId, code, description }
}

/** A CALLRESULT. Fields that are undefined are left out, as the standard wants optional fields to be. */
export function writeResult(messageId: RawMessageId, payload: object): string {
  return `[3,${writeId(messageId)},${JSON.stringify(payload)}]`
}

/** A writer of CALLRESULTs whose payload is always the same, for the answers that are sent most. */
export function constantResult(payload: object): (messageId: RawMessageId) => string {
  const tail = `,${JSON.stringify(payload)}]`
  return (messageId) => `[3,${writeId(messageId)}${tail}`
}

/** The CALLRESULT `{}`: of MeterValues, StatusNotification and every other notification. */
export const writeEmptyResult = constantResult({})

/** A CALLERROR; details are always `{}`. */
export function writeError(messageId: RawMessageId, code: OcppErrorCode, description: string): string {
  return `[4,${writeId(messageId)},"${code}",${JSON.stringify(description)},{}]`
}

/** A CALL of ours. */
export function writeCall(messageId: string, action: string, payload: object): string {
  return `[2,${writeId(messageId)},${JSON.stringify(action)},${JSON.stringify(payload)}]`
}

function writeId(messageId: RawMessageId): string {
  return typeof messageId === 'string' ? JSON.stringify(messageId) : String(messageId)
}
