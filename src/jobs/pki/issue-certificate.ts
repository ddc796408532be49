// Issues a client certificate: for a name and a key that others have checked, by an authority, until the end of one or the other.

import { randomBytes, X509Certificate } from 'node:crypto'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extensions,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  id_kp_clientAuth,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { type IssuedCertificate, serialNumberFor } from '../../records/client-certificate.js'
import { type ClientAuthority, endOf } from './client-authority.js'
import { authorityName, issuerOf, keyIdentifierOf } from './issuer.js'
import { algorithmOf, asArrayBuffer, ecKeyOid, extension, keyIdentifier, signatureOf } from './signature.js'

export interface CertificateWanted {
  readonly commonName: string
  /** Its organization (O), where it has to name the operator. */
  readonly cpoName: string | undefined
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
  /** What the serial number names. */
  readonly registration: string
  readonly validityDays: number
  /** It is valid from a second after this, wall ms, so that it is newer than all before: certificates have no shorter times. */
  readonly laterThan?: number | undefined
}

const randomSerialBytes = 8
const dayMs = 24 * 3_600_000
/** The clock of a charge point may be behind when it gets its certificate. */
const backdatedMs = dayMs
/** What would end sooner is of no use to anybody. */
const shortestMs = dayMs

const commonNameOid = '2.5.4.3'
const organizationOid = '2.5.4.10'

/** Why none can be issued; undefined where one can. */
export function whyNotIssued(authority: ClientAuthority, now: number): string | undefined {
  const ends = endOf(authority)
  if (ends <= now) return 'the certificate of the authority has expired'
  if (ends > now + shortestMs) return undefined
  return `the certificate of the authority expires at ${new Date(ends).toISOString()}, too soon to sign another`
}

/** To be called where `whyNotIssued` finds nothing. */
export function issueCertificate(
  wanted: CertificateWanted,
  authority: ClientAuthority,
  now: number,
): IssuedCertificate {
  const issuer = issuerOf(authority)
  const authorityEnds = endOf(authority)
  const wantedEnd = now + wanted.validityDays * dayMs
  const subjectPublicKeyInfo = AsnConvert.parse(wanted.publicKey, SubjectPublicKeyInfo)
  const signature = algorithmOf(authority.kind)
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: asArrayBuffer(serialNumberFor(wanted.registration, randomBytes(randomSerialBytes))),
    signature,
    issuer: issuer.subject,
    validity: new Validity({
      notBefore: new Date(validFromOf(wanted, now)),
      notAfter: new Date(Math.min(wantedEnd, authorityEnds)),
    }),
    subject: subjectOf(wanted),
    subjectPublicKeyInfo,
    extensions: extensions(subjectPublicKeyInfo, issuer),
  })
  const signatureValue = signatureOf(tbsCertificate, authority.kind, authority.key)
  const signed = new Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue })
  const certificate = new X509Certificate(Buffer.from(AsnConvert.serialize(signed)))
  return {
    certificatePem: certificate.toString(),
    authorityChain: authority.chain,
    authority: authorityName(authority),
    serialNumber: certificate.serialNumber.toLowerCase(),
    validFrom: Date.parse(certificate.validFrom),
    expiresAt: Date.parse(certificate.validTo),
    isCut: authorityEnds < wantedEnd,
  }
}

/** After those before it, also where a clock was set back meanwhile: it would seem to be as old, or older. */
function validFromOf({ laterThan = 0 }: CertificateWanted, now: number): number {
  return Math.min(now, Math.max(now - backdatedMs, laterThan + 1_000))
}

export function nameOf(commonName: string, organization?: string): Name {
  const named = (type: string, utf8String: string) =>
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })])
  const before = organization === undefined ? [] : [named(organizationOid, organization)]
  return new Name([...before, named(commonNameOid, commonName)])
}

function subjectOf({ commonName, cpoName }: CertificateWanted): Name {
  return nameOf(commonName, cpoName)
}

/** Keys agree on elliptic curves alone (RFC 3279, 2.3.1 and 2.3.5). */
function agreementOf({ algorithm }: SubjectPublicKeyInfo): number {
  return algorithm.algorithm === ecKeyOid ? KeyUsageFlags.keyAgreement : 0
}

function extensions(publicKey: SubjectPublicKeyInfo, issuer: TBSCertificate): Extensions {
  const usage = new KeyUsage(KeyUsageFlags.digitalSignature | agreementOf(publicKey))
  return new Extensions([
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), true),
    extension(id_ce_keyUsage, usage, true),
    extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(publicKey))),
    extension(id_ce_authorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: keyIdentifierOf(issuer) })),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_clientAuth])),
  ])
}
