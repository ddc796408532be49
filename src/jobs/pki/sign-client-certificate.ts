// Signs a charge point's certificate request with the operator's authority (Improved security for OCPP 1.6-J, A02).
// Only a name that belongs to the charge point is signed, whatever else the request asks for.

import { createHash, randomBytes, sign, X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import type { SignCertificateInput, Signing } from '../../actors/charge-point/messages.js'
import { serialNumberFor } from '../../records/client-certificate.js'
import { type Demands, RefusedRequest, readCertificateRequest } from './certificate-request.js'
import { readClientAuthority } from './client-authority.js'

/** PEM. */
export interface Authority {
  readonly keyPem: string
  readonly certificatePem: string
}

const validityDays = 365
const randomSerialBytes = 8
const dayMs = 24 * 3_600_000
/** RFC 8017, A.2.4: the parameters of RSA's algorithms are a NULL. */
const derNull = new Uint8Array([5, 0]).buffer

/** How an authority's key signs: RSA with SHA-256, a curve with the digest of its size. */
const algorithms = {
  rsa: { oid: '1.2.840.113549.1.1.11', digest: 'sha256', parameters: derNull },
  prime256v1: { oid: '1.2.840.10045.4.3.2', digest: 'sha256' },
  secp384r1: { oid: '1.2.840.10045.4.3.3', digest: 'sha384' },
} as const

/** Throws where the authority itself cannot be used. */
export function signClientCertificate(
  { csr, registration, ...demands }: Demands & Pick<SignCertificateInput, 'csr' | 'registration'>,
  files: Authority,
  now: Date,
): Signing {
  const { key, kind, certificate: authority, chain } = readClientAuthority(files.keyPem, files.certificatePem)
  const authorityEnds = Date.parse(authority.validTo)
  if (authorityEnds <= now.getTime()) return { signed: false, reason: 'the certificate of the authority has expired' }
  try {
    const { subject, publicKey } = readCertificateRequest(csr, demands)
    const issuer = AsnConvert.parse(authority.raw, Certificate).tbsCertificate
    const subjectPublicKeyInfo = AsnConvert.parse(publicKey, SubjectPublicKeyInfo)
    const { oid, digest, ...more } = algorithms[kind]
    const algorithm = new AlgorithmIdentifier({ algorithm: oid, ...more })
    const tbsCertificate = new TBSCertificate({
      version: Version.v3,
      serialNumber: asArrayBuffer(serialNumberFor(registration, randomBytes(randomSerialBytes))),
      signature: algorithm,
      issuer: issuer.subject,
      validity: new Validity({
        notBefore: new Date(now.getTime() - dayMs),
        notAfter: new Date(Math.min(now.getTime() + validityDays * dayMs, authorityEnds)),
      }),
      subject,
      subjectPublicKeyInfo,
      extensions: extensions(subjectPublicKeyInfo, issuer),
    })
    const signatureValue = asArrayBuffer(sign(digest, Buffer.from(AsnConvert.serialize(tbsCertificate)), key))
    const signed = new Certificate({ tbsCertificate, signatureAlgorithm: algorithm, signatureValue })
    const certificate = new X509Certificate(Buffer.from(AsnConvert.serialize(signed)))
    return {
      signed: true,
      chain: certificate.toString() + chain,
      serialNumber: certificate.serialNumber.toLowerCase(),
      expiresAt: Date.parse(certificate.validTo),
    }
  } catch (error) {
    if (error instanceof RefusedRequest) return { signed: false, reason: error.message }
    throw error
  }
}

/** RFC 5280, 4.2.1.2: the SHA-1 of the key, which only names it. */
function keyIdentifier({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return asArrayBuffer(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())
}

/** As the authority's certificate names its key, or as it would. */
function authorityKeyIdentifier({ extensions: own, subjectPublicKeyInfo }: TBSCertificate): KeyIdentifier {
  const named = [...(own ?? [])].find(({ extnID }) => extnID === id_ce_subjectKeyIdentifier)
  if (named === undefined) return new KeyIdentifier(keyIdentifier(subjectPublicKeyInfo))
  return new KeyIdentifier(AsnConvert.parse(named.extnValue.buffer, SubjectKeyIdentifier).buffer)
}

function extensions(publicKey: SubjectPublicKeyInfo, issuer: TBSCertificate): Extensions {
  const extension = (extnID: string, value: unknown, critical = false): Extension =>
    new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
  const usage = new KeyUsage(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement)
  return new Extensions([
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, usage, true),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(publicKey))),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({ keyIdentifier: authorityKeyIdentifier(issuer) }),
    ),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_clientAuth])),
  ])
}

function asArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}
