// Certificates made for tests: authorities, servers and charge points, as PEM.

import { constants, generateKeyPairSync, privateEncrypt } from 'node:crypto'
import forge from 'node-forge'

export interface Identity {
  readonly keyPem: string
  readonly certificatePem: string
}

const dayMs = 24 * 3_600_000
let serial = 1

interface Wanted {
  readonly commonName: string
  readonly organizations?: readonly string[]
  /** Itself, for an authority. */
  readonly issuer?: Identity
  readonly server?: boolean
  /** Names of a server, in place of its address. */
  readonly names?: readonly string[]
  readonly validDays?: number
}

function alternatives(names: readonly string[] | undefined): object[] {
  return names?.map((value) => ({ type: 2, value })) ?? [{ type: 7, ip: '127.0.0.1' }]
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
}

/** Of every certificate that an authority has signed: to make one takes longer than all the rest, and nothing asks whether they differ. */
let sharedKey: string | undefined

/** A key as forge signs with it, but computed by Node.js: in JavaScript it takes as long as twenty handshakes. */
function signerOf(keyPem: string): forge.pki.rsa.PrivateKey {
  const sha256Prefix = Buffer.from('3031300d060960864801650304020105000420', 'hex')
  const sign = (digest: forge.md.MessageDigest): string => {
    const signed = Buffer.concat([sha256Prefix, Buffer.from(digest.digest().getBytes(), 'binary')])
    return privateEncrypt({ key: keyPem, padding: constants.RSA_PKCS1_PADDING }, signed).toString('binary')
  }
  return { sign } as unknown as forge.pki.rsa.PrivateKey
}

/** An authority when no issuer is given. `validDays` below zero makes a certificate that has run out. */
export function makeCertificate({
  commonName,
  organizations = [],
  issuer,
  server = false,
  names,
  validDays = 2,
}: Wanted): Identity {
  if (issuer !== undefined) sharedKey ??= makeKey()
  const keyPem = (issuer !== undefined && sharedKey) || makeKey()
  const key = forge.pki.privateKeyFromPem(keyPem) as forge.pki.rsa.PrivateKey
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e)
  certificate.serialNumber = `01${(serial++).toString(16).padStart(6, '0')}`
  const now = Date.now()
  certificate.validity.notBefore = new Date(now - 10 * dayMs)
  certificate.validity.notAfter = new Date(now + validDays * dayMs)
  const subject = [
    ...organizations.map((value) => ({ name: 'organizationName', value, valueTagClass: 12 as forge.asn1.Class })),
    { name: 'commonName', value: commonName },
  ]
  certificate.setSubject(subject)
  certificate.setIssuer(
    issuer === undefined ? subject : forge.pki.certificateFromPem(issuer.certificatePem).subject.attributes,
  )
  certificate.setExtensions(
    issuer === undefined
      ? [
          { name: 'basicConstraints', cA: true },
          { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
        ]
      : [
          { name: 'basicConstraints', cA: false },
          { name: 'extKeyUsage', serverAuth: server, clientAuth: !server },
          ...(server ? [{ name: 'subjectAltName', altNames: alternatives(names) }] : []),
        ],
  )
  certificate.sign(signerOf(issuer?.keyPem ?? keyPem), forge.md.sha256.create())
  return { keyPem, certificatePem: forge.pki.certificateToPem(certificate) }
}
