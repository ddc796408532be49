// A start that cannot be: one line on standard error, exit code 1, and nothing left running.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { t, test } from 'tap'
import { makeAuthority, opensslFolder } from '../support/openssl.js'
import { startService } from '../support/service.js'
import { makeCertificate } from './certificates.js'
import { checkFlags } from './refused-settings.js'

const service = await startService(t)
const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

function start(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [program, ...flags], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    timeout: 30_000,
  })
  return { status, stderr }
}

test('start - a setting that is wrong ends it with one line that names the flag', (t) => {
  const folder = t.testdir({ lost: { 'lock.mdb': '' } })
  const lost = join(folder, 'lost')
  const [key, certificate, text] = ['key.pem', 'certificate.pem', 'text'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const [one, other] = [makeCertificate({ commonName: 'one' }), makeCertificate({ commonName: 'other' })]
  writeFileSync(key, one.keyPem)
  writeFileSync(certificate, other.certificatePem)
  writeFileSync(text, 'no PEM')
  const tls = (keyFile: string, certificateFile: string) => [
    '--tls-key-file',
    keyFile,
    '--tls-certificate-file',
    certificateFile,
  ]
  const authorities = opensslFolder()
  for (const name of ['elliptic', 'another']) makeAuthority(authorities, 'P-256', name)
  makeAuthority(authorities, 'P-521', 'unusual')
  makeAuthority(authorities, 'P-256', 'leaf', ['-addext', 'basicConstraints=critical,CA:FALSE'])
  makeAuthority(authorities, 'RSA 2048', 'idle', ['-addext', 'keyUsage=critical,digitalSignature'])
  makeAuthority(authorities, 'RSA 1024', 'short')
  writeFileSync(join(folder, 'own.pem'), one.certificatePem)
  const signing = (keyName: string, certificateName: string) => [
    ...tls(key, join(folder, 'own.pem')),
    ...['--client-ca-key-file', authorities.path(`${keyName}.key`)],
    ...['--tls-client-ca-file', authorities.path(`${certificateName}.pem`)],
  ]
  type Case = readonly [flags: readonly string[], expected: RegExp]
  const refused: readonly Case[] = [
    [['--port', 'many'], /--port/],
    [tls(key, certificate), /--tls-key-file is not the key of --tls-certificate-file/],
    [['--port', '0', '--data', join(text, 'below')], /--data cannot be used/],
    [['--port', '0', '--data', '/proc/ampshard'], /--data cannot be used: ENOENT/],
    [['--port', '0', '--data', lost], /--data cannot be used: .* its store data\.mdb is missing/],
    [['--data='], /--data must not be empty/],
  ]
  const unfit: readonly Case[] = [
    [['--shards', '65'], /--shards/],
    [['--tls-key-file', key], /--tls-key-file and --tls-certificate-file go together/],
    [['--tls-client-ca-file', certificate], /--tls-client-ca-file needs/],
    [['--cpo-name', 'Example'], /--cpo-name needs --tls-client-ca-file/],
    [['--cpo-name', ' '], /--cpo-name/],
    [tls(join(folder, 'absent'), certificate), /--tls-key-file cannot be read/],
    [tls(key, text), /--tls-certificate-file holds no certificate/],
    [tls(text, certificate), /--tls-key-file is not the key/],
    [tls(authorities.path('short.key'), authorities.path('short.pem')), /--tls-key-file is an RSA key of 1024 bits/],
    [[...tls(key, certificate), '--tls-client-ca-file', text], /--tls-client-ca-file holds no certificate/],
    [['--client-ca-key-file', key], /--client-ca-key-file needs --tls-client-ca-file/],
    [signing('elliptic', 'another'), /--client-ca-key-file cannot sign .* it is the key of none/],
    [signing('unusual', 'unusual'), /it must be RSA .* P-256 or P-384/],
    [signing('leaf', 'leaf'), /not one that may sign others/],
    [signing('idle', 'idle'), /not one that may sign others/],
  ]
  for (const [flags, expected] of unfit) {
    t.throws(() => checkFlags(flags), { message: expected }, flags.join(' '))
    t.throws(() => checkFlags(flags), { message: /^[^\n]+$/ }, 'one line')
  }
  for (const [flags, expected] of refused) {
    const { status, stderr } = start(flags)
    t.equal(status, 1, flags.join(' '))
    t.match(stderr, expected)
    t.match(stderr, /^ampshard: [^\n]+\n$/, 'one line')
  }
  t.match(start([], { AMPSHARD_PORT: 'many' }), { status: 1, stderr: /AMPSHARD_PORT/ })
  t.end()
})

test('start - a port that is in use ends it, whoever uses it', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const port of [(server.address() as AddressInfo).port, service.port]) {
    const { status, stderr } = start(['--port', String(port), '--data', join(t.testdir({}), 'data')])
    t.equal(status, 1)
    t.equal(stderr, `ampshard: --port ${port} of 127.0.0.1 is in use\n`)
  }
  server.close()
  t.equal((await service.request('GET', '/api/v1/cpo/connection-attempts')).status, 200, 'the first one is undisturbed')
})

test('start - a second service on the same data is refused, and the first goes on writing', async (t) => {
  const { status, stderr } = start(['--port', '0', '--data', service.data])
  t.equal(status, 1)
  t.match(stderr, /^ampshard: --data cannot be used: \S+ is in use by another ampshard\n$/)
  t.equal((await service.register('CP-1')).status, 201)
})
