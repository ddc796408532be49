// A guest's receipt is the receipt of its charge: the same number, and the same bytes, as the operator's portal gives.

import type { Session } from '../actors/records/session.js'
import { issueReceipt, printed } from './receipts.js'
import type { Answer } from './route.js'
import type { Services } from './services.js'

/** Throws what issuing and printing throw. */
export async function renderReceipt(session: Session, services: Services): Promise<Answer> {
  const receipt = await issueReceipt(session, services)
  return {
    status: 200,
    body: await printed('receipt-pdf', receipt, services),
    contentType: 'application/pdf',
    headers: { 'Content-Disposition': `inline; filename="receipt-${receipt.number}.pdf"` },
  }
}
