// Reads a charge point's certificate request (PKCS #10) and says why it must not be signed, if so. What it holds was written by
// a stranger: it is bounded, and whatever cannot be read is refused.

import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { CertificationRequest } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import type { Name } from '@peculiar/asn1-x509'

/** Why a request is not signed; the message is for the operator. */
export class RefusedRequest extends Error {}

export interface ReadRequest {
  readonly subject: Name
  /** SubjectPublicKeyInfo, DER. */
  readonly publicKey: Buffer
}

const commonNameOid = '2.5.4.3'
const pem = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/

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
export function readCertificateRequest(csr: string, names: readonly string[]): ReadRequest {
  const request = parse(csr)
  const { subject, subjectPKInfo } = request.certificationRequestInfo
  const spki = Buffer.from(AsnConvert.serialize(subjectPKInfo))
  const key = readKey(spki)
  const signature = signatures.get(request.signatureAlgorithm.algorithm)
  if (signature === undefined || signature.keyType !== key.asymmetricKeyType)
    throw new RefusedRequest('its signature is not made with SHA-256 or better and its own kind of key')
  const signed = Buffer.from(request.certificationRequestInfoRaw ?? new ArrayBuffer(0))
  if (!isSigned(signature.digest, signed, key, Buffer.from(request.signature)))
    throw new RefusedRequest('it is not signed with its own key')
  checkName(subject, names)
  return { subject, publicKey: spki }
}

function parse(csr: string): CertificationRequest {
  // Some charge points send line breaks as two characters.
  const body = pem.exec(csr.replaceAll('\\r', '').replaceAll('\\n', '\n'))?.[1]
  if (body === undefined) throw new RefusedRequest('it is not a certificate request in PEM')
  try {
    return AsnConvert.parse(Buffer.from(body, 'base64'), CertificationRequest)
  } catch {
    throw new RefusedRequest('it cannot be read as a certificate request (PKCS #10)')
  }
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
    if (publicExponent < 3n || publicExponent % 2n === 0n || publicExponent >= 2n ** 32n)
      throw new RefusedRequest('the exponent of its RSA key is not allowed')
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

function checkName(subject: Name, names: readonly string[]): void {
  const commonNames = [...subject].flatMap((rdn) => [...rdn].filter(({ type }) => type === commonNameOid))
  const [name] = commonNames.map(({ value }) => value.toString())
  if (name === undefined || commonNames.length !== 1) throw new RefusedRequest('it must have exactly one common name')
  if (!names.includes(name))
    throw new RefusedRequest(
      `its common name is ${JSON.stringify(name.slice(0, 100))}, which is neither the id nor the registered serial number`,
    )
}
