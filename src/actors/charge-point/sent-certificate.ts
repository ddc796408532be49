// A certificate that was signed and sent (CertificateSigned, security whitepaper, A02): whether the charge point has installed it. What
// waits for its answer is on disk, so that one that is refused or never answered is told the operator, whatever ends in between.

import { certificateNotInstalled } from '../../alert-kinds/certificate-not-installed.js'
import { finding, noticeAtMostHourly } from '../../alerts/alert.js'
import { callOf, certificateSigned } from '../../ocpp16/index.js'
import { certificateRow, certificatesTable, replacedCertificates } from '../../records/certificate.js'
import type { IssuedCertificate } from '../../records/client-certificate.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { wakeAfter, wakeNoMore } from '../../runtime/actor/wake-ups.js'
import type { CallAnswer } from './call-queue.js'
import { chargePointAddress } from './messages.js'
import { ownCall } from './own-call.js'
import { logRarely } from './rare-log.js'
import { renewalInstalled } from './renewal.js'
import { upgradeCertificateAnswered } from './security-upgrade.js'
import { keepRow, type State } from './state.js'

const none: readonly Effect[] = []
export const certificateSentReason = 'certificate-sent'
/** For the answer, or for a new connection with the certificate: some connect anew before they have answered. */
const installedWithinMs = 120_000
const errorCharacters = 100

/** Takes the place of one that was sent before and has no answer: the charge point has asked anew. */
export function sendCertificate(state: State, issued: IssuedCertificate, context: Context): readonly Effect[] {
  const { registration } = state
  if (registration === undefined) return none
  const call_id = context.newId('call')
  const certificate_sent = { call_id, sent_at: context.now(), expires_at: issued.expiresAt }
  const about = { certificate_id: context.newId('cert'), source: 'request' } as const
  const record = { ...certificateRow(issued, registration, about, context.now()), version: 1 }
  const replaced = replacedCertificates(context.read(), registration, context.now()) ?? []
  const certificateChain = issued.certificatePem + issued.authorityChain
  return [
    ...replaced.map((id) => effect.remove(certificatesTable, [id])),
    effect.put(certificatesTable, record),
    keepRow(state, { certificate_sent, ...notNewerThan(state, issued) }),
    wakeAfter(chargePointAddress(context.id), certificateSentReason, installedWithinMs, context),
    ...ownCall(state, callOf(certificateSigned, { certificateChain }), context, call_id),
  ]
}

/** Where a clock was set back meanwhile, one that is issued now would seem to be older than what it replaces. */
function notNewerThan({ row }: State, { validFrom }: IssuedCertificate): Pick<State['row'], 'newest_certificate'> {
  const newest = row.newest_certificate
  if (newest === undefined || validFrom >= newest.valid_from) return {}
  return { newest_certificate: { ...newest, valid_from: validFrom } }
}

export function noteCertificateAnswer(
  state: State,
  messageId: string,
  answer: CallAnswer,
  context: Context,
): readonly Effect[] {
  if (state.row.certificate_sent?.call_id !== messageId) return none
  const reason = whyNotInstalled(answer)
  return [
    ...forget(state, context),
    ...(reason === undefined ? renewalInstalled(state, context) : report(state, reason, context)),
    ...upgradeCertificateAnswered(state, reason, context),
  ]
}

function whyNotInstalled(answer: CallAnswer): string | undefined {
  if (answer.type === 'call-error')
    return `it answered with the error ${`${answer.code} ${answer.description}`.trim().slice(0, errorCharacters)}`
  const status = (answer.payload as { readonly status?: unknown } | null)?.status
  if (status === 'Accepted') return undefined
  return status === 'Rejected' ? 'it answered Rejected' : 'its answer is neither Accepted nor Rejected'
}

/** The time is over. One that has connected with the certificate meanwhile has installed it, although its answer was lost. */
export function certificateUnanswered(state: State, context: Context): readonly Effect[] {
  const sent = state.row.certificate_sent
  if (sent === undefined) return forget(state, context)
  // Another was sent since the wake-up was told.
  if (context.now() - sent.sent_at < installedWithinMs && context.now() >= sent.sent_at) return none
  const { connected_at, watches } = state.row
  const isInUse =
    watches?.certificate_expiring?.since === sent.expires_at &&
    connected_at !== undefined &&
    Date.parse(connected_at) >= sent.sent_at
  const minutes = installedWithinMs / 60_000
  const told = isInUse ? none : report(state, `it has not answered within ${minutes} minutes`, context)
  return [...forget(state, context), ...told]
}

function forget(state: State, context: Context): readonly Effect[] {
  const wakeUp = wakeNoMore(chargePointAddress(context.id), certificateSentReason)
  const { certificate_sent, ...row } = state.row
  if (certificate_sent === undefined) return [wakeUp]
  state.row = row
  return [keepRow(state, {}), wakeUp]
}

function report(state: State, reason: string, context: Context): readonly Effect[] {
  logRarely('warn', 'a certificate that was signed has not been installed', { reason }, context)
  const about = { organizationId: state.row.organization_id, subject: context.id, chargePointId: context.id }
  return noticeAtMostHourly(finding(certificateNotInstalled, about, reason), context)
}
