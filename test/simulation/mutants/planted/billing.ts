// Bugs of invoices.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const billing: readonly Mutant[] = [
  {
    name: 'late-session-unbilled',
    bug: 'a session that is priced after its month was closed is on no invoice',
    file: 'src/actors/billing/billing.ts',
    find: 'to: closing.before ?? [closing.period.to], reverse',
    replace: 'from: [closing.period.from], to: closing.before ?? [closing.period.to], reverse',
    caughtBy: 'invoice-once',
    world: worlds.months,
    seed: 14,
  },
  {
    name: 'corrections-not-summed',
    bug: 'the corrections of earlier months are on an invoice, and not in its sums',
    file: 'src/actors/billing/month.ts',
    find: 'addAmounts(draft.sums, item)',
    replace: "if (item.type === 'sessions') addAmounts(draft.sums, item)",
    caughtBy: 'asserted',
    world: worlds.corrections,
    seed: 4,
  },
  {
    name: 'invoice-number-twice',
    bug: 'the next month begins with the number of the last invoice',
    file: 'src/actors/billing/number-invoices.ts',
    find: 'last: last + waiting.length,',
    replace: 'last,',
    caughtBy: 'invoice-numbers',
    seed: 8,
  },
  {
    name: 'invoice-of-any-month',
    bug: 'the invoice of a month takes the place of the one before',
    file: 'src/actors/billing/month.ts',
    find: 'export function invoiceIdOf(organizationId: string, month: string, currency: string): string {',
    replace: "export function invoiceIdOf(organizationId, _month, currency, month = '') {",
    caughtBy: 'invoice-final',
    seed: 11,
  },
]
