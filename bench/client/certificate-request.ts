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

const organizationOid = '2.5.4.10'
const commonNameOid = '2.5.4.3'
const sha256WithRsaOid = '1.2.840.113549.1.1.11'

const part = (type: string, text: string): RelativeDistinguishedName =>
  new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) })])

function publicKeyInfo(key: KeyObject): SubjectPublicKeyInfo {
  return AsnConvert.parse(key.export({ format: 'der', type: 'spki' }), SubjectPublicKeyInfo)
}

/** In PEM. */
export async function newCertificateRequest(organization: string, serialNumber: string): Promise<string> {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const certificationRequestInfo = new CertificationRequestInfo({
    subject: new Name([part(organizationOid, organization), part(commonNameOid, serialNumber)]),
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
