// What a charge costs its guest, and how the provider's answers move the payment on.

import { type Context, type Effect, effect, type JobOutcome } from '../../runtime/actor.js'
import { raise } from '../alerts/alert.js'
import { guestSessionCaptured, guestSessionPaymentFailed, guestSessionReleased } from '../events/guest-session.js'
import { minorOf, minorUnitsOf } from '../pricing/money.js'
import type { GuestSession } from '../records/guest-session.js'
import type { Session } from '../records/session.js'
import type { GuestSessionMessage } from './messages.js'
import { isHopeless, type PaymentRequest, type PaymentResult, pauseAfter, paymentJob } from './payment.js'
import { guestEvent, save } from './save.js'

/** The job leaves once what was decided is on disk. */
export function requestPayment(
  state: { payingSince: number | undefined },
  request: PaymentRequest,
  context: Context,
): Effect {
  state.payingSince = context.monotonic()
  const { operation } = request
  return effect.job(
    paymentJob,
    request,
    (outcome): GuestSessionMessage => ({ type: 'payment-answered', operation, outcome }),
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
  /** Never more than was set aside. */
  readonly captureMinor: number
}

type Priced = { readonly [Field in 'cost' | 'cost_so_far' | 'currency']?: Session[Field] | undefined }

export function amountDue(session: Priced, row: GuestSession): Due {
  const cost = session.cost ?? session.cost_so_far ?? 0
  const currency = session.currency ?? row.payment.currency
  const costMinor = minorOf(cost, minorUnitsOf(currency))
  return { cost, currency, costMinor, captureMinor: Math.min(costMinor, row.payment.authorized_minor) }
}

/** The answer to a capture or release. One that is not known is asked for again, until it is hopeless. */
export function settlePayment(
  state: { row: GuestSession | undefined },
  row: GuestSession,
  operation: 'capture' | 'release',
  outcome: JobOutcome,
  context: Context,
): readonly Effect[] {
  const { payment } = row
  if (payment.status !== `${operation}_pending`) return []
  const result = resultOf(outcome)
  const { next_attempt_at, error, ...settled } = payment
  if (result?.type === 'done') {
    const paid = { ...row, payment: { ...settled, status: operation === 'capture' ? 'captured' : 'released' } as const }
    const short = operation === 'capture' && amountDue({ cost: row.final_cost ?? 0 }, row).costMinor
    const event = guestEvent(operation === 'capture' ? guestSessionCaptured : guestSessionReleased, paid)
    const shortfall = short !== false && short > (payment.capture_minor ?? 0)
    return [
      ...save(state, paid, context),
      event,
      ...(shortfall
        ? alert(paid, 'a guest charged for more than had been set aside: the rest is not paid', context)
        : []),
    ]
  }
  const now = context.now()
  const refused = result?.type === 'refused' ? result.reason : undefined
  const failures = (payment.failures ?? 0) + 1
  const why = refused ?? (outcome.ok ? 'no answer' : outcome.message).slice(0, 200)
  if (refused !== undefined || isHopeless(Date.parse(payment.due_since ?? row.created_at), now)) {
    const failed = { ...row, payment: { ...settled, failures, status: 'failed' as const, error: why } }
    return [
      ...save(state, failed, context),
      guestEvent(guestSessionPaymentFailed, failed),
      ...alert(failed, `the payment of a guest session could not be ${operation}d: ${why}`, context),
    ]
  }
  const next = new Date(now + pauseAfter(failures)).toISOString()
  context.log.warn({ guestSession: context.id, operation, failures }, 'a payment is tried again')
  return save(state, { ...row, payment: { ...settled, failures, error: why, next_attempt_at: next } }, context)
}

function alert(row: GuestSession, message: string, context: Context): readonly Effect[] {
  const { organization_id, charge_point_id, guest_session_id } = row
  const finding = {
    kind: 'guest_payment' as const,
    organizationId: organization_id,
    subject: guest_session_id,
    chargePointId: charge_point_id,
    message,
    details: { guest_session_id },
  }
  return raise(finding, context).effects
}
