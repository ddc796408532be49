// What the operator does about disputes: reads and answers them. Drivers open them in the portal.

import { Type } from 'typebox'
import { disputeDecided } from '../../../actors/charge-point/errors.js'
import { disputeStatuses } from '../../../records/dispute.js'
import { sessionsTable } from '../../../records/session.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { lines } from '../../../runtime/fault-words.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { principalName } from '../../surfaces/principal.js'
import { area, disputes } from './area.js'
import { askAboutDispute, disputeSchema, disputeView } from './disputes.js'
import { limits } from './limits.js'

const routes = readRoutes(area, disputes, { schema: disputeSchema, show: disputeView })

const listDisputes = routes.list({
  operationId: 'listDisputes',
  summary: 'List disputes, newest first',
  description:
    'Drivers open disputes in the portal. The events `dispute.opened` and `dispute.updated` report the same.',
  filters: {
    status: Type.Optional(Type.Enum([...disputeStatuses], { description: 'Returns only disputes with this status.' })),
  },
  indexes: { status: 'byStatus' },
  newestFirst: true,
  name: 'disputes',
})

const getDispute = routes.get({ operationId: 'getDispute', summary: 'Get a dispute' })

const answerDispute = area.route({
  method: 'PATCH',
  path: '/{dispute_id}',
  operationId: 'answerDispute',
  summary: 'Answer a dispute',
  description:
    'A dispute that is `open` or `under_review` can change to the other of these, or become `accepted` or `rejected`, which is final: ' +
    'from then on only the note can change, and any other change returns 409 `dispute_decided`. To accept a dispute, give the `amount` ' +
    'that the session is to cost, including tax: at most its present cost, in whole minor units of its currency. The service then ' +
    'corrects the cost of the session: the breakdown gets an adjustment, the receipt gets a new revision, and the next invoice contains ' +
    'the difference. The driver sees the status, the note and the amount in the portal.',
  of: disputes,
  body: Type.Object({
    status: Type.Optional(Type.Enum([...disputeStatuses])),
    note: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2_000, ...lines, description: 'The answer, which the driver sees.' }),
    ),
    amount: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: limits.disputedAmount,
        description:
          'What the session is to cost, including tax. Required to accept a dispute, and only allowed with the status `accepted`.',
      }),
    ),
  }),
  responses: { 200: disputeSchema },
  errors: [disputeDecided, overloaded],
  examples: {
    review: { status: 'under_review' },
    accept: {
      status: 'accepted',
      amount: 4.5,
      note: 'The charge point had failed, so we have removed the idle time.',
    },
    reject: { status: 'rejected', note: 'The car was plugged in for three hours after it was full.' },
  },
  async handle({ row: { session_id: sessionId, ordinal }, principal, body }, services) {
    const { status, note, amount } = body
    if (status === undefined && note === undefined)
      throw invalid([{ path: '', message: 'must have a status or a note' }])
    const session = services.view().get(sessionsTable, [sessionId])
    if (session === undefined) throw notFound('there is no such dispute')
    const by = principalName(principal)
    const message = { type: 'decide-dispute', sessionId, ordinal, status, note, amount, by } as const
    const dispute = await askAboutDispute(services, session.charge_point_id, message)
    return { status: 200, body: disputeView(dispute, { view: services.view() }) }
  },
})

export const disputeRoutes = [listDisputes, getDispute, answerDispute]
