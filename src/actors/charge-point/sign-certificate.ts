// SignCertificate: the charge point asks for its certificate; the answer leaves first, the certificate follows as a call (A02).

import type { JobOutcome } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import type { ChargePointMessage } from './messages.js'
import { signCertificate as message } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'

/** What the job `sign-certificate` is given; it answers with the chain as PEM. */
export interface SignCertificateInput {
  readonly csr: string
  /** Common names that may be signed: the charge point's id or its serial number. */
  readonly names: readonly string[]
}

export const signCertificate = defineHandler({
  message,
  needs: 'Pending',
  handle(state, request, context) {
    if (!state.settings.signsCertificates) return { response: { status: 'Rejected' as const } }
    // Not the serial number of its BootNotification: it may say any, and would get a certificate in another's name.
    const serialNumber = state.registration?.serial_number
    const input: SignCertificateInput = {
      csr: request.csr,
      names: serialNumber === undefined ? [context.id] : [context.id, serialNumber],
    }
    const answer = (outcome: JobOutcome): ChargePointMessage => ({ type: 'certificate-signed', outcome })
    return { response: { status: 'Accepted' as const }, effects: [effect.job('sign-certificate', input, answer)] }
  },
})
