// Transaction messages that match no session: their list, and the session to which somebody attaches one.

import { type Static, Type } from 'typebox'
import { alreadyAttached, chargePointMismatch, sessionCompleted } from '../../../actors/charge-point/errors.js'
import { type AttachReply, chargePointAddress } from '../../../actors/charge-point/messages.js'
import {
  type UnmatchedTransaction,
  unmatchedStatus,
  unmatchedStatuses,
  unmatchedTransactionsTable,
} from '../../../records/session.js'
import { errorKind, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { type List, readLongPage } from '../../pipeline/paging.js'
import { anyObject, chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { principalName } from '../../surfaces/principal.js'
import { area, unmatchedTransactions } from './area.js'
import { sessionSchema, sessionView } from './sessions.js'

const unmatchedSchema = named('UnmatchedTransaction', {
  unmatched_id: Type.String(),
  charge_point_id: Type.String(),
  received_at: timestamp(),
  action: Type.String({ description: 'The OCPP action.' }),
  payload: anyObject('The payload as the charge point sent it.'),
  why: Type.String(),
  status: Type.Enum([...unmatchedStatuses]),
  session_id: nullable(Type.String({ description: 'The session to which it was attached.' })),
  attached_at: nullable(timestamp()),
  attached_by: nullable(Type.String()),
})

function unmatchedView(row: UnmatchedTransaction): Static<typeof unmatchedSchema> {
  return {
    unmatched_id: row.unmatched_id,
    charge_point_id: row.charge_point_id,
    received_at: row.received_at,
    action: row.action,
    payload: row.payload as Record<string, unknown>,
    why: row.why,
    status: unmatchedStatus(row),
    session_id: row.attached_session_id ?? null,
    attached_at: row.attached_at ?? null,
    attached_by: row.attached_by ?? null,
  }
}

const listUnmatched = area.list('/unmatched', {
  operationId: 'listUnmatchedTransactions',
  summary: 'List transaction messages that match no session, newest first',
  description: '`status=attached` lists those that have since been attached to a session.',
  filters: {
    charge_point_id: Type.Optional(chargePointId()),
    status: Type.Enum([...unmatchedStatuses], {
      default: 'open',
      description: 'Returns only messages with this status.',
    }),
  },
  name: 'unmatched',
  row: unmatchedSchema,
  perPage: 20,
  maximum: 200,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const { status, charge_point_id } = query
    const list: List =
      charge_point_id === undefined
        ? { index: 'byStatus', group: [organization_id, status] }
        : { index: 'byChargePointStatus', group: [organization_id, charge_point_id, status] }
    const begin = services.longReads.of(organization_id)
    const options = { view: services.view(), begin, table: unmatchedTransactionsTable, list, query, newestFirst: true }
    const { rows, total } = await readLongPage(options)
    return { rows: rows.map(unmatchedView), total }
  },
})

const attachUnmatched = area.route({
  method: 'POST',
  path: '/unmatched/{unmatched_id}/attach',
  operationId: 'attachUnmatchedTransaction',
  summary: 'Attach an unmatched StopTransaction to its session',
  description:
    'Ends and prices the session as the message would have done when it arrived. The session must belong to the same charge point ' +
    '(otherwise 409 `charge_point_mismatch`), and must not have been ended by its own StopTransaction (otherwise 409 `session_completed`). ' +
    'Attaching the message to the same session again changes nothing; attaching it to another one returns 409 `already_attached`.',
  of: unmatchedTransactions,
  body: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: Type.Object({ unmatched: unmatchedSchema, session: sessionSchema }) },
  errors: [alreadyAttached, chargePointMismatch, sessionCompleted, overloaded],
  examples: { session: { session_id: 'ses_01J9ZQ5V7T3M8K2N4P6R8S0T2V' } },
  async handle({ row, principal, body }, services) {
    const message = {
      type: 'attach-unmatched',
      unmatchedId: row.unmatched_id,
      sessionId: body.session_id,
      by: principalName(principal),
    }
    const reply = (await askActor(services, chargePointAddress(row.charge_point_id), message)) as AttachReply
    if (reply.type === 'refused') throw errorKind(reply.code)(reply.message)
    const session = sessionView(services.view(), reply.session, services.clock.now())
    return { status: 200, body: { unmatched: unmatchedView(reply.unmatched), session } }
  },
})

export const unmatchedRoutes = [listUnmatched, attachUnmatched]
