// Keys, requests and certificates made and judged by the openssl of this machine: a second opinion on what the service makes.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OpensslFolder {
  readonly path: (name: string) => string
  /** Runs openssl in the folder; throws what it says when it fails. */
  run(...args: string[]): string
  /** The same, with what it says of what it finds wrong. */
  runBoth(...args: string[]): string
  write(name: string, content: string | Uint8Array): string
  read(name: string): string
}

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function opensslFolder(): OpensslFolder {
  const folder = mkdtempSync(join(tmpdir(), 'ampshard-openssl-'))
  folders.push(folder)
  const path = (name: string): string => join(folder, name)
  return {
    path,
    run(...args) {
      const { status, stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
      if (status !== 0) throw new Error(`openssl ${args.join(' ')}: ${stderr}`)
      return stdout
    },
    runBoth(...args) {
      const { stdout, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8', timeout: 60_000 })
      return stdout + stderr
    },
    write(name, content) {
      writeFileSync(path(name), content)
      return path(name)
    },
    read: (name) => readFileSync(path(name), 'utf8'),
  }
}

/** What `openssl genpkey` needs for a kind of key. */
export const keyKinds = {
  'RSA 1024': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024'],
  'RSA 2048': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'RSA 4096': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:4096'],
  'RSA 2048, exponent 3': ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-pkeyopt', 'rsa_keygen_pubexp:3'],
  'P-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-256, described': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-pkeyopt', 'ec_param_enc:explicit'],
  'P-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  'P-521': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
  Ed25519: ['-algorithm', 'ED25519'],
} as const
export type KeyKind = keyof typeof keyKinds

export function makeKey(folder: OpensslFolder, kind: KeyKind, name: string): string {
  folder.run('genpkey', ...keyKinds[kind], '-out', name)
  return folder.read(name)
}

/** A self-signed authority: `NAME.key` and `NAME.pem`. */
export function makeAuthority(folder: OpensslFolder, kind: KeyKind, name: string, more: readonly string[] = []): void {
  makeKey(folder, kind, `${name}.key`)
  const subject = ['-subj', `/O=Example Charging/CN=${name}`]
  const usage = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']
  folder.run(
    'req',
    '-x509',
    '-new',
    '-key',
    `${name}.key`,
    '-out',
    `${name}.pem`,
    '-days',
    '30',
    ...subject,
    ...(more.length > 0 ? more : usage),
  )
}

export interface MadeRequest {
  readonly csr: string
  readonly keyPem: string
}

export function makeRequest(
  folder: OpensslFolder,
  kind: KeyKind,
  subject: string,
  more: readonly string[] = ['-sha256'],
): MadeRequest {
  const keyPem = makeKey(folder, kind, 'request.key')
  const digest = kind === 'Ed25519' ? [] : more
  const csr = folder.run('req', '-new', '-key', 'request.key', '-subj', subject, '-utf8', ...digest)
  return { csr, keyPem }
}
