// OCPP-J's request and answer (OCPP-J 1.6, 4): at most one CALL of ours is outstanding, answers are matched by message
// id, and CALLs of the other side are handed on. It decides nothing about what is sent, or when, and gives up on nothing by itself.

export type Payload = Readonly<Record<string, unknown>>

export type CallOutcome =
  | { readonly type: 'result'; readonly payload: Payload }
  | { readonly type: 'error'; readonly code: string; readonly description: string }
  /** An answer under the right id that is neither. */
  | { readonly type: 'malformed'; readonly text: string }
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

/** A CALL of the central system, as it came. */
export interface ReceivedCall {
  readonly id: unknown
  readonly action: unknown
  readonly payload: unknown
}

export interface CallChannelOptions {
  /** Monotonic ms. */
  readonly now: () => number
  /** Unique over all connections and processes as a rule: a central system may match ids across them. */
  readonly nextMessageId: () => string
  /** `reply` sends a frame over the connection that the call came over, and only while that is the one in use. */
  readonly called: (call: ReceivedCall, reply: (frame: string) => void) => void
  /** Frames that are nothing a charge point could make use of, by kind. */
  readonly unexpected?: (kind: string) => void
}

/** Functions only: with an accessor of its own each channel would have another shape, and thousands of them cost half as much again. */
export interface CallChannel {
  /** A call is outstanding. */
  busy(): boolean
  /** Whether a call may be sent: connected, and none outstanding. */
  free(): boolean
  /** When the outstanding call, or the last, was sent, ms. */
  sentAt(): number
  attach(send: (text: string) => void): void
  /** The outstanding call ends as lost. */
  detach(): void
  /** Only when `free`; `payload` is JSON. */
  call(action: string, payload: string, settle: (outcome: CallOutcome) => void): void
  /** The outstanding call ends without an answer; one that comes later counts for nothing. */
  expire(): void
  receive(text: string): void
}

const lost: CallOutcome = { type: 'lost' }
const timeout: CallOutcome = { type: 'timeout' }

export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function createCallChannel(options: CallChannelOptions): CallChannel {
  const { now, nextMessageId, called, unexpected } = options
  let send: ((text: string) => void) | undefined
  let expected = ''
  let sentAt = 0
  let outstanding: ((outcome: CallOutcome) => void) | undefined

  function settle(outcome: CallOutcome): void {
    const settled = outstanding
    outstanding = undefined
    settled?.(outcome)
  }

  function callReceived(id: unknown, action: unknown, payload: unknown): void {
    const over = send
    called({ id, action, payload }, (frame) => {
      if (over === send) over?.(frame)
    })
  }

  return {
    busy: () => outstanding !== undefined,
    free: () => send !== undefined && outstanding === undefined,
    sentAt: () => sentAt,
    attach(newSend) {
      send = newSend
    },
    detach() {
      send = undefined
      settle(lost)
    },
    call(action, payload, settled) {
      if (send === undefined || outstanding !== undefined) throw new Error('a call is outstanding, or no connection')
      expected = nextMessageId()
      sentAt = now()
      outstanding = settled
      send(`[2,"${expected}","${action}",${payload}]`)
    },
    expire: () => settle(timeout),
    receive(text) {
      let frame: unknown
      try {
        frame = JSON.parse(text)
      } catch {
        frame = undefined
      }
      if (!Array.isArray(frame)) unexpected?.('a frame that is no JSON array')
      else if (frame[0] === 2) callReceived(frame[1], frame[2], frame[3])
      else if (outstanding === undefined || frame[1] !== expected) unexpected?.('an answer to nothing, or too late')
      else if (frame[0] === 3 && isObject(frame[2] ?? {})) settle({ type: 'result', payload: frame[2] ?? {} })
      else if (frame[0] === 4) settle({ type: 'error', code: String(frame[2]), description: String(frame[3] ?? '') })
      else settle({ type: 'malformed', text })
    },
  }
}

/** The frame that a call is answered with: what `handle` returns, or the CALLERROR that it throws. */
export function answerFrame(
  { id, action, payload }: ReceivedCall,
  handle: (action: string, payload: Payload) => Payload,
): { readonly frame: string; readonly isResult: boolean } {
  try {
    if (typeof action !== 'string') throw new CallError('ProtocolError', 'no action')
    return { frame: JSON.stringify([3, id, handle(action, (payload ?? {}) as Payload)]), isResult: true }
  } catch (error) {
    const code = error instanceof CallError ? error.code : 'InternalError'
    return {
      frame: JSON.stringify([4, id, code, error instanceof Error ? error.message : '', {}]),
      isResult: false,
    }
  }
}
