// Transaction messages that no session explains: their list, and the session that somebody finds them to be of.

import { type Static, Type } from 'typebox'
import { alreadyAttached, chargePointMismatch, sessionCompleted } from '../../../actors/charge-point/errors.js'
import { type AttachReply, chargePointAddress } from '../../../actors/charge-point/messages.js'
import {
  type UnmatchedTransaction,
  unmatchedStatus,
  unmatchedStatuses,
  unmatchedTransactionsTable,
} from '../../../records/session.js'
import { errorKind, notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { defineList } from '../../pipeline/list-route.js'
import { type List, readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { anyObject, chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { principalName } from '../../surfaces/principal.js'
import { sessionSchema, sessionView } from './sessions.js'

const unmatchedSchema = named('UnmatchedTransaction', {
  unmatched_id: Type.String(),
  charge_point_id: Type.String(),
  received_at: timestamp(),
  action: Type.String({ description: 'the OCPP action' }),
  payload: anyObject('as the charge point sent it'),
  why: Type.String(),
  status: Type.Enum([...unmatchedStatuses]),
  session_id: nullable(Type.String({ description: 'the session that it was attached to' })),
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

const listUnmatched = defineList({
  surface: operator,
  path: '/api/v1/sessions/unmatched',
  operationId: 'listUnmatchedTransactions',
  summary: 'List transaction messages that no session explains, newest first',
  description: 'Those that have been attached to a session are listed by `status=attached`.',
  tags: ['Sessions'],
  scopes: ['read:sessions'],
  filters: {
    charge_point_id: Type.Optional(chargePointId()),
    status: Type.Enum([...unmatchedStatuses], { default: 'open' }),
  },
  name: 'unmatched',
  row: unmatchedSchema,
  perPage: 20,
  maximum: 200,
  read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const { status, charge_point_id } = query
    const list: List =
      charge_point_id === undefined
        ? { index: 'byStatus', group: [organization_id, status] }
        : { index: 'byChargePointStatus', group: [organization_id, charge_point_id, status] }
    const options = { view: services.view(), table: unmatchedTransactionsTable, list, query, newestFirst: true }
    const { rows, total } = readPage(options)
    return { rows: rows.map(unmatchedView), total }
  },
})

const attachUnmatched = defineRoute({
  method: 'POST',
  path: '/api/v1/sessions/unmatched/{unmatched_id}/attach',
  operationId: 'attachUnmatchedTransaction',
  summary: 'Attach a kept StopTransaction to the session that it is of',
  description:
    'Ends the session as the message would have when it arrived, and prices it. The session must be of the same charge point ' +
    '(409 `charge_point_mismatch`) and not have been ended by its own StopTransaction (409 `session_completed`). Attaching it to the ' +
    'same session again changes nothing; to another one is 409 `already_attached`.',
  tags: ['Sessions'],
  surface: operator,
  scopes: ['write:sessions'],
  params: Type.Object({ unmatched_id: Type.String({ maxLength: 64 }) }),
  body: Type.Object({ session_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: Type.Object({ unmatched: unmatchedSchema, session: sessionSchema }) },
  errors: [notFound, alreadyAttached, chargePointMismatch, sessionCompleted, overloaded],
  sheddable: 'never',
  examples: { session: { session_id: 'ses_01J9ZQ5V7T3M8K2N4P6R8S0T2V' } },
  async handle({ principal, params, body }, services) {
    const unmatched = services.view().get(unmatchedTransactionsTable, [params.unmatched_id])
    if (unmatched?.organization_id !== principal.organization.organization_id)
      throw notFound('there is no such unmatched transaction')
    const message = {
      type: 'attach-unmatched',
      unmatchedId: unmatched.unmatched_id,
      sessionId: body.session_id,
      by: principalName(principal),
    }
    const to = chargePointAddress(unmatched.charge_point_id)
    const reply = (await askActor(services, to, message)) as AttachReply
    if (reply.type === 'refused') throw errorKind(reply.code)(reply.message)
    const session = sessionView(services.view(), reply.session, services.clock.now())
    return { status: 200, body: { unmatched: unmatchedView(reply.unmatched), session } }
  },
})

export const unmatchedRoutes = [listUnmatched, attachUnmatched]
