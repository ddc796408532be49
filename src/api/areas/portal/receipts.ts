// Receipts of sessions: issued once, with the organization's next number, kept as they were printed, and printed in the job pool.

import { balanceView } from '../../../actors/guest-session/balance.js'
import { canonicalJson } from '../../../pricing/tariff-snapshot.js'
import { chargePointsTable } from '../../../records/charge-point.js'
import { type DocumentNumber, documentNumbersTable } from '../../../records/document-number.js'
import type { GuestSession } from '../../../records/guest-session.js'
import { issuerOf, paperLayout } from '../../../records/issuer.js'
import { defaultTimeZone, organizationsTable } from '../../../records/organization.js'
import type { PrintInput, PrintJob } from '../../../records/print-jobs.js'
import { type Receipt, type ReceiptDocument, type ReceiptPayment, receiptsTable } from '../../../records/receipt.js'
import type { Session } from '../../../records/session.js'
import { overloaded, storageUnavailable } from '../../../runtime/errors.js'
import type { Change, Condition, ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import type { Answer } from '../../pipeline/route.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { guestOfSession } from '../sessions/guest-payment.js'
import { costAtEnd } from '../sessions/session-price.js'
import { limits } from './limits.js'

interface Issue {
  readonly receipt: Receipt
  readonly changes: readonly Change[]
  readonly conditions: readonly Condition[]
}

/**
 * The receipt of a session that has ended; issued now if it never was, and revised if the cost has been corrected since.
 * Throws `session_not_ended`, `session_not_priced`, `storage_unavailable`.
 */
export async function issueReceipt(session: Session, services: Services): Promise<Receipt> {
  for (let attempt = 1; attempt <= limits.documentNumberAttempts; attempt++) {
    const issue = nextIssue(services.view(), session, formatTimestamp(services.clock.now()))
    if (issue.changes.length === 0) return issue.receipt
    const result = await services.commit(issue.changes, issue.conditions)
    if (result.ok) return issue.receipt
    // Another receipt of the organization took the number: this one takes the next.
    if (result.reason !== 'condition_failed')
      throw storageUnavailable('the store cannot take writes now; try again later')
  }
  throw overloaded('too many receipts are issued at the same time; try again')
}

function nextIssue(view: ReadView, session: Session, now: string): Issue {
  const before = view.get(receiptsTable, [session.session_id])
  const document = documentOf(view, session, before?.document)
  if (before !== undefined) {
    if (canonicalJson(before.document) === canonicalJson(document))
      return { receipt: before, changes: [], conditions: [] }
    const { version } = before
    const receipt = {
      ...before,
      version: version + 1,
      revision: before.revision + 1,
      revised_at: now,
      document,
      layout: paperLayout,
    }
    const unchanged = { table: receiptsTable.name, key: receiptsTable.key(before), is: 'version', version } as const
    return { receipt, changes: [putRow(receiptsTable, receipt)], conditions: [unchanged] }
  }
  const numbers = nextNumber(view, session.organization_id)
  const receipt: Receipt = {
    session_id: session.session_id,
    organization_id: session.organization_id,
    version: 1,
    number: `R-${String(numbers.row.last).padStart(6, '0')}`,
    revision: 1,
    issued_at: now,
    revised_at: now,
    layout: paperLayout,
    document,
  }
  const absent = { table: receiptsTable.name, key: receiptsTable.key(receipt), is: 'absent' } as const
  return {
    receipt,
    changes: [putRow(documentNumbersTable, numbers.row), putRow(receiptsTable, receipt)],
    conditions: [numbers.condition, absent],
  }
}

function nextNumber(view: ReadView, organizationId: string): { row: DocumentNumber; condition: Condition } {
  const key = [organizationId, 'receipt']
  const table = documentNumbersTable.name
  const before = view.get(documentNumbersTable, key)
  return {
    row: {
      organization_id: organizationId,
      series: 'receipt',
      version: (before?.version ?? 0) + 1,
      last: (before?.last ?? 0) + 1,
    },
    condition:
      before === undefined ? { table, key, is: 'absent' } : { table, key, is: 'version', version: before.version },
  }
}

/** What is printed. A revision keeps seller and place as they were: it corrects the cost, and says how it is paid. */
function documentOf(view: ReadView, session: Session, before: ReceiptDocument | undefined): ReceiptDocument {
  const { priced, ended_at } = costAtEnd(view, session)
  const { trace, ...cost } = priced
  const organization = view.get(organizationsTable, [session.organization_id])
  const guest = guestOfSession(view, session)
  return {
    seller: before?.seller ?? issuerOf(organization),
    place: before?.place ?? placeOf(view, session),
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

function placeOf(view: ReadView, session: Session): ReceiptDocument['place'] {
  const { charge_point_id, connector_id, organization_id } = session
  const found = view.get(chargePointsTable, [charge_point_id])
  const own = found?.organization_id === organization_id ? found : undefined
  return { charge_point_id, connector_id, ...(own !== undefined && { name: own.name, address: own.address }) }
}

/**
 * The receipt of a session as a PDF: the same number, and the same bytes, for whoever asks. Throws what issuing and printing
 * throw.
 */
export async function renderReceipt(session: Session, services: Services): Promise<Answer> {
  const receipt = await issueReceipt(session, services)
  return {
    status: 200,
    body: await printed('receipt-pdf', receipt, services),
    contentType: 'application/pdf',
    headers: { 'Content-Disposition': `inline; filename="receipt-${receipt.number}.pdf"` },
  }
}

/** How long an organization whose documents take their time to print should wait before it asks for more. */
const printRetryAfterSeconds = 5

/** A document as a PDF. Throws `overloaded` when too many of its organization, or of all, wait to be printed. */
export async function printed(job: PrintJob, document: PrintInput, services: Services): Promise<Uint8Array> {
  const outcome = await services.runJob(job, document)
  if (outcome.ok) return outcome.value as Uint8Array
  if (outcome.isRefused === true)
    throw overloaded('too many documents wait to be printed; try again later', {
      retryAfterSeconds: printRetryAfterSeconds,
    })
  services.log.error({ job, reason: outcome.message }, 'a document could not be printed')
  throw overloaded('the document could not be printed now; try again')
}
