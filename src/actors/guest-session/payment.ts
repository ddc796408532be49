// What a guest session asks of the payment provider, as a job, and how long it goes on asking. Knows no provider.

import { limits } from './limits.js'

export const paymentJob = 'payment'

/** `organization_id`: whose turn it takes. */
export type PaymentJob = PaymentRequest & { readonly organization_id?: string }

/** `key` is the same for every attempt of one step: a provider does a step once for each key. Amounts are in minor units. */
export type PaymentRequest =
  | {
      readonly operation: 'authorize'
      readonly key: string
      readonly method: string
      readonly amountMinor: number
      readonly currency: string
    }
  | {
      readonly operation: 'capture'
      readonly key: string
      /** What the provider called the authorisation. */
      readonly authorization: string
      readonly amountMinor: number
      readonly currency: string
    }
  | {
      readonly operation: 'refund'
      readonly key: string
      readonly authorization: string
      readonly amountMinor: number
      readonly currency: string
    }
  /** By the key under which it was authorised: whether it was is not always known. */
  | { readonly operation: 'release'; readonly key: string }

/** `refused` is for good. A job that fails has an unknown outcome: it is tried again under the same key. */
export type PaymentResult =
  | { readonly type: 'done'; readonly reference: string }
  | { readonly type: 'refused'; readonly reason: string }

const firstPauseMs = 2_000
const longestPauseMs = 3_600_000

/** How long to wait after so many failed attempts: 2 s, 8 s, 32 s and so on, at most an hour. */
export function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 4 ** Math.min(failures - 1, 10))
}

/** Providers let go of an authorisation by themselves after about a week: then there is nothing left to ask for. */
/** Steady ms: a clock that is ahead gives up no money. */
export function isHopeless(dueSince: number, steady: number): boolean {
  return steady - dueSince > limits.paymentRetriesMs
}
