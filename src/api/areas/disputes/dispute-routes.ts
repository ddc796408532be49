// What the operator does about disputes: reads and answers them. Drivers open them in the portal.

import { Type } from 'typebox'
import { disputeDecided } from '../../../actors/charge-point/errors.js'
import { type Dispute, disputeStatuses, disputesTable } from '../../../records/dispute.js'
import { sessionsTable } from '../../../records/session.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPageByFields } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { operator } from '../../surfaces/operator.js'
import { type Principal, principalName } from '../../surfaces/principal.js'
import { limits } from '../portal/limits.js'
import { askAboutDispute, disputeSchema, disputeView } from './disputes.js'

const tags = ['Billing']
const disputeParams = Type.Object({ dispute_id: Type.String({ maxLength: 64 }) })

function ownDispute(view: ReadView, principal: Principal, disputeId: string): Dispute {
  const [found] = view.listBy(disputesTable, 'byId', [disputeId], { limit: 1 })
  if (found?.organization_id === principal.organization.organization_id) return found
  throw notFound('there is no such dispute')
}

const listDisputes = defineList({
  surface: operator,
  path: '/api/v1/billing/disputes',
  operationId: 'listDisputes',
  summary: 'List disputes, newest first',
  description: 'Drivers open them in the portal. The events `dispute.opened` and `dispute.updated` report the same.',
  tags,
  scopes: ['read:billing'],
  filters: { status: Type.Optional(Type.Enum([...disputeStatuses])) },
  name: 'disputes',
  row: disputeSchema,
  perPage: 50,
  maximum: 200,
  async read({ principal, query }, services) {
    const { rows, total } = await readPageByFields({
      view: services.view(),
      table: disputesTable,
      organizationId: principal.organization.organization_id,
      indexes: { status: 'byStatus' },
      wanted: query,
      query,
      between: undefined,
    })
    return { rows: rows.map(disputeView), total }
  },
})

const getDispute = defineRoute({
  method: 'GET',
  path: '/api/v1/billing/disputes/{dispute_id}',
  operationId: 'getDispute',
  summary: 'Read a dispute',
  tags,
  surface: operator,
  scopes: ['read:billing'],
  params: disputeParams,
  responses: { 200: disputeSchema },
  errors: [notFound],
  sheddable: 'never',
  handle: ({ principal, params }, services) => ({
    status: 200,
    body: disputeView(ownDispute(services.view(), principal, params.dispute_id)),
  }),
})

const answerDispute = defineRoute({
  method: 'PATCH',
  path: '/api/v1/billing/disputes/{dispute_id}',
  operationId: 'answerDispute',
  summary: 'Answer a dispute',
  description:
    'A dispute that is `open` or `under_review` can become the other, `accepted` or `rejected`; these two are final (409 ' +
    '`dispute_decided`), and only the note can change afterwards. To accept it, give the `amount` that the session is to cost, with tax: ' +
    'at most what it costs now, and in whole minor units of its currency. It corrects the cost of the session: the breakdown has an adjustment, ' +
    'the receipt gets a new revision, and the next invoice has the difference. The driver reads status, note and amount in the portal.',
  tags,
  surface: operator,
  scopes: ['write:billing'],
  params: disputeParams,
  body: Type.Object({
    status: Type.Optional(Type.Enum([...disputeStatuses])),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, description: 'The answer, which the driver reads.' }),
    ),
    amount: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.expectedCost,
        description: 'What the session is to cost, with tax. Only with the status `accepted`, which needs it.',
      }),
    ),
  }),
  responses: { 200: disputeSchema },
  errors: [notFound, disputeDecided, overloaded],
  sheddable: 'never',
  examples: {
    review: { status: 'under_review' },
    accept: { status: 'accepted', amount: 4.5, note: 'The charger had failed: idle time is taken off.' },
    reject: { status: 'rejected', note: 'The car was plugged in for three hours after it was full.' },
  },
  async handle({ principal, params, body }, services) {
    const view = services.view()
    const { session_id: sessionId, ordinal } = ownDispute(view, principal, params.dispute_id)
    const { status, note, amount } = body
    if (status === undefined && note === undefined)
      throw invalid([{ path: '', message: 'must have a status or a note' }])
    const session = view.get(sessionsTable, [sessionId])
    if (session === undefined) throw notFound('there is no such dispute')
    const by = principalName(principal)
    const message = { type: 'decide-dispute', sessionId, ordinal, status, note, amount, by } as const
    const dispute = await askAboutDispute(services, session.charge_point_id, message)
    return { status: 200, body: disputeView(dispute) }
  },
})

export const disputeRoutes = [listDisputes, getDispute, answerDispute]
