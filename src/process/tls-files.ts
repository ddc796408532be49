// The TLS files of the settings: whether they can be read and belong together, said before a listener fails on them.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { readClientAuthority } from '../jobs/pki/client-authority.js'
import { ownAuthorities, withKey } from '../jobs/pki/own-authorities.js'
import { systemClock } from '../runtime/clock.js'
import { SettingsError } from '../runtime/settings-error.js'
import type { Settings } from '../settings.js'

const fileSettings = [
  'tls_key_file',
  'tls_certificate_file',
  'tls_authority_file',
  'tls_second_key_file',
  'tls_second_certificate_file',
  'tls_client_ca_file',
  'client_ca_key_file',
] as const

/** Of the listener's own key. */
const shortestRsaBits = 2_048

type FileSetting = (typeof fileSettings)[number]

const flagOf = (name: FileSetting): string => `--${name.replaceAll('_', '-')}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Throws one line that names the flag. */
export function checkTlsFiles(settings: Settings): void {
  if ((settings.tls_key_file === undefined) !== (settings.tls_certificate_file === undefined))
    throw new SettingsError('--tls-key-file and --tls-certificate-file go together')
  if ((settings.tls_second_key_file === undefined) !== (settings.tls_second_certificate_file === undefined))
    throw new SettingsError('--tls-second-key-file and --tls-second-certificate-file go together')
  if (settings.tls_second_key_file !== undefined) checkSecondPair(settings)
  if (settings.tls_client_ca_file !== undefined && settings.tls_key_file === undefined)
    throw new SettingsError('--tls-client-ca-file needs --tls-key-file and --tls-certificate-file')
  if (settings.tls_authority_file !== undefined && settings.tls_certificate_file === undefined)
    throw new SettingsError('--tls-authority-file needs --tls-key-file and --tls-certificate-file')
  if (settings.client_ca_key_file !== undefined && settings.tls_client_ca_file === undefined)
    throw new SettingsError('--client-ca-key-file needs --tls-client-ca-file')
  if (settings.cpo_name !== undefined && settings.tls_client_ca_file === undefined)
    throw new SettingsError('--cpo-name needs --tls-client-ca-file')
  const contents = new Map<FileSetting, Buffer>()
  for (const name of fileSettings) {
    const file = settings[name]
    if (file !== undefined) contents.set(name, read(name, file))
  }
  const authority = contents.get('tls_client_ca_file')
  if (authority !== undefined) checkCertificate('tls_client_ca_file', authority)
  const ownAuthority = contents.get('tls_authority_file')
  if (ownAuthority !== undefined) checkCertificate('tls_authority_file', ownAuthority)
  const authorityKey = contents.get('client_ca_key_file')
  if (authority !== undefined && authorityKey !== undefined) checkAuthority(authorityKey, authority)
  checkPair(contents, 'tls_key_file', 'tls_certificate_file')
  checkPair(contents, 'tls_second_key_file', 'tls_second_certificate_file')
  const [first, second] = (['tls_key_file', 'tls_second_key_file'] as const).map((name) => contents.get(name))
  if (first !== undefined && second !== undefined && keyKind(first) === keyKind(second))
    throw new SettingsError(
      '--tls-key-file and --tls-second-key-file must be of different kinds: one RSA, one elliptic',
    )
}

/** What a listener with two certificates takes beyond the files. */
function checkSecondPair({ tls_key_file: first, fronts }: Settings): void {
  if (first === undefined)
    throw new SettingsError('--tls-second-key-file needs --tls-key-file and --tls-certificate-file')
  if (process.platform !== 'linux') throw new SettingsError('--tls-second-key-file works on Linux only')
  if (fronts > 1) throw new SettingsError('--tls-second-key-file works with one front thread: leave --fronts at 1')
}

/** Of a private key in PEM that has been read before. */
export function keyKind(key: Buffer): 'rsa' | 'ec' {
  return createPrivateKey(key).asymmetricKeyType === 'ec' ? 'ec' : 'rsa'
}

function checkPair(contents: ReadonlyMap<FileSetting, Buffer>, keyName: FileSetting, name: FileSetting): void {
  const key = contents.get(keyName)
  const certificate = contents.get(name)
  if (key === undefined || certificate === undefined) return
  checkCertificate(name, certificate)
  checkKeyLength(keyName, key)
  try {
    createSecureContext({ key, cert: certificate })
    // OpenSSL does not compare keys of two kinds.
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) throw new Error('they differ')
  } catch (error) {
    throw new SettingsError(`${flagOf(keyName)} is not the key of ${flagOf(name)}: ${messageOf(error)}`)
  }
}

/** OCPP's security profiles ask for as much of RSA; what is too short of elliptic keys, TLS itself refuses. */
function checkKeyLength(name: FileSetting, key: Buffer): void {
  const bits = rsaBits(key)
  if (bits !== undefined && bits < shortestRsaBits)
    throw new SettingsError(`${flagOf(name)} is an RSA key of ${bits} bits; it must have at least ${shortestRsaBits}`)
}

/** Undefined for a key that is not RSA, or cannot be read: then it is not the certificate's either. */
function rsaBits(key: Buffer): number | undefined {
  try {
    return createPrivateKey(key).asymmetricKeyDetails?.modulusLength
  } catch {
    return undefined
  }
}

/** An authority that cannot sign would be found out by the first charge point that asks for its certificate. */
function checkAuthority(key: Buffer, certificates: Buffer): void {
  try {
    readClientAuthority(key.toString(), certificates.toString())
  } catch (error) {
    throw new SettingsError(`--client-ca-key-file cannot sign for --tls-client-ca-file: ${messageOf(error)}`)
  }
}

/** The key of an authority that the installation has made; called once the data directory is ours. */
export function checkOwnAuthorities(settings: Settings): void {
  for (const own of ownAuthorities(settings.data, systemClock.now())) withKey(own, settings.authority_passphrase)
}

function read(name: FileSetting, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw new SettingsError(`${flagOf(name)} cannot be read: ${messageOf(error)}`)
  }
}

function checkCertificate(name: FileSetting, pem: Buffer): void {
  try {
    new X509Certificate(pem)
  } catch {
    throw new SettingsError(`${flagOf(name)} holds no certificate in PEM`)
  }
}
