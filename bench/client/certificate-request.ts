// A key pair and the request for its certificate (PKCS #10), as a charge point makes them: O the operator, CN the serial number (security
// whitepaper, A02).

import { generateKeyPair, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { Attributes, CertificationRequest, CertificationRequestInfo } from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Name,
  RelativeDistinguishedName,
  SubjectPublicKeyInfo,
} from '@peculiar/asn1-x509'
import type { RequestFlaw } from '../charge-point/misbehaviours.js'

const organizationOid = '2.5.4.10'
const commonNameOid = '2.5.4.3'
const sha256WithRsaOid = '1.2.840.113549.1.1.11'

const part = (type: string, text: string): RelativeDistinguishedName =>
  new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) })])

function publicKeyInfo(key: KeyObject): SubjectPublicKeyInfo {
  return AsnConvert.parse(key.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo)
}

/** In base64, as a request in PEM is, it is 10 KB. */
const longName = 'x'.repeat(7_500)

/** In PEM. */
export async function newCertificateRequest(
  organization: string,
  serialNumber: string,
  flaw?: RequestFlaw,
): Promise<string> {
  const modulusLength = flaw === 'weak-key' ? 1024 : 2048
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength })
  const commonName = flaw === 'wrong-name' ? `NOT-${serialNumber}` : serialNumber
  const certificationRequestInfo = new CertificationRequestInfo({
    subject: new Name([
      part(organizationOid, flaw === 'too-long' ? longName : organization),
      part(commonNameOid, commonName),
    ]),
    subjectPKInfo: publicKeyInfo(publicKey),
    attributes: new Attributes(),
  })
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(certificationRequestInfo)), privateKey)
  const request = new CertificationRequest({
    certificationRequestInfo,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: sha256WithRsaOid, parameters: null }),
    signature: new Uint8Array(signature).buffer,
  })
  const base64 = Buffer.from(AsnConvert.serialize(request)).toString('base64')
  const lines = base64.replace(/.{64}(?=.)/g, '$&\n')
  return `-----BEGIN CERTIFICATE REQUEST-----\n${lines}\n-----END CERTIFICATE REQUEST-----\n`
}
