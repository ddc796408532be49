// Reads a charge point's certificate request (PKCS #10) and says why it must not be signed, if so. What it holds was written by
// a stranger: it is bounded, whatever cannot be read is refused, and what is cheap to check is checked first. Of its subject, nothing
// but the name that was checked goes on.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { Name } from '@peculiar/asn1-x509'
import { namesOperator, shownOrganization } from './organization-name.js'
import { ecKeyOid } from './signature.js'

/** Why a request is not signed; the message is for the operator. */
export class RefusedRequest extends Error {}

export interface ReadRequest {
  readonly commonName: string
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
}

/** What the subject of a request has to say. */
export interface Demands {
  /** Common names that may be signed. */
  readonly names: readonly string[]
  /** What its organization has to contain, where that is asked for. */
  readonly cpoName?: string | undefined
}

const commonNameOid = '2.5.4.3'
const organizationOid = '2.5.4.10'
/** The tag of the name of a curve, which RFC 5480 (2.1.1) wants in certificates. */
const objectIdentifier = 0x06
/** SignCertificate (security whitepaper): a longer text has been cut. */
const longestCharacters = 5_500
/** Fermat's prime F4: a larger one makes the check of a signature costly, a smaller one forgeries easier. */
const rsaExponent = 65_537n
const pem = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/g

/** Digest of each signature algorithm that a request may have, and whose key makes such signatures (RFC 4055, RFC 5758). */
const signatures: ReadonlyMap<string, { readonly digest: string; readonly keyType: string }> = new Map([
  ['1.2.840.113549.1.1.11', { digest: 'sha256', keyType: 'rsa' }],
  ['1.2.840.113549.1.1.12', { digest: 'sha384', keyType: 'rsa' }],
  ['1.2.840.113549.1.1.13', { digest: 'sha512', keyType: 'rsa' }],
  ['1.2.840.10045.4.3.2', { digest: 'sha256', keyType: 'ec' }],
  ['1.2.840.10045.4.3.3', { digest: 'sha384', keyType: 'ec' }],
  ['1.2.840.10045.4.3.4', { digest: 'sha512', keyType: 'ec' }],
])

/** Throws a RefusedRequest that says why. */
export function readCertificateRequest(csr: string, { names, cpoName }: Demands): ReadRequest {
  const request = parse(csr)
  const { subject, subjectPKInfo } = request.certificationRequestInfo
  if (subjectPKInfo.algorithm.algorithm === ecKeyOid && tagOf(subjectPKInfo.algorithm.parameters) !== objectIdentifier)
    throw new RefusedRequest('its key describes its curve instead of naming it; no client takes such a certificate')
  const spki = Buffer.from(AsnConvert.serialize(subjectPKInfo))
  const key = readKey(spki)
  const signature = signatures.get(request.signatureAlgorithm.algorithm)
  if (signature === undefined || signature.keyType !== key.asymmetricKeyType)
    throw new RefusedRequest('its signature is not made with SHA-256 or better and its own kind of key')
  const name = commonNameOf(subject, names)
  if (cpoName !== undefined) checkOrganization(subject, cpoName)
  const signed = Buffer.from(request.certificationRequestInfoRaw ?? new ArrayBuffer(0))
  if (!isSigned(signature.digest, signed, key, Buffer.from(request.signature)))
    throw new RefusedRequest('it is not signed with its own key')
  return { commonName: name, publicKey: spki }
}

function parse(csr: string): CertificationRequest {
  // Some charge points send line breaks as two characters.
  const blocks = [...csr.replaceAll('\\r', '').replaceAll('\\n', '\n').matchAll(pem)]
  const body = blocks[0]?.[1]
  if (body === undefined)
    throw new RefusedRequest(
      csr.length < longestCharacters
        ? 'it is not a certificate request in PEM'
        : `it is longer than the ${longestCharacters} characters that OCPP allows`,
    )
  if (blocks.length > 1) throw new RefusedRequest('it is more than one certificate request')
  const der = Buffer.from(body, 'base64')
  if (!isOneValue(der))
    throw new RefusedRequest('it cannot be read as a certificate request (PKCS #10): it is not one value in DER')
  try {
    return AsnConvert.parse(der, CertificationRequest)
  } catch {
    throw new RefusedRequest('it cannot be read as a certificate request (PKCS #10)')
  }
}

/** Whether the length that a value of ASN.1 begins with is definite, as DER has it (X.690, 10.1), and reaches to the end. */
function isOneValue(der: Buffer): boolean {
  const first = der[1]
  if (first === undefined || first === 0x80) return false
  if (first < 0x80) return der.length === 2 + first
  const lengthBytes = first & 0x7f
  if (lengthBytes > 4 || der.length < 2 + lengthBytes) return false
  return der.length === 2 + lengthBytes + der.readUIntBE(2, lengthBytes)
}

function tagOf(parameters: ArrayBuffer | null | undefined): number | undefined {
  return parameters === null || parameters === undefined ? undefined : new Uint8Array(parameters)[0]
}

/** RSA of 2048 to 4096 bits, or one of the two curves of the security whitepaper. */
function readKey(spki: Buffer): KeyObject {
  let key: KeyObject
  try {
    key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    throw new RefusedRequest('its public key cannot be read')
  }
  const { modulusLength = 0, publicExponent = 0n, namedCurve } = key.asymmetricKeyDetails ?? {}
  if (key.asymmetricKeyType === 'rsa') {
    if (modulusLength < 2048 || modulusLength > 4096)
      throw new RefusedRequest(`its RSA key has ${modulusLength} bits; it must have 2048 to 4096`)
    if (publicExponent !== rsaExponent) throw new RefusedRequest(`the exponent of its RSA key is not ${rsaExponent}`)
    return key
  }
  if (key.asymmetricKeyType === 'ec' && (namedCurve === 'prime256v1' || namedCurve === 'secp384r1')) return key
  throw new RefusedRequest(`its key is ${namedCurve ?? key.asymmetricKeyType}; it must be RSA, P-256 or P-384`)
}

function isSigned(digest: string, signed: Buffer, key: KeyObject, signature: Buffer): boolean {
  try {
    return verify(digest, signed, key, signature)
  } catch {
    return false
  }
}

function commonNameOf(subject: Name, names: readonly string[]): string {
  const commonNames = valuesOf(subject, commonNameOid)
  const [name] = commonNames
  if (name === undefined || commonNames.length !== 1) throw new RefusedRequest('it must have exactly one common name')
  if (!names.includes(name))
    throw new RefusedRequest(
      `its common name is ${JSON.stringify(name.slice(0, 100))}, which is neither the id nor the registered serial number`,
    )
  return name
}

/** One that names no organization is fine: not every charge point can be given the name (its key CpoName). */
function checkOrganization(subject: Name, cpoName: string): void {
  const organizations = valuesOf(subject, organizationOid)
  if (organizations.length > 0 && !namesOperator(organizations, cpoName))
    throw new RefusedRequest(
      `its organization (O) is ${shownOrganization(organizations)}, which does not contain ${JSON.stringify(cpoName)}: set the charge point's configuration key CpoName`,
    )
}

function valuesOf(subject: Name, oid: string): readonly string[] {
  return [...subject].flatMap((rdn) => [...rdn].filter(({ type }) => type === oid).map(({ value }) => value.toString()))
}
