// A call to a roaming partner as actors and routes ask for it, and what came of it (OCPI 2.2.1, 4.1). It is made by src/jobs/ocpi/, with places
// of its own for each partner: one that hangs holds up no other.

import type { OcpiTokenEncoding } from '../records/ocpi-partner.js'
import type { OcpiPartyId } from '../records/ocpi-party.js'
import type { OutboundFailure } from '../runtime/outbound-jobs.js'
import type { CallToken } from './call-token.js'

/** The job: its input is an OcpiCall, its value an OcpiOutcome. */
export const ocpiCallJob = 'ocpi-call'

/** Who speaks to whom (4.1.9). `to` is left out where a hub shall find out. */
export interface OcpiRouting {
  readonly from: OcpiPartyId
  readonly to?: OcpiPartyId
}

export interface OcpiCall {
  /** The partner, whose places it takes. */
  readonly owner: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly token: CallToken
  readonly tokenEncoding: OcpiTokenEncoding
  /** Of functional modules alone: never of versions, credentials and hubclientinfo. */
  readonly routing?: OcpiRouting
  /** Kept from the call that this one is a consequence of; a new one otherwise. X-Request-ID is always new. */
  readonly correlationId?: string
  /** What of the answer's `data` is wanted: nothing unless said, so that no thread is handed what nobody reads. */
  readonly wants?: 'data' | 'list'
  /** For all of it. At most `limits.outboundTimeoutMs` of src/jobs/outbound/. */
  readonly timeoutMs: number
}

/** What was sent and what came back, as far as it is shown to people: without tokens, and with bodies cut. */
export interface OcpiShown {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body?: string }
  /** Absent where no answer came. */
  readonly answer?: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }
}

interface Ended {
  readonly milliseconds: number
  readonly shown: OcpiShown
}

interface Undone extends Ended {
  /** What went wrong, in a sentence for the people of both sides. */
  readonly message: string
}

export type OcpiOutcome =
  /** HTTP 2xx, and a status_code of 1xxx. */
  | (Ended & {
      readonly type: 'delivered'
      readonly httpStatus: number
      readonly statusCode: number
      /** Of a call that wants it. */
      readonly data?: unknown
      /**
       * Of a call that wants a list: its objects, several together as the text of a JSON list, null in the place of one that is too long. Whoever takes
       * them reads one text after the other.
       */
      readonly list?: readonly string[]
      /** Where a CDR is to be found. */
      readonly location?: string
      /** The next page of a list, as it stands in `Link`. */
      readonly next?: string
      readonly totalCount?: number
    })
  /** An answer that says no: of HTTP, of OCPI or of both. */
  | (Undone & {
      readonly type: 'refused'
      readonly httpStatus: number
      readonly statusCode?: number
      readonly retryAfter?: string
    })
  /** HTTP 2xx and no envelope of OCPI. */
  | (Undone & { readonly type: 'unreadable'; readonly httpStatus: number })
  /** Redirects are not followed. */
  | (Undone & { readonly type: 'redirected'; readonly httpStatus: number })
  /** No answer. sealed: it was not called, because its token cannot be read. */
  | (Undone & { readonly type: 'failed'; readonly reason: OutboundFailure | 'sealed' })

/** An object of OCPI arrived, or an operation was carried out. */
export function isDelivered(outcome: OcpiOutcome): outcome is Extract<OcpiOutcome, { readonly type: 'delivered' }> {
  return outcome.type === 'delivered'
}
