// How an authority's key signs, and how keys are named: what certificates and lists of revoked ones have in common.

import { createHash, type KeyObject, sign } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Extension, type SubjectPublicKeyInfo } from '@peculiar/asn1-x509'

/** Of a key on an elliptic curve (RFC 5480, 2.1.1). */
export const ecKeyOid = '1.2.840.10045.2.1'

export type AuthorityKind = 'rsa' | 'prime256v1' | 'secp384r1'

/** RFC 8017, A.2.4: the parameters of RSA's algorithms are a NULL. */
const derNull = new Uint8Array([5, 0]).buffer

/** RSA with SHA-256, a curve with the digest of its size. */
const algorithms = {
  rsa: { oid: '1.2.840.113549.1.1.11', digest: 'sha256', parameters: derNull },
  prime256v1: { oid: '1.2.840.10045.4.3.2', digest: 'sha256' },
  secp384r1: { oid: '1.2.840.10045.4.3.3', digest: 'sha384' },
} as const

export function algorithmOf(kind: AuthorityKind): AlgorithmIdentifier {
  const { oid, digest: _, ...more } = algorithms[kind]
  return new AlgorithmIdentifier({ algorithm: oid, ...more })
}

/** `signed`: what is signed, as its type of ASN.1, or in DER. */
export function signatureOf(signed: object | Buffer, kind: AuthorityKind, key: KeyObject): ArrayBuffer {
  const bytes = Buffer.isBuffer(signed) ? signed : Buffer.from(AsnConvert.serialize(signed))
  return asArrayBuffer(sign(algorithms[kind].digest, bytes, key))
}

export function asArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer
}

/** RFC 5280, 4.2.1.2: the SHA-1 of the key, which only names it. */
export function keyIdentifier({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return asArrayBuffer(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())
}

export function extension(extnID: string, value: unknown, critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}
