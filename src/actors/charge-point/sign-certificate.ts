// SignCertificate: the charge point asks for its certificate (security whitepaper, A02). The request is checked and signed in a job
// before it is answered; the certificate follows as a call. What is not signed is Rejected, and the operator learns why.

import { certificateRequestRefused } from '../../alert-kinds/certificate-request-refused.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { signCertificate as message, writeResult } from '../../ocpp16/index.js'
import { newestValidFrom, replacedCertificates, tooManyGood } from '../../records/certificate.js'
import { chargePointsTable } from '../../records/charge-point.js'
import { registrationMark } from '../../records/client-certificate.js'
import type { Context, Effect, JobOutcome } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { limits } from './limits.js'
import {
  type CertificateMessage,
  type SignCertificateInput,
  type Signing,
  type SocketDetails,
  signCertificateJob,
} from './messages.js'
import { logRarely } from './rare-log.js'
import { defineHandler } from './request-handler.js'
import { sendCertificate } from './sent-certificate.js'
import type { AnswerTo, State } from './state.js'
import { countSigning, type SigningOutcome } from './statistics.js'

/** Charge points wait half a minute for an answer, or longer. */
const signingMs = 20_000
const timerKey = 'sign-certificate'
const unproven =
  'it has connected without a client certificate, and without a password over TLS: set a password, or sign_without_password'

export const signCertificate = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context) {
    if (state.settings.signsCertificates) return { later: (to) => begin(state, request.csr, to, context) }
    countSigning('refused')
    const effects = report(state, 'the service has no authority to sign with', context)
    return { response: { status: 'Rejected' as const }, effects }
  },
})

function begin(state: State, csr: string, to: AnswerTo, context: Context): readonly Effect[] {
  const { registration } = state
  if (registration === undefined || !isProven(to, context)) return refuse(state, 'unproven', unproven, to, context)
  // One under way is answered in a moment, or was asked for over a connection that is gone.
  const isTooSoon = context.monotonic() - state.signingTakenAt < limits.certificateRequestEveryMs
  if (state.signing?.to.connection === to.connection || isTooSoon)
    return refuse(state, 'too_often', 'it has asked more than once within a minute', to, context)
  state.signingTakenAt = context.monotonic()
  if (replacedCertificates(context.read(), registration, context.now()) === undefined)
    return refuse(state, 'refused', tooManyGood, to, context)
  // Not the serial number of its BootNotification: it may say any, and would get a certificate in another's name.
  const serialNumber = registration.serial_number
  const mark = registrationMark(registration)
  const input: SignCertificateInput = {
    organization_id: state.row.organization_id,
    csr,
    names: serialNumber === undefined ? [context.id] : [context.id, serialNumber],
    registration: mark,
    laterThan: newestValidFrom(context.read(), registration),
  }
  const attempt = context.newId('sign')
  state.signing = { attempt, registration: mark, to }
  return [
    effect.job(signCertificateJob, input, (outcome: JobOutcome): CertificateMessage => {
      return { type: 'certificate-signed', attempt, outcome }
    }),
    effect.schedule(timerKey, context.monotonic() + signingMs, { type: 'certificate-overdue', attempt }),
  ]
}

/**
 * Whether whoever asks has shown more than the id: a certificate, or the password over TLS. A certificate lasts for longer than a
 * connection, and takes the place of the password, so that a stranger with one would be the charge point from then on. Word of an
 * operator's change may come after the request: what is stored decides.
 */
function isProven(to: AnswerTo, { connection, id, read }: Context): boolean {
  if (read().get(chargePointsTable, [id])?.sign_without_password === true) return true
  if (connection === undefined || connection.connection !== to.connection) return false
  return (connection.details as SocketDetails).securityProfile >= 2
}

export function certificateDecided(state: State, message: CertificateMessage, context: Context): readonly Effect[] {
  if (state.signing?.attempt !== message.attempt) return []
  const { to, registration } = state.signing
  state.signing = undefined
  const signing = signingOf(message, context)
  const done = effect.cancel(timerKey)
  if (!signing.signed) return [done, ...refuse(state, signing.outcome, signing.reason, to, context)]
  if (to.connection !== state.connection) {
    // A charge point that has not heard the answer asks again.
    state.signingTakenAt = Number.NEGATIVE_INFINITY
    return [done]
  }
  if (!isFor(registration, context)) {
    state.signingTakenAt = Number.NEGATIVE_INFINITY
    return [done, ...refuse(state, 'refused', 'its certificates were revoked while this one was signed', to, context)]
  }
  countSigning('signed')
  return [done, answer(to, 'Accepted'), ...sendCertificate(state, signing.certificate, context)]
}

/** Word of a change may come after the certificate. */
function isFor(registration: string, context: Context): boolean {
  const present = context.read().get(chargePointsTable, [context.id])
  return present !== undefined && registrationMark(present) === registration
}

type Decided = Extract<Signing, { signed: true }> | (Extract<Signing, { signed: false }> & { outcome: SigningOutcome })

function signingOf(message: CertificateMessage, context: Context): Decided {
  const failed = (reason: string): Decided => ({ signed: false, outcome: 'failed', reason })
  if (message.type === 'certificate-overdue') return failed('the check took too long')
  const { outcome } = message
  if (outcome.ok) {
    const signing = outcome.value as Signing
    return signing.signed ? signing : { ...signing, outcome: 'refused' }
  }
  if (outcome.isRefused === true) return failed('too many requests of the organization wait, or one has taken too long')
  logRarely('error', 'certificate requests cannot be signed', { reason: outcome.message }, context)
  return failed('the authority could not be used: see the log of the service')
}

function refuse(
  state: State,
  outcome: SigningOutcome,
  reason: string,
  to: AnswerTo,
  context: Context,
): readonly Effect[] {
  countSigning(outcome)
  return [...report(state, reason, context), answer(to, 'Rejected')]
}

function report(state: State, reason: string, context: Context): readonly Effect[] {
  if (state.registration === undefined) return []
  logRarely('warn', 'a certificate request was not signed', { reason }, context)
  const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
  return noticeAtMostHourly(finding(certificateRequestRefused, about, reason), context)
}

function answer({ connection, messageId }: AnswerTo, status: 'Accepted' | 'Rejected'): Effect {
  return effect.frame(connection, writeResult(messageId, { status }))
}
