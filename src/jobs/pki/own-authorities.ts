// The authorities that the installation has made itself, as files of the data directory (authority-files.ts). Only the thread for certificates makes one, a job at a time, and only one process uses the directory,
// so there is one maker. The newest that has begun signs; all are trusted until they end or their file is removed.

import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  BasicConstraints,
  Certificate,
  Extensions,
  id_ce_basicConstraints,
  id_ce_keyUsage,
  id_ce_subjectKeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { authorityEnding, authorityFilesIn, authorityFolder, storeAuthority } from './authority-files.js'
import { type ClientAuthority, certificatesIn, readClientAuthority } from './client-authority.js'
import { nameOf } from './issue-certificate.js'
import { limits } from './limits.js'
import { algorithmOf, asArrayBuffer, extension, keyIdentifier, signatureOf } from './signature.js'

const dayMs = 24 * 3_600_000
const serialBytes = 16
/** Charge points that verify are mostly able to verify RSA. */
const keyBits = 3_072
const cipher = 'aes-256-cbc'

/** An authority that the installation has made. */
export interface OwnAuthority {
  readonly file: string
  readonly pem: string
  readonly certificate: X509Certificate
}

/** Newest first; those that have ended are left out. */
export function ownAuthorities(data: string, now: number): readonly OwnAuthority[] {
  return authorityFilesIn(data)
    .map((name) => readOwn(join(data, authorityFolder, name)))
    .filter((one) => Date.parse(one.certificate.validTo) > now)
    .sort((one, other) => Date.parse(other.certificate.validFrom) - Date.parse(one.certificate.validFrom))
}

function readOwn(file: string): OwnAuthority {
  const pem = readFileSync(file, 'utf8')
  const [certificate] = certificatesIn(pem)
  if (certificate === undefined) throw new Error(`${file} has no certificate in it`)
  return { file, pem, certificate }
}

/** Throws where its key cannot be read. */
export function withKey({ file, pem }: OwnAuthority, passphrase: string | undefined): ClientAuthority {
  try {
    return readClientAuthority(pem, pem, passphrase)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const hint = isEncrypted(pem) ? ': is --authority-passphrase the one that it was stored with?' : ''
    throw new Error(`the key in ${file} cannot be read (${why})${hint}`, { cause: error })
  }
}

const isEncrypted = (pem: string): boolean => pem.includes('BEGIN ENCRYPTED PRIVATE KEY')

/** Encrypts the key of an authority that was made before there was a passphrase. */
function encryptOwn(own: OwnAuthority, passphrase: string): void {
  if (isEncrypted(own.pem)) return
  const key = createPrivateKey(own.pem).export({ type: 'pkcs8', format: 'pem', cipher, passphrase }).toString()
  storeAuthority(own.file, key + own.certificate.toString())
}

/** One that was made while a clock was ahead signs nothing that is good before it begins itself. `authorities`: newest first. */
export function newestBegun(authorities: readonly OwnAuthority[], now: number): OwnAuthority | undefined {
  return authorities.find(({ certificate }) => Date.parse(certificate.validFrom) <= now)
}

/** The one that signs: the newest, or a new one where the newest would end before a certificate that it signs. */
export function currentOwn(data: string, passphrase: string | undefined, now: number): OwnAuthority {
  const all = ownAuthorities(data, now)
  if (passphrase !== undefined) for (const one of all) encryptOwn(one, passphrase)
  const newest = newestBegun(all, now)
  if (newest === undefined || Date.parse(newest.certificate.validTo) < now + limits.longestValidityDays * dayMs)
    return makeOwn(data, passphrase, now)
  return newest
}

function makeOwn(data: string, passphrase: string | undefined, now: number): OwnAuthority {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: keyBits })
  const subjectPublicKeyInfo = AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo)
  const serialNumber = randomBytes(serialBytes)
  // A positive integer (RFC 5280, 4.1.2.2).
  serialNumber[0] = ((serialNumber[0] ?? 0) & 0x3f) | 0x40
  const name = nameOf(`Charge point authority ${serialNumber.toString('hex').slice(0, 8)}`)
  const signature = algorithmOf('rsa')
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: asArrayBuffer(serialNumber),
    signature,
    issuer: name,
    subject: name,
    validity: new Validity({
      // What it signs is backdated by a day.
      notBefore: new Date(now - 2 * dayMs),
      notAfter: new Date(now + limits.authorityDays * dayMs),
    }),
    subjectPublicKeyInfo,
    extensions: new Extensions([
      extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
      extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), true),
      extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdentifier(subjectPublicKeyInfo))),
    ]),
  })
  const signatureValue = signatureOf(tbsCertificate, 'rsa', privateKey)
  const signed = new Certificate({ tbsCertificate, signatureAlgorithm: signature, signatureValue })
  const certificate = new X509Certificate(Buffer.from(AsnConvert.serialize(signed)))
  const protection = passphrase === undefined ? {} : { cipher, passphrase }
  const key = privateKey.export({ type: 'pkcs8', format: 'pem', ...protection }).toString()
  const file = join(data, authorityFolder, `${serialNumber.toString('hex')}${authorityEnding}`)
  storeAuthority(file, key + certificate.toString())
  return readOwn(file)
}
