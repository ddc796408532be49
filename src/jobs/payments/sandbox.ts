// The provider to try guest sessions with: no money moves. Its memory is a folder, as a real one's is elsewhere, so that it
// outlives the service and shows what was asked of it. Payment methods decide what it does; src/docs/guests.md lists them.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Authorization, Capture, PaymentDecision, PaymentProvider, Refund } from './provider.js'

export const sandboxMethods = {
  ok: 'pm_card_ok',
  declined: 'pm_card_declined',
  /** The provider cannot be reached when the amount is to be set aside. */
  unreachable: 'pm_card_unreachable',
  /** The provider takes the request to set the amount aside, and never answers. */
  hangs: 'pm_card_hangs',
  /** The first capture fails temporarily. */
  captureFailsOnce: 'pm_card_capture_fails_once',
  /** The first capture is made, but its answer is lost. */
  captureAnswerLost: 'pm_card_capture_answer_lost',
  /** Every capture is refused for good. */
  captureRefused: 'pm_card_capture_refused',
  /** The first refund fails temporarily. */
  refundFailsOnce: 'pm_card_refund_fails_once',
  /** The first refund is made, but its answer is lost. */
  refundAnswerLost: 'pm_card_refund_answer_lost',
  /** Every refund is refused for good. */
  refundRefused: 'pm_card_refund_refused',
} as const

const notAccepted: readonly string[] = [sandboxMethods.declined, sandboxMethods.unreachable, sandboxMethods.hangs]
const accepted: ReadonlySet<string> = new Set(
  Object.values(sandboxMethods).filter((method) => !notAccepted.includes(method)),
)

/** The file of one authorisation: what a statement of account would show, and how often captures were asked for. */
export interface SandboxAccount {
  readonly reference: string
  readonly method: string
  readonly amount_minor: number
  readonly currency: string
  readonly released: boolean
  readonly capture_requests: number
  readonly captures: readonly SandboxPayment[]
  /** Absent in accounts of before there were refunds. */
  readonly refund_requests?: number
  readonly refunds?: readonly SandboxPayment[]
}

interface SandboxPayment {
  readonly key: string
  readonly amount_minor: number
}

function sumOf(payments: readonly SandboxPayment[]): number {
  return payments.reduce((sum, made) => sum + made.amount_minor, 0)
}

const refused = (reason: string): PaymentDecision => ({ type: 'refused', reason })
const done = (reference: string): PaymentDecision => ({ type: 'done', reference })

/** What is released before it was authorised, and cannot be from then on. */
const nothingSetAside = (reference: string): SandboxAccount => ({
  reference,
  method: '',
  amount_minor: 0,
  currency: '',
  released: false,
  capture_requests: 0,
  captures: [],
})

export function createSandbox(folder: string): PaymentProvider {
  const referenceOf = (key: string): string => `sandbox_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
  const pathOf = (reference: string): string => join(folder, `${reference.replace(/[^a-z0-9_]/gi, '')}.json`)

  function read(reference: string): SandboxAccount | undefined {
    try {
      return JSON.parse(readFileSync(pathOf(reference), 'utf8')) as SandboxAccount
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  function write(account: SandboxAccount): void {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = pathOf(account.reference)
    writeFileSync(`${path}.new`, JSON.stringify(account, undefined, 2), { mode: 0o600, flush: true })
    renameSync(`${path}.new`, path)
  }

  async function authorize({ key, method, amountMinor, currency }: Authorization): Promise<PaymentDecision> {
    const reference = referenceOf(key)
    const before = read(reference)
    if (before !== undefined) return before.released ? refused('the authorisation was released') : done(reference)
    if (method === sandboxMethods.unreachable) throw new Error('the payment provider cannot be reached')
    if (method === sandboxMethods.hangs) return new Promise(() => undefined)
    if (method === sandboxMethods.declined) return refused('the card was declined')
    if (!accepted.has(method)) return refused('the sandbox does not know this payment method')
    write({
      reference,
      method,
      amount_minor: amountMinor,
      currency,
      released: false,
      capture_requests: 0,
      captures: [],
    })
    return done(reference)
  }

  async function capture({ key, authorization, amountMinor, currency }: Capture): Promise<PaymentDecision> {
    const found = read(authorization)
    if (found === undefined) return refused('there is no such authorisation')
    const account = { ...found, capture_requests: found.capture_requests + 1 }
    write(account)
    if (account.captures.some((made) => made.key === key)) return done(authorization)
    if (account.released) return refused('the authorisation was released')
    if (currency !== account.currency || sumOf(account.captures) + amountMinor > account.amount_minor)
      return refused('this is not what was authorised')
    if (account.method === sandboxMethods.captureRefused) return refused('the card has expired')
    if (account.method === sandboxMethods.captureFailsOnce && account.capture_requests === 1)
      throw new Error('the payment provider is down')
    write({ ...account, captures: [...account.captures, { key, amount_minor: amountMinor }] })
    if (account.method === sandboxMethods.captureAnswerLost && account.capture_requests === 1)
      throw new Error('the connection to the payment provider was lost')
    return done(authorization)
  }

  async function release({ key }: { readonly key: string }): Promise<PaymentDecision> {
    const reference = referenceOf(key)
    const found = read(reference) ?? nothingSetAside(reference)
    if (found.captures.length > 0) return refused('it has been captured')
    if (!found.released) write({ ...found, released: true })
    return done(reference)
  }

  async function refund({ key, authorization, amountMinor, currency }: Refund): Promise<PaymentDecision> {
    const found = read(authorization)
    if (found === undefined) return refused('there is no such authorisation')
    const refund_requests = (found.refund_requests ?? 0) + 1
    const refunds = found.refunds ?? []
    write({ ...found, refund_requests })
    if (refunds.some((made) => made.key === key)) return done(authorization)
    if (currency !== found.currency || sumOf(refunds) + amountMinor > sumOf(found.captures))
      return refused('this is not what was captured')
    if (found.method === sandboxMethods.refundRefused) return refused('the account of the card is closed')
    if (found.method === sandboxMethods.refundFailsOnce && refund_requests === 1)
      throw new Error('the payment provider is down')
    write({ ...found, refund_requests, refunds: [...refunds, { key, amount_minor: amountMinor }] })
    if (found.method === sandboxMethods.refundAnswerLost && refund_requests === 1)
      throw new Error('the connection to the payment provider was lost')
    return done(authorization)
  }

  return { authorize, capture, release, refund }
}
