// The authorities that the installation has made itself, as files of the data directory (authority-files.ts). The newest that has begun signs;
// all are trusted until they end or their file is removed.

import { createPrivateKey, type X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { authorityFilesIn, authorityFolder, storeAuthority } from './authority-files.js'
import { type ClientAuthority, certificatesIn, readClientAuthority } from './client-authority.js'

/** Of their keys, where they have a passphrase. */
export const keyCipher = 'aes-256-cbc'

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

export function readOwn(file: string): OwnAuthority {
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

export const isEncrypted = (pem: string): boolean => pem.includes('BEGIN ENCRYPTED PRIVATE KEY')

/** Encrypts the key of an authority that was made before there was a passphrase. */
export function encryptOwn(own: OwnAuthority, passphrase: string): void {
  if (isEncrypted(own.pem)) return
  const key = createPrivateKey(own.pem)
    .export({ type: 'pkcs8', format: 'pem', cipher: keyCipher, passphrase })
    .toString()
  storeAuthority(own.file, key + own.certificate.toString())
}

/** One that was made while a clock was ahead signs nothing that is good before it begins itself. `authorities`: newest first. */
export function newestBegun(authorities: readonly OwnAuthority[], now: number): OwnAuthority | undefined {
  return authorities.find(({ certificate }) => Date.parse(certificate.validFrom) <= now)
}
