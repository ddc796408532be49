// What the charge-point actor is told of disputes, and what it answers.

import type { Dispute, DisputeStatus } from '../../records/dispute.js'
import type { Session } from '../../records/session.js'
import type { ErrorCode } from '../../runtime/errors.js'

/** A driver disputes what a session cost; the ask is answered with a DisputeReply. */
export interface OpenDisputeMessage {
  readonly type: 'open-dispute'
  readonly sessionId: string
  readonly reason: string
  /** In the currency of the session. */
  readonly expectedCost?: number | undefined
  /** Whose request it is. */
  readonly by?: string
}

/** What the operator answers; the ask is answered with a DisputeReply. What is left out stays. */
export interface DecideDisputeMessage {
  readonly type: 'decide-dispute'
  readonly sessionId: string
  readonly ordinal: number
  readonly status?: DisputeStatus | undefined
  readonly note?: string | undefined
  /** What the session is to cost, with tax; with `accepted` alone. */
  readonly amount?: number | undefined
  /** Who answers. */
  readonly by: string
}

export type DisputeReply =
  | { readonly type: 'dispute'; readonly dispute: Dispute; readonly session: Session }
  /** `path`: the field of the request that is at fault. */
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string; readonly path?: string }
