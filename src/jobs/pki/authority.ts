// Which authority signs client certificates, and which are trusted when a charge point shows one. The operator's files sign where they are
// given; otherwise the installation makes an authority of its own at the first use. What it has made stays trusted beside the operator's, so
// that one can replace the other.

import { createHash } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import type { Settings } from '../../settings.js'
import { authorityFolder } from './authority-files.js'
import { type ClientAuthority, readClientAuthority } from './client-authority.js'
import { ownAuthorities, withKey } from './own-authorities.js'

export type AuthoritySettings = Pick<
  Settings,
  'data' | 'tls_client_ca_file' | 'client_ca_key_file' | 'authority_passphrase'
>

export const keyNotGiven = 'the key of the authority in --tls-client-ca-file is not given: set --client-ca-key-file'

/** Whether certificates can be issued: not where the operator's authority keeps its key to itself. */
export function canIssue(settings: Pick<AuthoritySettings, 'tls_client_ca_file' | 'client_ca_key_file'>): boolean {
  return settings.tls_client_ca_file === undefined || settings.client_ca_key_file !== undefined
}

/** All whose key is here, that of the operator first; makes none. Throws where the key of one cannot be read. */
export function presentAuthorities(settings: AuthoritySettings, now: number): readonly ClientAuthority[] {
  const {
    tls_client_ca_file: certificateFile,
    client_ca_key_file: keyFile,
    authority_passphrase: passphrase,
  } = settings
  const own = ownAuthorities(settings.data, now).map((one) => withKey(one, passphrase))
  if (certificateFile === undefined || keyFile === undefined) return own
  return [readClientAuthority(readFileSync(keyFile, 'utf8'), readFileSync(certificateFile, 'utf8')), ...own]
}

export interface Trusted {
  /** PEM of the certificates that a listener verifies client certificates against. */
  readonly file: string
  /** Changes with the authorities that the installation has made. */
  readonly mark: string
}

/** What listeners trust; undefined where there is no authority, so that they ask for no certificates. */
export function trustedAuthorities(settings: AuthoritySettings, now: number): Trusted | undefined {
  const { data, tls_client_ca_file: file } = settings
  const own = ownAuthorities(data, now).map(({ certificate }) => certificate.toString())
  if (own.length === 0) return file === undefined ? undefined : { file, mark: '' }
  // A file may end without a line break.
  const content = [...(file === undefined ? [] : [readFileSync(file, 'utf8')]), ...own].join('\n')
  const trusted = join(data, authorityFolder, 'trusted')
  if (!isStored(trusted, content)) {
    // Several threads may write the same at once.
    const place = `${trusted}.${threadId}`
    writeFileSync(place, content, { mode: 0o600 })
    renameSync(place, trusted)
  }
  return { file: trusted, mark: createHash('sha256').update(own.join('')).digest('hex') }
}

function isStored(file: string, content: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined && readFileSync(file, 'utf8') === content
}
