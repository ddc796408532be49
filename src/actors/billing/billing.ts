// Closes the months of one organization: puts what its sessions cost on invoices, each session once. It works in
// parts, so that a shard stays free; what it has written of a month that it did not finish is taken away before it begins again.
// The actor of the organization that issues the invoices gives them their numbers (number-invoices.ts).

import { invoicesQuarantined } from '../../alert-kinds/invoices-quarantined.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import {
  type BillingProgress,
  billingProgressTable,
  invoiceItemsTable,
  unnumberedInvoicesTable,
} from '../../records/invoice.js'
import { issuerOf } from '../../records/issuer.js'
import { installationTable, organizationsTable } from '../../records/organization.js'
import { type SessionCost, sessionCostsTable } from '../../records/session-cost.js'
import { type ActorDefinition, type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { limits } from '../../runtime/limits.js'
import type { ListQuery } from '../../runtime/store/store.js'
import type { Key } from '../../runtime/store/table.js'
import { dueMonth } from './due.js'
import { type BillingMessage, billingAddress, billingKind } from './messages.js'
import { addItem, type Drafts, type InvoiceFacts, invoicesOf, itemOf } from './month.js'
import { numberInvoices } from './number-invoices.js'
import type { Period } from './periods.js'

/** Clocks that were set back between two closings hide no session: what is looked at twice is billed once all the same. */
const marginMs = 24 * 3_600_000

interface Closing {
  readonly period: Period
  readonly progress: BillingProgress | undefined
  readonly timeZone: string
  readonly beganAt: number
  readonly drafts: Drafts
  phase: 'clear' | 'sessions' | 'corrections'
  /** Where the list that is read goes on, from its end to its beginning. */
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
  const due = organization && dueMonth(context.read(), organization, context.now())
  if (due === undefined) return []
  state.closing = { ...due, beganAt: context.now(), drafts: new Map(), phase: 'clear', before: undefined }
  return [goOn(context)]
}

function goOn(context: Context): Effect {
  return effect.send(billingAddress(context.id), { type: 'step' } satisfies BillingMessage)
}

function step(state: BillingState, closing: Closing, context: Context): Effect[] {
  switch (closing.phase) {
    case 'clear':
      return clear(closing, context)
    case 'sessions': {
      const { from, to } = closing.period
      const effects = bill(closing, 'byEnd', { from: [from], to: [to] }, context)
      if (closing.before === undefined) closing.phase = 'corrections'
      return [...effects, goOn(context)]
    }
    case 'corrections': {
      const effects = closing.progress === undefined ? [] : correct(closing, closing.progress, context)
      return closing.before === undefined
        ? [...effects, ...finish(state, closing, context)]
        : [...effects, goOn(context)]
    }
  }
}

/** What an earlier attempt at this month left: sessions may have been corrected since. */
function clear(closing: Closing, context: Context): Effect[] {
  const group = [context.id, closing.period.month]
  const left = context.read().listBy(invoiceItemsTable, 'byMonth', group, { limit: limits.rowsPerWalkStep })
  if (left.length === 0) closing.phase = 'sessions'
  return [...left.map((item) => effect.remove(invoiceItemsTable, invoiceItemsTable.key(item))), goOn(context)]
}

/** Sessions of closed months that were priced, or priced again, since the last closing began. */
function correct(closing: Closing, progress: BillingProgress, context: Context): Effect[] {
  return bill(closing, 'byPriced', { from: [progress.closing_began_at - marginMs] }, context, closing.period.from)
}

/** One part of a list, newest first; `endedBefore` leaves out sessions that this month or a later one bills by their end. */
function bill(
  closing: Closing,
  index: 'byEnd' | 'byPriced',
  bounds: ListQuery,
  context: Context,
  endedBefore = Number.POSITIVE_INFINITY,
): Effect[] {
  const view = context.read()
  const query = { ...bounds, ...(closing.before !== undefined && { to: closing.before }) }
  const limit = limits.rowsPerWalkStep
  const costs = view.listBy(sessionCostsTable, index, [context.id], { ...query, reverse: true, limit })
  const last = costs.at(-1)
  closing.before = last === undefined || costs.length < limit ? undefined : placeOf(last, index)
  return costs.flatMap((cost) => (Date.parse(cost.ended_at) < endedBefore ? billOne(closing, cost, context) : []))
}

function placeOf(cost: SessionCost, index: 'byEnd' | 'byPriced'): Key {
  return [Date.parse(index === 'byEnd' ? cost.ended_at : cost.priced_at), cost.session_id]
}

function billOne(closing: Closing, cost: SessionCost, context: Context): Effect[] {
  const billed = context.read().listBy(invoiceItemsTable, 'bySession', [cost.session_id])
  // Corrected while the month is being closed, it comes by again: the difference is the next month's.
  if (billed.some(({ month }) => month === closing.period.month)) return []
  const item = itemOf(cost, billed, closing.period)
  if (item === undefined) return []
  addItem(closing.drafts, item, cost.priced)
  return [effect.put(invoiceItemsTable, item)]
}

/** Invoices and progress in one commit: the month is closed with all of them, or not at all. */
function finish(state: BillingState, closing: Closing, context: Context): Effect[] {
  const { period, timeZone, drafts, beganAt } = closing
  const parties = partiesOf(context)
  const invoices = invoicesOf(drafts, { organizationId: context.id, period, timeZone, ...parties })
  const next: BillingProgress = {
    organization_id: context.id,
    closed_through: period.month,
    closed_until: period.to,
    closing_began_at: beganAt,
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
