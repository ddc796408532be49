// The receipt of a session, as a PDF.

import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { notFound } from '../../../runtime/errors.js'
import { defineRoute } from '../../pipeline/route.js'
import { operator } from '../../surfaces/operator.js'
import { sessions } from '../sessions/area.js'
import { sessionNotEnded } from '../sessions/errors.js'

import { renderReceipt } from './receipts.js'

const getReceipt = defineRoute({
  method: 'GET',
  path: '/api/v1/portal/sessions/{session_id}/receipt',
  operationId: 'getReceipt',
  summary: 'Read the receipt of a session, as a PDF',
  description:
    'The first request issues the receipt with the next number of the organization; later ones get the same bytes. ' +
    'A cost that is corrected afterwards makes a new revision under the same number.',
  tags: ['Portal'],
  surface: operator,
  scopes: ['read:sessions'],
  params: sessions.params,
  responses: { 200: 'application/pdf' },
  errors: [notFound, sessionNotEnded, sessionNotPriced],
  sheddable: 'list',
  handle({ principal, params }, services) {
    return renderReceipt(sessions.own(services.view(), principal, params.session_id), services)
  },
})

export const receiptRoutes = [getReceipt]
