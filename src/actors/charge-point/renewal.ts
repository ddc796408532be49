// The renewal of client certificates without anybody: weeks before the one that a charge point has come with ends, the charge point is asked
// to request another (security whitepaper, A02), again and again until it has come with that. The old one stays good meanwhile. When to ask
// next is on disk.

import { callOf, extendedTriggerMessage } from '../../ocpp16/index.js'
import type { ChargePointState } from '../../records/charge-point-state.js'
import type { Address, Context, Effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore, wakeOnDate } from '../../runtime/actor/wake-ups.js'
import { fnv1a } from '../../runtime/ids.js'
import type { SocketDetails } from './messages.js'
import { chargePointAddress } from './messages.js'
import { ownCall } from './own-call.js'
import { keepRow, type State } from './state.js'

const none: readonly Effect[] = []
export const renewalReason = 'renew-certificate'
const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Before the end, so that the alert about it is raised only where renewing has failed for a while. */
const leadMs = 30.5 * dayMs
/** Those that were issued on one day are not renewed all at once. */
const spreadMs = 2.5 * dayMs
/** Of a short life, what is left when it is renewed. */
const leftShare = 1 / 3
/** A charge point that has just connected has other things to say. */
const settledMs = 60_000
/** From one question to the next; the last for all that follow. */
const retryMs = [hourMs, 6 * hourMs, dayMs]
/** One that has taken the new certificate connects with it some time. */
const installedMs = 7 * dayMs
const askToSign = callOf(extendedTriggerMessage, { requestedMessage: 'SignChargePointCertificate' })

type Renewal = NonNullable<ChargePointState['renewal']>

interface Planned {
  readonly change: Pick<ChargePointState, 'renewal'>
  readonly effects: readonly Effect[]
}

const asPlanned: Planned = { change: {}, effects: none }

/** It has connected, perhaps with another certificate than before, or when it was time to ask. */
export function planRenewal(state: State, details: SocketDetails, context: Context): Planned {
  const { certificateExpiresAt: expires_at, issuedCertificateFrom } = details
  if (!state.settings.signsCertificates || expires_at === undefined) return asPlanned
  const now = context.now()
  const known = state.row.renewal
  if (known?.expires_at === expires_at) {
    // Its wake-up may have found it offline.
    return waitMs(known, context) > 0
      ? asPlanned
      : { change: {}, effects: [wakeAfter(self(context), renewalReason, settledMs, context)] }
  }
  const lifetimeMs = issuedCertificateFrom === undefined ? Number.POSITIVE_INFINITY : expires_at - issuedCertificateFrom
  const ownLeadMs = Math.min(leadMs + (fnv1a(context.id) % spreadMs), lifetimeMs * leftShare)
  const next_at = Math.max(expires_at - ownLeadMs, now + settledMs)
  return {
    change: { renewal: { expires_at, asked: 0, next_at } },
    effects: [wakeOnDate(self(context), renewalReason, next_at)],
  }
}

/** Asks, where it is time to. */
export function renewCertificate(state: State, context: Context): readonly Effect[] {
  const { connection, details, settings } = state
  const { renewal, ...row } = state.row
  const now = context.now()
  const over = wakeNoMore(self(context), renewalReason)
  if (renewal === undefined || !settings.signsCertificates) return [over]
  if (renewal.expires_at <= now) {
    state.row = row
    return [keepRow(state, {}), over]
  }
  // Told of an earlier time, which another has replaced.
  if (waitMs(renewal, context) > 0) return [wake(renewal, context)]
  // It is asked when it is back. One that has shown its id alone would get nothing.
  const present =
    context.connection?.connection === connection ? (context.connection?.details as SocketDetails) : details
  if (connection === undefined || (present?.securityProfile ?? 0) < 2) return [over]
  const pauseMs = retryMs[Math.min(renewal.asked, retryMs.length - 1)] ?? dayMs
  const asked = askedAgain({ ...renewal, asked: renewal.asked + 1 }, pauseMs, context)
  return [keepRow(state, { renewal: asked }), wake(asked, context), ...ownCall(state, askToSign, context)]
}

/** It has accepted the new certificate: it is not asked again for a while, in which it connects with that. */
export function renewalInstalled(state: State, context: Context): readonly Effect[] {
  const { renewal } = state.row
  if (renewal === undefined || renewal.asked === 0) return none
  const later = askedAgain(renewal, installedMs, context)
  return [keepRow(state, { renewal: later }), wake(later, context)]
}

const self = (context: Context): Address => chargePointAddress(context.id)

function askedAgain(renewal: Renewal, afterMs: number, context: Context): Renewal {
  return { ...renewal, next_at: context.now() + afterMs, retry_at: context.steady() + afterMs }
}

/** The first request follows from a date, those after it from a delay. */
function waitMs({ next_at, retry_at }: Renewal, context: Context): number {
  return retry_at === undefined ? next_at - context.now() : retry_at - context.steady()
}

function wake(renewal: Renewal, context: Context): Effect {
  return renewal.retry_at === undefined
    ? wakeOnDate(self(context), renewalReason, renewal.next_at)
    : wakeAfter(self(context), renewalReason, waitMs(renewal, context), context)
}
