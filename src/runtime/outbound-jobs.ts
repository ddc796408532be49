// What other threads may ask of the outbound thread, the only one that calls addresses that others chose: its jobs by name, and their shapes.

/** Jobs that run in the outbound thread. Every other job runs in the job threads. */
export const outboundJobs = ['http-request', 'check-url'] as const

export type OutboundJob = (typeof outboundJobs)[number]

/** Input of `http-request`; its value is an OutboundOutcome. */
export interface OutboundRequest {
  /** Whose turn it takes. */
  readonly organization_id?: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** For all of it: resolving, connecting, sending, and the whole answer. At most `limits.outboundTimeoutMs`. */
  readonly timeoutMs: number
  /** Whether the text of the answer's body is wanted. */
  readonly readBody?: boolean
  /** Bytes of the body that are read; `limits.outboundAnswerBytes` unless given, and `limits.outboundLongAnswerBytes` at most. */
  readonly answerBytes?: number
}

/** Headers of an answer that are handed on. */
export const answerHeaders = ['content-type', 'location', 'retry-after', 'link', 'x-total-count'] as const

export type AnswerHeaders = { readonly [Name in (typeof answerHeaders)[number]]?: string }

/** `unsafe_address`: nothing was connected to. `unresolved`: no name server had an address. `protocol`: not HTTP, or not within its bounds. */
export type OutboundFailure = 'timeout' | 'unsafe_address' | 'unresolved' | 'connection' | 'tls' | 'protocol'

export type OutboundOutcome =
  | {
      readonly type: 'answered'
      /** As it came: a redirect is an answer, and is not followed. */
      readonly status: number
      readonly headers: AnswerHeaders
      /** With `readBody`: the body as it came, not decompressed, cut at its bound. */
      readonly body?: string
      /** Something of the body was cut off. */
      readonly isCut?: true
      readonly milliseconds: number
    }
  | {
      readonly type: 'failed'
      readonly reason: OutboundFailure
      /** For whoever chose the address; says nothing of the network that the service is in. */
      readonly message: string
      readonly milliseconds: number
    }

/** Input of `check-url`; its value is undefined, or why the URL is refused. */
export interface CheckUrlInput {
  /** As above. */
  readonly organization_id?: string
  readonly url: string
}

export function isOutboundJob(job: string): job is OutboundJob {
  return (outboundJobs as readonly string[]).includes(job)
}
