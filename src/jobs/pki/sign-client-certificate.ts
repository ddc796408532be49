// Signs a charge point's certificate request with an authority (Improved security for OCPP 1.6-J, A02).
// Only a name that belongs to the charge point is signed, whatever else the request asks for.

import type { SignCertificateInput, Signing } from '../../actors/charge-point/messages.js'
import { type Demands, RefusedRequest, readCertificateRequest } from './certificate-request.js'
import type { ClientAuthority } from './client-authority.js'
import { issueCertificate, whyNotIssued } from './issue-certificate.js'

const validityDays = 365

export function signClientCertificate(
  {
    csr,
    registration,
    laterThan,
    ...demands
  }: Demands & Pick<SignCertificateInput, 'csr' | 'registration' | 'laterThan'>,
  authority: ClientAuthority,
  now: number,
): Signing {
  const reason = whyNotIssued(authority, now)
  if (reason !== undefined) return { signed: false, reason }
  try {
    const { commonName, publicKey } = readCertificateRequest(csr, demands)
    const wanted = { commonName, cpoName: demands.cpoName, publicKey, registration, validityDays, laterThan }
    return { signed: true, certificate: issueCertificate(wanted, authority, now) }
  } catch (error) {
    if (error instanceof RefusedRequest) return { signed: false, reason: error.message }
    throw error
  }
}
