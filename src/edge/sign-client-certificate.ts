// Signs a charge point's certificate request with the operator's authority (Improved security for OCPP 1.6-J, A02).
// Only a name that belongs to the charge point is signed, whatever else the request asks for.

import { randomBytes } from 'node:crypto'
import forge from 'node-forge'

export interface Authority {
  readonly keyPem: string
  readonly certificatePem: string
}

export interface CertificateRequest {
  readonly csr: string
  readonly names: readonly string[]
}

const validityDays = 365
const dayMs = 24 * 3_600_000

/** Returns the chain as PEM, the charge point's certificate first; throws when the request must not be signed. */
export function signClientCertificate({ csr, names }: CertificateRequest, authority: Authority, now: Date): string {
  const request = forge.pki.certificationRequestFromPem(csr)
  if (!request.verify()) throw new Error('the request is not signed with its own key')
  const name: unknown = request.subject.getField('CN')?.value
  if (typeof name !== 'string' || !names.includes(name))
    throw new Error('the common name is neither the id nor the serial number')
  if (request.publicKey === null) throw new Error('the request has no public key')
  const authorityCertificate = forge.pki.certificateFromPem(authority.certificatePem)
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = request.publicKey
  // Positive, as RFC 5280 wants it: the first bit stays clear.
  certificate.serialNumber = `00${randomBytes(16).toString('hex')}`
  certificate.validity.notBefore = new Date(now.getTime() - dayMs)
  certificate.validity.notAfter = new Date(now.getTime() + validityDays * dayMs)
  certificate.setSubject(request.subject.attributes)
  certificate.setIssuer(authorityCertificate.subject.attributes)
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false },
    { name: 'keyUsage', digitalSignature: true, keyAgreement: true },
    { name: 'extKeyUsage', clientAuth: true },
  ])
  certificate.sign(forge.pki.privateKeyFromPem(authority.keyPem), forge.md.sha256.create())
  return forge.pki.certificateToPem(certificate) + authority.certificatePem
}
