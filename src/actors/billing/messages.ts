// What the billing actor of an organization is told.

import type { Address } from '../../runtime/actor/actor.js'

export const billingKind = 'billing'

export function billingAddress(organizationId: string): Address {
  return { kind: billingKind, id: organizationId }
}

export type BillingMessage =
  /** Months may be over: said again and again, and nothing comes of it while there is nothing to do. */
  | { readonly type: 'close-months' }
  /** To the issuer's actor: invoices wait for their numbers. Said again until none does. */
  | { readonly type: 'number-invoices' }
  /** From itself: the next part of the month that is being closed. */
  | { readonly type: 'step' }
