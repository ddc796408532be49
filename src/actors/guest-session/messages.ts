// What a guest session's actor is asked and told, and what it answers.

import type { GuestSession } from '../../records/guest-session.js'
import type { JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { CommandEndedMessage, CommandReply } from '../messages/command.js'
import type { PaymentRequest } from './payment.js'

export * from '../messages/guest.js'

/** Answered with a GuestReply once the charge point has accepted the start, or it has come to nothing. */
export interface AuthorizeGuestMessage {
  readonly type: 'authorize'
  readonly session: Pick<
    GuestSession,
    'token_hash' | 'organization_id' | 'charge_point_id' | 'connector_id' | 'id_tag' | 'created_by'
  >
  /** The provider's token of the payment method; never stored. */
  readonly paymentMethod: string
  readonly amountMinor: number
  readonly currency: string
}

export interface PaymentAnsweredMessage {
  readonly type: 'payment-answered'
  readonly operation: PaymentRequest['operation']
  /** Of the request. */
  readonly key: string
  readonly outcome: JobOutcome
}

export type GuestSessionMessage =
  | AuthorizeGuestMessage
  /** Answered with a GuestReply when the charge has ended and the payment is settled, or after a while as it stands then. */
  | { readonly type: 'stop' }
  /** Told by the charge point's actor: its charge has begun, was metered, has ended, or was corrected. */
  | { readonly type: 'session-changed' }
  | PaymentAnsweredMessage
  | { readonly type: 'command-late'; readonly commandId: string }
  | { readonly type: 'waited-enough' }
  | CommandEndedMessage
  | WakeUpMessage

export type GuestReply =
  | { readonly type: 'guest'; readonly session: GuestSession }
  | { readonly type: 'declined'; readonly reason: string }
  | { readonly type: 'provider-unavailable' }
  /** The charge point did not accept; undefined where it was never heard of the command again. */
  | { readonly type: 'not-accepted'; readonly reply: CommandReply | undefined }
