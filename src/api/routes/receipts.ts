// The receipt of a session, as a PDF.

import { issueReceipt, printed } from '../receipts.js'
import { defineRoute } from '../route.js'
import { ownSession, sessionParams } from '../session-price.js'

const getReceipt = defineRoute({
  method: 'GET',
  path: '/api/v1/portal/sessions/{session_id}/receipt',
  operationId: 'getReceipt',
  summary: 'Read the receipt of a session, as a PDF',
  description:
    'The first request issues the receipt with the next number of the organization; later ones get the same bytes. ' +
    'A cost that is corrected afterwards makes a new revision under the same number.',
  tags: ['Portal'],
  credential: 'api_key',
  scopes: ['read:sessions'],
  params: sessionParams,
  responses: { 200: 'application/pdf' },
  errors: ['not_found', 'session_not_ended', 'session_not_priced'],
  sheddable: 'list',
  async handle({ principal, params }, services) {
    const session = ownSession(services.view(), principal, params.session_id)
    const receipt = await issueReceipt(session, services)
    const headers = { 'Content-Disposition': `inline; filename="receipt-${receipt.number}.pdf"` }
    return {
      status: 200,
      body: await printed('receipt-pdf', receipt, services),
      contentType: 'application/pdf',
      headers,
    }
  },
})

export const receiptRoutes = [getReceipt]
