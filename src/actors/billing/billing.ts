// Closes the months of one organization: puts what its sessions cost on invoices, each session once. What is unbilled decides, and no
// time span: a session that no invoice has is on the next one, whatever the clock did. It works in parts, so that a shard stays free;
// what it has written of a month that it did not finish is taken away before it begins again.
// The actor of the organization that issues the invoices gives them their numbers (number-invoices.ts).

import { invoicesQuarantined } from '../../alert-kinds/invoices-quarantined.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import {
  type BillingProgress,
  billingProgressTable,
  type InvoiceItem,
  invoiceItemsTable,
  unnumberedInvoicesTable,
} from '../../records/invoice.js'
import { issuerOf } from '../../records/issuer.js'
import { installationTable, organizationsTable } from '../../records/organization.js'
import {
  sessionCostsTable,
  type UnbilledSession,
  unbilledSession,
  unbilledSessionsTable,
} from '../../records/session-cost.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from '../../runtime/limits.js'
import type { Key } from '../../runtime/store/table.js'
import { dueMonth } from './due.js'
import { type BillingMessage, billingAddress, billingKind } from './messages.js'
import { addItem, type Drafts, type InvoiceFacts, invoicesOf, itemOf } from './month.js'
import { numberInvoices } from './number-invoices.js'
import type { Period } from './periods.js'

interface Closing {
  readonly period: Period
  readonly timeZone: string
  readonly drafts: Drafts
  phase: 'clear' | 'sessions'
  /** Where the list of unbilled sessions goes on, from its end to its beginning. */
  before: Key | undefined
}

export interface BillingState {
  closing: Closing | undefined
}

export const billing: ActorDefinition<BillingState, BillingMessage> = {
  kind: billingKind,
  load: () => ({ closing: undefined }),
  idle: (state) => state.closing === undefined,
  // Two words of invoices that wait must not number the same ones.
  readsItsWrites: true,
  quarantined: (context) =>
    noticeAtMostHourly(finding(invoicesQuarantined, { organizationId: context.id, subject: context.id }), context),
  handle(state, message, context) {
    if (message.type === 'number-invoices') return numberInvoices(context)
    if (message.type === 'step') return state.closing === undefined ? [] : step(state, state.closing, context)
    return state.closing === undefined ? begin(state, context) : []
  },
}

function begin(state: BillingState, context: Context): Effect[] {
  const organization = context.read().get(organizationsTable, [context.id])
  const due = organization && dueMonth(context.read(), organization, context.confirmed())
  if (due === undefined) return []
  state.closing = { ...due, drafts: new Map(), phase: 'clear', before: undefined }
  return [goOn(context)]
}

function goOn(context: Context): Effect {
  return effect.send(billingAddress(context.id), { type: 'step' } satisfies BillingMessage)
}

function step(state: BillingState, closing: Closing, context: Context): Effect[] {
  if (closing.phase === 'clear') return clear(closing, context)
  const effects = bill(closing, context)
  return closing.before === undefined ? [...effects, ...finish(state, closing, context)] : [...effects, goOn(context)]
}

/** What an earlier attempt at this month left is unbilled again: sessions may have been corrected since. */
function clear(closing: Closing, context: Context): Effect[] {
  const group = [context.id, closing.period.month]
  const left = context.read().listBy(invoiceItemsTable, 'byMonth', group, { limit: limits.rowsPerWalkStep })
  if (left.length === 0) closing.phase = 'sessions'
  return [...left.flatMap((item) => clearOne(item, context)), goOn(context)]
}

function clearOne(item: InvoiceItem, context: Context): Effect[] {
  const isUnbilled = context.read().list(unbilledSessionsTable, [item.session_id], { limit: 1 }).length > 0
  return [
    effect.remove(invoiceItemsTable, invoiceItemsTable.key(item)),
    ...(isUnbilled ? [] : [effect.put(unbilledSessionsTable, unbilledSession(item, context.confirmed()))]),
  ]
}

/** Unbilled sessions that were due before the end of the month, whenever that was: one part of their list, newest first. */
function bill(closing: Closing, context: Context): Effect[] {
  const limit = limits.rowsPerWalkStep
  const query = { to: closing.before ?? [closing.period.to], reverse: true, limit }
  const unbilled = context.read().listBy(unbilledSessionsTable, 'byDue', [context.id], query)
  const last = unbilled.at(-1)
  const isEnd = last === undefined || unbilled.length < limit
  closing.before = isEnd ? undefined : [last.due_at, ...unbilledSessionsTable.key(last)]
  return unbilled.flatMap((one) => billOne(closing, one, context))
}

function billOne(closing: Closing, unbilled: UnbilledSession, context: Context): Effect[] {
  const view = context.read()
  const cost = view.get(sessionCostsTable, [unbilled.session_id])
  const billed = view.listBy(invoiceItemsTable, 'bySession', [unbilled.session_id])
  // Corrected while the month is being closed: the difference is the next month's.
  if (billed.some(({ month }) => month === closing.period.month)) return []
  const item = cost === undefined ? undefined : itemOf(cost, billed, closing.period)
  const done = effect.remove(unbilledSessionsTable, unbilledSessionsTable.key(unbilled))
  if (cost === undefined || item === undefined) return [done]
  addItem(closing.drafts, item, cost.priced)
  return [effect.put(invoiceItemsTable, item), done]
}

/** Invoices and progress in one commit: the month is closed with all of them, or not at all. */
function finish(state: BillingState, closing: Closing, context: Context): Effect[] {
  const { period, timeZone, drafts } = closing
  const parties = partiesOf(context)
  const invoices = invoicesOf(drafts, { organizationId: context.id, period, timeZone, ...parties })
  const next: BillingProgress = {
    organization_id: context.id,
    closed_through: period.month,
    closed_until: period.to,
  }
  state.closing = undefined
  return [
    ...invoices.map((invoice) => effect.put(unnumberedInvoicesTable, invoice)),
    effect.put(billingProgressTable, next),
    effect.send(billingAddress(parties.issuerId), { type: 'number-invoices' } satisfies BillingMessage),
    // After a time without the service, more months may be over.
    effect.send(billingAddress(context.id), { type: 'close-months' } satisfies BillingMessage),
  ]
}

/** The operator of the installation bills its organizations; its own invoice sums up its own sessions, and nobody owes it. */
function partiesOf(context: Context): Pick<InvoiceFacts, 'issuerId' | 'issuer' | 'recipient'> {
  const view = context.read()
  const issuerId = view.get(installationTable, ['installation'])?.default_organization_id ?? context.id
  const issuer = view.get(organizationsTable, [issuerId])
  const recipient = view.get(organizationsTable, [context.id])
  const billed = issuerOf(recipient)
  const contact_email = recipient?.billing_email ?? billed.contact_email
  return { issuerId, issuer: issuerOf(issuer), recipient: { ...billed, contact_email } }
}
