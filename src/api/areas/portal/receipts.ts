// Receipts of sessions: issued once, with the organization's next number, kept as they were printed, and printed in the job pool.

import { balanceView } from '../../../actors/guest-session/balance.js'
import { canonicalJson } from '../../../pricing/tariff-snapshot.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import type { GuestSession } from '../../../records/guest-session.js'
import { issuerOf, paperLayout } from '../../../records/issuer.js'
import { defaultTimeZone, organizationsTable } from '../../../records/organization.js'
import { type Receipt, type ReceiptDocument, type ReceiptPayment, receiptsTable } from '../../../records/receipt.js'
import { type Session, sessionsTable } from '../../../records/session.js'
import { overloaded } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import type { Draft } from '../../pipeline/draft.js'
import { nextNumber } from '../../pipeline/next-number.js'
import { printPdf } from '../../pipeline/print-pdf.js'
import type { Answer } from '../../pipeline/route.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { guestOfSession } from '../sessions/guest-payment.js'
import { costAtEnd } from '../sessions/session-price.js'
import { limits } from './limits.js'

/**
 * The receipt of a session that has ended; issued now if it never was, and revised if the cost has been corrected since. It is on disk
 * before it is printed: a number stands on one receipt only. Throws `session_not_ended`, `session_not_priced`, `storage_unavailable`.
 */
function issueReceipt(session: Session, services: Services): Promise<Receipt> {
  const now = formatTimestamp(services.clock.now())
  return commitDraft(
    {
      attempts: limits.documentNumberAttempts,
      decide: (draft) => issuedIn(draft, session, now),
      otherwise: () => overloaded('too many receipts are being issued at the same time; try again'),
    },
    services,
  )
}

function issuedIn(draft: Draft, asked: Session, now: string): Receipt {
  const { session_id, organization_id } = asked
  // Session and cost are of one moment, also when it runs again.
  const session = draft.view.get(sessionsTable, [session_id]) ?? asked
  const before = draft.get(receiptsTable, [session_id])
  const document = documentOf(draft, session, before?.document)
  const printed = { revised_at: now, layout: paperLayout, document }
  if (before === undefined)
    return draft.put(receiptsTable, {
      session_id,
      organization_id,
      number: `R-${nextNumber(draft, organization_id, 'receipt')}`,
      revision: 1,
      issued_at: now,
      ...printed,
    })
  if (canonicalJson(before.document) === canonicalJson(document)) return before
  return draft.put(receiptsTable, { ...before, revision: before.revision + 1, ...printed })
}

/** What is printed. A revision keeps seller and place as they were: it corrects the cost, and says how it is paid. */
function documentOf(draft: Draft, session: Session, before: ReceiptDocument | undefined): ReceiptDocument {
  const { view } = draft
  const { priced, ended_at } = costAtEnd(view, session)
  const { trace, ...cost } = priced
  const organization = draft.get(organizationsTable, [session.organization_id])
  const guest = guestOfSession(view, session)
  return {
    seller: before?.seller ?? issuerOf(organization),
    place: before?.place ?? placeOf(draft, session),
    session: {
      session_id: session.session_id,
      transaction_id: session.transaction_id,
      id_tag: session.id_tag,
      started_at: session.started_at,
      ended_at,
      time_zone: before?.session.time_zone ?? organization?.time_zone ?? defaultTimeZone,
      energy_wh: trace.energy.measured_wh,
      estimated: session.status === 'estimated',
    },
    tariff: { name: trace.tariff.name, band: trace.tariff.band },
    cost,
    minor_units: trace.rounding.minor_units,
    ...(guest !== undefined && { payment: paymentOf(guest, cost.currency) }),
  }
}

/** What was set aside in another currency pays nothing of the cost. */
function paymentOf(guest: GuestSession, currency: string): ReceiptPayment {
  const { payment } = guest
  const { captured_amount, refunded_amount } = balanceView(guest)
  const isOfCost = payment.currency === currency
  const refunded_at = payment.refunds?.findLast(({ status }) => status === 'refunded')?.refunded_at
  return {
    is_pending: payment.status === 'authorized' || payment.status === 'capture_pending',
    captured: isOfCost ? (captured_amount ?? 0) : 0,
    ...(payment.captured_at !== undefined && { captured_at: payment.captured_at }),
    refunded: isOfCost ? refunded_amount : 0,
    ...(refunded_at !== undefined && { refunded_at }),
    ...(payment.authorization !== undefined && { reference: payment.authorization }),
  }
}

function placeOf(draft: Draft, session: Session): ReceiptDocument['place'] {
  const { charge_point_id, connector_id, organization_id } = session
  const found = draft.get(chargePointsTable, [charge_point_id])
  const own = found?.organization_id === organization_id ? found : undefined
  return { charge_point_id, connector_id, ...(own !== undefined && { name: own.name, address: own.address }) }
}

/** The same number, and the same bytes, for whoever asks. Throws what issuing and printing throw. */
export async function renderReceipt(session: Session, services: Services): Promise<Answer> {
  const receipt = await issueReceipt(session, services)
  return printPdf('receipt-pdf', receipt, `receipt-${receipt.number}`, services)
}
