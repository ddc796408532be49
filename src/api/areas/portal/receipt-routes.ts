// The receipt of a session, as a PDF.

import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { sessions } from '../sessions/area.js'
import { sessionNotEnded } from '../sessions/errors.js'
import { area } from './area.js'
import { renderReceipt } from './receipts.js'

const getReceipt = area.route({
  method: 'GET',
  path: '/{session_id}/receipt',
  operationId: 'getReceipt',
  summary: 'Get the receipt of a session as a PDF',
  description:
    "The first request issues the receipt under the organization's next number; later requests return the same bytes. If the cost is " +
    'corrected afterwards, the receipt gets a new revision under the same number.',
  of: sessions,
  responses: { 200: 'application/pdf' },
  errors: [sessionNotEnded, sessionNotPriced],
  sheddable: 'list',
  handle: ({ row }, services) => renderReceipt(row, services),
})

export const receiptRoutes = [getReceipt]
