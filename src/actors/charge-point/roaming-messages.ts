// What a charge point's actor asks roaming partners whether a driver may charge, and tells itself when they have said so.

import type { AskedToken } from '../../ocpi/authorization-call.js'
import type { OcpiCall } from '../../ocpi/call.js'
import type { AuthorizeRequest, RawMessageId, StartTransactionRequest } from '../../ocpp16/index.js'
import type { JobOutcome } from '../../runtime/actor/actor.js'

/** What partners are asked, in the order of the calls. */
export interface RoamingQuestion {
  readonly calls: readonly OcpiCall[]
  readonly asked: AskedToken
}

/** The request that waits: it is in the message itself, so that nothing is lost with the actor's memory. */
export type WaitingRequest =
  | { readonly by: 'card'; readonly request: AuthorizeRequest }
  | { readonly by: 'start'; readonly request: StartTransactionRequest; readonly connectorId: number }

export interface RoamingAnsweredMessage {
  readonly type: 'roaming-answered'
  readonly organizationId: string
  readonly waiting: WaitingRequest
  /** Where its answer goes. */
  readonly to: { readonly connection: number; readonly messageId: RawMessageId }
  /** Wall ms. */
  readonly receivedAt: number
  readonly question: RoamingQuestion
  /** Of the job, whose value is an OcpiAuthorizationResult. */
  readonly outcome: JobOutcome
  /** The charge point has been answered: what is left is to write it down. */
  readonly isTold?: true
}
