// Disputes as callers see them: operators whole, drivers what was answered.

import { type Static, Type } from 'typebox'
import type {
  DecideDisputeMessage,
  DisputeReply,
  OpenDisputeMessage,
} from '../../../actors/charge-point/dispute-messages.js'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import { type Dispute, disputeStatuses, lastDispute } from '../../../records/dispute.js'
import { errorKind } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { actorName } from '../../surfaces/actor-name.js'

const answer = {
  dispute_id: Type.String(),
  status: Type.Enum([...disputeStatuses]),
  note: nullable(Type.String({ description: "The operator's answer." })),
  accepted_amount: nullable(Type.Number({ description: 'The cost of the session since the dispute was accepted.' })),
  created_at: timestamp(),
  updated_at: timestamp(),
}

export const disputeSchema = named('Dispute', {
  ...answer,
  session_id: Type.String(),
  reason: Type.String(),
  expected_cost: nullable(Type.Number()),
  disputed_cost: Type.Number({ description: 'The cost of the session when it was disputed.' }),
  currency: Type.String(),
  opened_by: nullable(Type.String({ description: 'Whose request has opened it.' })),
  opened_by_name: nullable(Type.String({ description: 'The name of that key or member; `opened_by` without one.' })),
  updated_by: nullable(Type.String({ description: 'Who made the last change.' })),
  updated_by_name: nullable(Type.String({ description: 'The name of that key or member; `updated_by` without one.' })),
})

/** On a session: its last dispute. */
export const sessionDisputeSchema = nullable(named('SessionDispute', answer))

export function disputeView(dispute: Dispute, { view }: { readonly view: ReadView }): Static<typeof disputeSchema> {
  const { organization_id, opened_by, updated_by } = dispute
  const nameOf = (by: string | undefined) => (by === undefined ? null : actorName(view, organization_id, by))
  return {
    ...answerView(dispute),
    session_id: dispute.session_id,
    reason: dispute.reason,
    expected_cost: dispute.expected_cost ?? null,
    disputed_cost: dispute.disputed_cost,
    currency: dispute.currency,
    opened_by: opened_by ?? null,
    opened_by_name: nameOf(opened_by),
    updated_by: updated_by ?? null,
    updated_by_name: nameOf(updated_by),
  }
}

function answerView(dispute: Dispute) {
  return {
    dispute_id: dispute.dispute_id,
    status: dispute.status,
    note: dispute.note ?? null,
    accepted_amount: dispute.accepted_amount ?? null,
    created_at: dispute.created_at,
    updated_at: dispute.updated_at ?? dispute.created_at,
  }
}

export function sessionDisputeView(view: ReadView, sessionId: string) {
  const dispute = lastDispute(view, sessionId)
  return dispute === undefined ? null : answerView(dispute)
}

/** Has the actor that owns the session's disputes take a message. Throws what it refuses. */
export async function askAboutDispute(
  services: Services,
  chargePointId: string,
  message: OpenDisputeMessage | DecideDisputeMessage,
): Promise<Dispute> {
  const reply = (await askActor(services, chargePointAddress(chargePointId), message)) as DisputeReply
  if (reply.type === 'dispute') return reply.dispute
  const { code, message: text, path } = reply
  if (path !== undefined) throw invalid([{ path, message: text }])
  throw errorKind(code)(text)
}
