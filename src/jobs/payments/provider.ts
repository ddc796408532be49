// What a payment provider is to the service. A provider is a module that implements this; providers.ts lists them.

/** Each returns when the provider has decided, and throws when that is not known: the same step is then asked for again. */
export interface PaymentProvider {
  /** Sets an amount aside. The same `key` again is the same authorisation. */
  authorize(request: Authorization): Promise<PaymentDecision>
  /** Takes an amount of what was set aside, once for each `key`, and lets go of the rest. */
  capture(request: Capture): Promise<PaymentDecision>
  /** Lets go of what was set aside under `key`, if anything was; nothing can be set aside under it any more. */
  release(request: { readonly key: string }): Promise<PaymentDecision>
  /** Gives back an amount of what was captured, once for each `key`. */
  refund(request: Refund): Promise<PaymentDecision>
}

export interface Authorization {
  readonly key: string
  /** The provider's own token of a payment method; never a card number. */
  readonly method: string
  /** In minor units of the currency. */
  readonly amountMinor: number
  /** ISO 4217. */
  readonly currency: string
}

export interface Capture {
  readonly key: string
  /** The authorisation's reference. */
  readonly authorization: string
  readonly amountMinor: number
  readonly currency: string
}

export interface Refund {
  readonly key: string
  /** The authorisation's reference. */
  readonly authorization: string
  readonly amountMinor: number
  readonly currency: string
}

/** `refused` is for good. */
export type PaymentDecision =
  | { readonly type: 'done'; readonly reference: string }
  | { readonly type: 'refused'; readonly reason: string }
