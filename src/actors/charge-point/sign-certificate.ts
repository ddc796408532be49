// SignCertificate: the charge point asks for its certificate (security whitepaper, A02). The request is checked and signed in a job
// before it is answered; the certificate follows as a call. What is not signed is Rejected, and the operator learns why.

import { certificateRequestRefused } from '../../alert-kinds/certificate-request-refused.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { signCertificate as message, writeResult } from '../../ocpp16/index.js'
import type { Context, Effect, JobOutcome } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import type { CertificateMessage, SignCertificateInput, Signing } from './messages.js'
import { defineHandler } from './request-handler.js'
import { sendCertificate } from './sent-certificate.js'
import type { AnswerTo, State } from './state.js'

/** Charge points wait half a minute for an answer, or longer. */
const signingMs = 10_000
const timerKey = 'sign-certificate'

export const signCertificate = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context) {
    if (state.settings.signsCertificates) return { later: (to) => begin(state, request.csr, to, context) }
    const effects = report(state, 'the service has no authority to sign with', context)
    return { response: { status: 'Rejected' as const }, effects }
  },
})

function begin(state: State, csr: string, to: AnswerTo, context: Context): readonly Effect[] {
  // The one before is answered in a moment, and a charge point has one request under way at a time.
  if (state.signing?.to.connection === to.connection) return [answer(to, 'Rejected')]
  // Not the serial number of its BootNotification: it may say any, and would get a certificate in another's name.
  const serialNumber = state.registration?.serial_number
  const input: SignCertificateInput = {
    organization_id: state.row.organization_id,
    csr,
    names: serialNumber === undefined ? [context.id] : [context.id, serialNumber],
  }
  const attempt = context.newId('sign')
  state.signing = { attempt, to }
  return [
    effect.job('sign-certificate', input, (outcome: JobOutcome): CertificateMessage => {
      return { type: 'certificate-signed', attempt, outcome }
    }),
    effect.schedule(timerKey, context.monotonic() + signingMs, { type: 'certificate-overdue', attempt }),
  ]
}

export function certificateDecided(state: State, message: CertificateMessage, context: Context): readonly Effect[] {
  if (state.signing?.attempt !== message.attempt) return []
  const { to } = state.signing
  state.signing = undefined
  const signing = signingOf(message, context)
  const done = effect.cancel(timerKey)
  if (!signing.signed) return [done, ...report(state, signing.reason, context), answer(to, 'Rejected')]
  // A charge point that has not heard the answer asks again.
  if (to.connection !== state.connection) return [done]
  return [done, answer(to, 'Accepted'), ...sendCertificate(state, signing, context)]
}

function signingOf(message: CertificateMessage, context: Context): Signing {
  if (message.type === 'certificate-overdue') return { signed: false, reason: 'the check took too long' }
  const { outcome } = message
  if (outcome.ok) return outcome.value as Signing
  context.log.error({ chargePoint: context.id, reason: outcome.message }, 'certificate requests cannot be signed')
  return { signed: false, reason: 'the authority could not be used: see the log of the service' }
}

function report(state: State, reason: string, context: Context): readonly Effect[] {
  if (state.registration === undefined) return []
  context.log.warn({ chargePoint: context.id, reason }, 'a certificate request was not signed')
  const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
  return noticeAtMostHourly(finding(certificateRequestRefused, about, reason), context)
}

function answer({ connection, messageId }: AnswerTo, status: 'Accepted' | 'Rejected'): Effect {
  return effect.frame(connection, writeResult(messageId, { status }))
}
