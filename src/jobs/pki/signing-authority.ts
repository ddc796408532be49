// The authority that signs.

import { readFileSync } from 'node:fs'
import { type AuthoritySettings, canIssue, keyNotGiven } from './authority.js'
import { type ClientAuthority, certificatesIn, readClientAuthority } from './client-authority.js'
import { currentOwn, isOwnMade } from './make-authority.js'
import { newestBegun, ownAuthorities, withKey } from './own-authorities.js'

/** The one that signs. Makes it where there is none yet: for the thread for certificates alone, unless it is made. Throws where it cannot be used. */
export function signingAuthority(settings: AuthoritySettings, now: number): ClientAuthority {
  const {
    tls_client_ca_file: certificateFile,
    client_ca_key_file: keyFile,
    authority_passphrase: passphrase,
  } = settings
  if (certificateFile === undefined) return withKey(currentOwn(settings.data, passphrase, now), passphrase)
  if (keyFile === undefined) throw new Error(keyNotGiven)
  return readClientAuthority(readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8'))
}

/** Whether `signingAuthority` would make or change no file, so that other threads may ask for it, too. */
export function isSigningAuthorityMade(settings: AuthoritySettings, now: number): boolean {
  const { tls_client_ca_file: certificateFile, data, authority_passphrase: passphrase } = settings
  return certificateFile !== undefined || isOwnMade(data, passphrase, now)
}

/** PEM of the certificate of the one that signs, and of what it was issued under; undefined where there is none yet. */
export function signingCertificates(settings: AuthoritySettings, now: number): string | undefined {
  const { data, tls_client_ca_file: file } = settings
  if (file === undefined) return newestBegun(ownAuthorities(data, now), now)?.certificate.toString()
  // Its text goes no further: some files have the key in them as well.
  if (!canIssue(settings)) return certificatesIn(readFileSync(file, 'utf8')).join('')
  return signingAuthority(settings, now).chain
}
