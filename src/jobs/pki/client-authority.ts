// An authority for client certificates: its key and its certificate, and whether they can sign.

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { AuthorityKind } from './signature.js'

export interface ClientAuthority {
  readonly key: KeyObject
  readonly kind: AuthorityKind
  readonly certificate: X509Certificate
  /** PEM of the authority's certificate and of those of its file that it was issued under, nearest first. */
  readonly chain: string
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

export function certificatesIn(pem: string): readonly X509Certificate[] {
  return (pem.match(pemCertificate) ?? []).map((one) => new X509Certificate(one))
}

/** Throws an error that says what is wrong. `passphrase` is of a key that is encrypted. */
export function readClientAuthority(keyPem: string, certificatesPem: string, passphrase?: string): ClientAuthority {
  const key = createPrivateKey({ key: keyPem, ...(passphrase !== undefined && { passphrase }) })
  const kind = kindOf(key)
  const certificates = certificatesIn(certificatesPem)
  const certificate = certificates.find((candidate) => candidate.checkPrivateKey(key))
  if (certificate === undefined) throw new Error('it is the key of none of the certificates')
  if (!certificate.ca) throw new Error('the certificate is not one that may sign others (basicConstraints, keyUsage)')
  return { key, kind, certificate, chain: chainOf(certificate, certificates) }
}

function kindOf(key: KeyObject): AuthorityKind {
  const { modulusLength = 0, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa' && modulusLength >= 2048) return 'rsa'
  if (namedCurve === 'prime256v1' || namedCurve === 'secp384r1') return namedCurve
  throw new Error('it must be RSA with at least 2048 bits, P-256 or P-384')
}

function chainOf(first: X509Certificate, certificates: readonly X509Certificate[]): string {
  const chain = [first]
  for (let last = first; chain.length <= certificates.length; ) {
    const next = certificates.find((other) => !chain.includes(other) && last.checkIssued(other))
    if (next === undefined) break
    chain.push(next)
    last = next
  }
  return chain.map((certificate) => certificate.toString()).join('')
}

/** Wall ms. Nothing that it has signed is good after the end of one of its chain. */
export function endOf({ chain }: Pick<ClientAuthority, 'chain'>): number {
  return Math.min(...certificatesIn(chain).map(({ validTo }) => Date.parse(validTo)))
}
