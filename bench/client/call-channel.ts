// OCPP-J's request and answer (OCPP-J 1.6, 4): at most one CALL of ours is outstanding, answers are matched by message
// id, and CALLs of the other side are handed on. It decides nothing about what is sent, or when.

import { randomBytes } from 'node:crypto'
import type { Timetable, TimetableEntry } from './timetable.js'

export type Payload = Readonly<Record<string, unknown>>

export type CallOutcome =
  | { readonly type: 'result'; readonly payload: Payload }
  | { readonly type: 'error'; readonly code: string; readonly description: string }
  /** No answer came in time, or the connection was lost first. */
  | { readonly type: 'timeout' }
  | { readonly type: 'lost' }

/** Thrown by a handler to answer with a CALLERROR. */
export class CallError extends Error {
  readonly code: string

  constructor(code: string, description = '') {
    super(description)
    this.name = 'CallError'
    this.code = code
  }
}

export interface CallChannelHandlers {
  /** Answers a CALL of the central system, or throws a CallError. */
  answer(action: string, payload: Payload): Payload
  /** Once the answer is on its way; what the command sets in motion belongs here. */
  answered(): void
}

export interface CallChannel {
  /** Whether a call may be sent: connected, and none outstanding. */
  readonly free: boolean
  attach(send: (text: string) => void): void
  detach(): void
  /** Only when `free`. */
  call(action: string, payload: Payload, settle: (outcome: CallOutcome) => void): void
  receive(text: string): void
}

interface OutstandingCall {
  readonly id: string
  readonly sentAt: number
  readonly settle: (outcome: CallOutcome) => void
}

export function createCallChannel(timetable: Timetable, timeoutMs: number, handlers: CallChannelHandlers): CallChannel {
  // Unique over all connections and processes: a central system may match ids across them.
  const prefix = randomBytes(6).toString('hex')
  let sequence = 0
  let send: ((text: string) => void) | undefined
  let outstanding: OutstandingCall | undefined
  let watch: TimetableEntry | undefined

  function settle(outcome: CallOutcome): void {
    const call = outstanding
    outstanding = undefined
    call?.settle(outcome)
  }

  /** One watch for all calls: when it fires early for the call of the moment it is set again. */
  function expire(): void {
    watch = undefined
    if (outstanding === undefined) return
    const left = outstanding.sentAt + timeoutMs - timetable.now()
    if (left > 0) watch = timetable.after(left, expire)
    else settle({ type: 'timeout' })
  }

  function answerCall(id: unknown, action: unknown, payload: unknown): void {
    let frame: string
    let accepted = false
    try {
      if (typeof action !== 'string') throw new CallError('ProtocolError', 'no action')
      frame = JSON.stringify([3, id, handlers.answer(action, (payload ?? {}) as Payload)])
      accepted = true
    } catch (error) {
      const code = error instanceof CallError ? error.code : 'InternalError'
      frame = JSON.stringify([4, id, code, error instanceof Error ? error.message : '', {}])
    }
    send?.(frame)
    if (accepted) handlers.answered()
  }

  return {
    get free() {
      return send !== undefined && outstanding === undefined
    },
    attach(newSend) {
      send = newSend
    },
    detach() {
      send = undefined
      timetable.cancel(watch)
      watch = undefined
      settle({ type: 'lost' })
    },
    call(action, payload, onSettled) {
      if (send === undefined || outstanding !== undefined) throw new Error('a call is outstanding, or no connection')
      sequence++
      const id = `${prefix}-${sequence.toString(36)}`
      outstanding = { id, sentAt: timetable.now(), settle: onSettled }
      watch ??= timetable.after(timeoutMs, expire)
      send(`[2,"${id}","${action}",${JSON.stringify(payload)}]`)
    },
    receive(text) {
      let frame: unknown
      try {
        frame = JSON.parse(text)
      } catch {
        return
      }
      if (!Array.isArray(frame)) return
      if (frame[0] === 2) answerCall(frame[1], frame[2], frame[3])
      else if (frame[1] !== outstanding?.id) return
      else if (frame[0] === 3) settle({ type: 'result', payload: (frame[2] ?? {}) as Payload })
      else if (frame[0] === 4) settle({ type: 'error', code: String(frame[2]), description: String(frame[3] ?? '') })
    },
  }
}
