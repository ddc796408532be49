// Makes the installation's own authority. Only the thread for certificates does, a job at a time (the one for requests of charge points signs with what is there), and only one process uses the data directory,
// so there is one maker.

import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
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
import { authorityEnding, authorityFolder, storeAuthority } from './authority-files.js'
import { nameOf } from './issue-certificate.js'
import { limits } from './limits.js'
import {
  encryptOwn,
  isEncrypted,
  keyCipher,
  newestBegun,
  type OwnAuthority,
  ownAuthorities,
  readOwn,
} from './own-authorities.js'
import { algorithmOf, asArrayBuffer, extension, keyIdentifier, signatureOf } from './signature.js'

const dayMs = 24 * 3_600_000
const serialBytes = 16
/** Charge points that verify are mostly able to verify RSA. */
const keyBits = 3_072

/** The one that signs: the newest, or a new one where the newest would end before a certificate that it signs. */
export function currentOwn(data: string, passphrase: string | undefined, now: number): OwnAuthority {
  const all = ownAuthorities(data, now)
  if (passphrase !== undefined) for (const one of all) encryptOwn(one, passphrase)
  return lastingOwn(all, now) ?? makeOwn(data, passphrase, now)
}

/** Whether `currentOwn` would write nothing. */
export function isOwnMade(data: string, passphrase: string | undefined, now: number): boolean {
  const all = ownAuthorities(data, now)
  if (passphrase !== undefined && !all.every(({ pem }) => isEncrypted(pem))) return false
  return lastingOwn(all, now) !== undefined
}

/** The newest, where it ends after whatever it signs now. */
function lastingOwn(all: readonly OwnAuthority[], now: number): OwnAuthority | undefined {
  const newest = newestBegun(all, now)
  if (newest === undefined || Date.parse(newest.certificate.validTo) < now + limits.longestValidityDays * dayMs)
    return undefined
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
  const protection = passphrase === undefined ? {} : { cipher: keyCipher, passphrase }
  const key = privateKey.export({ type: 'pkcs8', format: 'pem', ...protection }).toString()
  const file = join(data, authorityFolder, `${serialNumber.toString('hex')}${authorityEnding}`)
  storeAuthority(file, key + certificate.toString())
  return readOwn(file)
}
