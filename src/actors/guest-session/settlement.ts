// What a charge costs its guest, and how the provider's answers move the payment on.

import { guestPayment } from '../../alert-kinds/guest-payment.js'
import { finding, raise } from '../../alerts/alert.js'
import {
  guestSessionCaptured,
  guestSessionPaymentFailed,
  guestSessionRefunded,
  guestSessionReleased,
} from '../../events/guest-session.js'
import { minorOf, minorUnitsOf } from '../../pricing/money.js'
import type { GuestRefund, GuestSession } from '../../records/guest-session.js'
import type { Session } from '../../records/session.js'
import { type Context, type Effect, effect, type JobOutcome } from '../../runtime/actor/actor.js'
import { balanceOf } from './balance.js'
import type { GuestSessionMessage, PaymentAnsweredMessage } from './messages.js'
import {
  isHopeless,
  type PaymentJob,
  type PaymentRequest,
  type PaymentResult,
  pauseAfter,
  paymentJob,
} from './payment.js'
import { withRefundDue } from './refunds.js'
import { guestEvent, save } from './save.js'

const none: readonly Effect[] = []

/** The job leaves once what was decided is on disk. */
export function requestPayment(
  state: { payingSince: number | undefined },
  { organization_id }: Pick<GuestSession, 'organization_id'>,
  request: PaymentRequest,
  context: Context,
): Effect {
  state.payingSince = context.monotonic()
  const { operation, key } = request
  return effect.job(
    paymentJob,
    { ...request, organization_id } satisfies PaymentJob,
    (outcome): GuestSessionMessage => ({ type: 'payment-answered', operation, key, outcome }),
  )
}

/** Undefined where the provider's decision is not known. */
export function resultOf(outcome: JobOutcome): PaymentResult | undefined {
  return outcome.ok ? (outcome.value as PaymentResult) : undefined
}

interface Due {
  /** In the session's currency; 0 of a charge that nothing was asked for. */
  readonly cost: number
  readonly currency: string
  readonly costMinor: number
  /** Never more than was set aside, and nothing of what was set aside in another currency. */
  readonly captureMinor: number
}

type Priced = { readonly [Field in 'cost' | 'cost_so_far' | 'currency']?: Session[Field] | undefined }

export function amountDue(session: Priced, row: GuestSession): Due {
  const cost = session.cost ?? session.cost_so_far ?? 0
  const currency = session.currency ?? row.payment.currency
  const costMinor = minorOf(cost, minorUnitsOf(currency))
  return { cost, currency, costMinor, captureMinor: Math.min(costMinor, availableMinor(currency, row)) }
}

/** What was set aside for a cost in this currency. */
export function availableMinor(currency: string, { payment }: GuestSession): number {
  return currency === payment.currency ? payment.authorized_minor : 0
}

/** The answer to a capture, release or refund. One that is not known is asked for again, until it is hopeless. */
export function settlePayment(
  state: { row: GuestSession | undefined },
  row: GuestSession,
  { operation, key, outcome }: PaymentAnsweredMessage,
  context: Context,
): readonly Effect[] {
  if (operation === 'refund') return settleRefund(state, row, key, outcome, context)
  const { payment } = row
  if (operation === 'authorize' || payment.status !== `${operation}_pending`) return none
  const now = context.now()
  const judged = judge(outcome, payment, row, context.steady())
  const { next_attempt_at, error, ...settled } = payment
  if (judged.type === 'again') {
    context.log.warn({ guestSession: context.id, operation, failures: judged.failures }, 'a payment is tried again')
    const { type, ...waiting } = judged
    return save(state, { ...row, payment: { ...settled, ...waiting } }, context)
  }
  if (judged.type === 'failed') {
    const failed = {
      ...row,
      payment: { ...settled, failures: judged.failures, status: 'failed' as const, error: judged.error },
    }
    return [
      ...save(state, failed, context),
      guestEvent(guestSessionPaymentFailed, failed),
      ...alert(failed, `the payment of a guest session could not be ${operation}d: ${judged.error}`, context),
    ]
  }
  if (operation === 'release') {
    const released = { ...row, payment: { ...settled, status: 'released' as const } }
    return [...save(state, released, context), guestEvent(guestSessionReleased, released)]
  }
  const captured_at = new Date(now).toISOString()
  // The cost may have been corrected while the capture was under way.
  const paid = withRefundDue(
    { ...row, payment: { ...settled, status: 'captured' as const, captured_at } },
    context.steady(),
  )
  const short = (balanceOf(paid).writtenOff ?? 0) > 0
  return [
    ...save(state, paid, context),
    guestEvent(guestSessionCaptured, paid),
    ...(short ? alert(paid, 'the session cost more than the authorized amount; the rest is not paid', context) : none),
  ]
}

/** By its key: an answer that comes late must not be taken for that of another refund. */
function settleRefund(
  state: { row: GuestSession | undefined },
  row: GuestSession,
  key: string,
  outcome: JobOutcome,
  context: Context,
): readonly Effect[] {
  const refund = row.payment.refunds?.find((one) => one.key === key && one.status === 'pending')
  if (refund === undefined) return none
  const now = context.now()
  const judged = judge(outcome, refund, row, context.steady())
  const { next_attempt_at, error, ...settled } = refund
  const replaced = (by: GuestRefund): GuestSession => ({
    ...row,
    payment: { ...row.payment, refunds: (row.payment.refunds ?? []).map((one) => (one.key === key ? by : one)) },
  })
  if (judged.type === 'again') {
    context.log.warn({ guestSession: context.id, key, failures: judged.failures }, 'a refund is tried again')
    const { type, ...waiting } = judged
    return save(state, replaced({ ...settled, ...waiting }), context)
  }
  if (judged.type === 'failed') {
    const { type, ...why } = judged
    const failed = replaced({ ...settled, ...why, status: 'failed' })
    return [
      ...save(state, failed, context),
      guestEvent(guestSessionPaymentFailed, failed),
      ...alert(failed, `a refund to a guest could not be made: ${judged.error}`, context),
    ]
  }
  const made = replaced({ ...settled, status: 'refunded', refunded_at: new Date(now).toISOString() })
  return [...save(state, made, context), guestEvent(guestSessionRefunded, made)]
}

type Judged =
  | { readonly type: 'done' }
  | { readonly type: 'failed'; readonly failures: number; readonly error: string }
  | {
      readonly type: 'again'
      readonly failures: number
      readonly error: string
      readonly next_attempt_at: string
    }

function judge(
  outcome: JobOutcome,
  step: { readonly due_since?: string; readonly failures?: number },
  row: GuestSession,
  steady: number,
): Judged {
  const result = resultOf(outcome)
  if (result?.type === 'done') return { type: 'done' }
  const failures = (step.failures ?? 0) + 1
  if (result?.type === 'refused') return { type: 'failed', failures, error: result.reason }
  const error = (outcome.ok ? 'no answer' : outcome.message).slice(0, 200)
  if (isHopeless(Date.parse(step.due_since ?? row.created_at), steady)) return { type: 'failed', failures, error }
  return { type: 'again', failures, error, next_attempt_at: new Date(steady + pauseAfter(failures)).toISOString() }
}

export function alert(row: GuestSession, what: string, context: Context): readonly Effect[] {
  const { organization_id, charge_point_id, guest_session_id } = row
  const about = { organizationId: organization_id, subject: guest_session_id, chargePointId: charge_point_id }
  return raise(finding(guestPayment, about, { guestSessionId: guest_session_id, what }), context).effects
}
