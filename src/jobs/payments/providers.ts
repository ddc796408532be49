// The payment providers by name, and one step asked of the one that is set. Runs in the job threads.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRequest, PaymentResult } from '../../actors/guest-session/payment.js'
import type { Settings } from '../../settings.js'
import { limits } from './limits.js'
import type { PaymentProvider } from './provider.js'
import { createSandbox } from './sandbox.js'

export const sandboxFolder = 'payments-sandbox'

const providers: Readonly<Record<string, (settings: Settings) => PaymentProvider>> = {
  sandbox: ({ data }) => createSandbox(join(data, sandboxFolder)),
}

/** Throws where the provider's decision is not known, also because it takes too long: it holds up no other for ever. */
export async function askProvider(
  request: PaymentRequest,
  settings: Settings,
  withinMs: number = limits.paymentWithinMs,
): Promise<PaymentResult> {
  const deadline = new AbortController()
  const late = sleep(withinMs, undefined, { signal: deadline.signal }).then(() => {
    throw new Error('the payment provider did not answer in time')
  })
  try {
    return await Promise.race([ask(request, settings), late])
  } finally {
    deadline.abort()
  }
}

function ask(request: PaymentRequest, settings: Settings): Promise<PaymentResult> {
  const make = providers[settings.payment_provider]
  if (make === undefined) throw new Error(`there is no payment provider ${settings.payment_provider}`)
  const provider = make(settings)
  switch (request.operation) {
    case 'authorize':
      return provider.authorize(request)
    case 'capture':
      return provider.capture(request)
    case 'release':
      return provider.release(request)
    case 'refund':
      return provider.refund(request)
  }
}
