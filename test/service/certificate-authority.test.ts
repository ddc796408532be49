// The authority that the installation makes: once, whatever ends in between; encrypted under a passphrase; and trusted beside the operator's own
// while one replaces the other.

import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { t, test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { makeAuthority, opensslFolder } from '../support/openssl.js'
import { type Service, startService } from '../support/service.js'
import { ca, tlsFlags } from '../support/signing-service.js'
import { until } from '../support/until.js'

const folder = opensslFolder()
const data = mkdtempSync(join(tmpdir(), 'ampshard-authority-'))
t.teardown(() => rmSync(data, { recursive: true, force: true }))
const authorities = join(data, 'authority')
const key = 'a-key-of-the-operator-that-is-long-enough'
const passphrase = 'correct horse battery'

const start = (more: readonly string[] = [], secret = passphrase) =>
  startService(t, {
    data,
    key,
    flags: [...tlsFlags(folder), ...more],
    environment: { AMPSHARD_AUTHORITY_PASSPHRASE: secret },
    authority: ca,
  })

const filesOf = (ending: RegExp) => readdirSync(authorities).filter((name) => ending.test(name))
const path = (id: string) => `/api/v1/chargepoints/${id}/certificates/generate`

interface Shown {
  readonly key: string
  readonly cert: string
}

async function generate(service: Service, id: string): Promise<Shown> {
  const { body } = await service.request('POST', path(id), { key_type: 'p-256' })
  return { key: body.private_key_pem, cert: body.certificate_pem }
}

const connect = async (service: Service, id: string, shown: Shown) =>
  (await connectOcpp(`${service.ocppUrl}/${id}`, { tls: { ca, ...shown } })).close()

/** By what they are valid from, which is a whole second. */
function byAge(...[one, other]: readonly [Shown, Shown]): readonly [older: Shown, newer: Shown] {
  const from = ({ cert }: Shown) => Date.parse(new X509Certificate(cert).validFrom)
  return from(one) <= from(other) ? [one, other] : [other, one]
}

let own: Shown

test('certificate authority - a process that is killed while it makes one leaves none, or a whole one; its key is encrypted', async (t) => {
  const killed = await start()
  await killed.register('CA-1')
  let asked: Promise<unknown> | undefined
  await until(() => {
    // An overloaded service refuses: retry.
    asked ??= generate(killed, 'CA-1')
      .catch(() => undefined)
      .finally(() => {
        asked = undefined
      })
    return existsSync(authorities)
  })
  await killed.stop('SIGKILL')
  await asked
  // As the disk has it where the end comes between the first byte and the last.
  writeFileSync(join(authorities, 'half.pem.unfinished'), '-----BEGIN ENCRYPTED')
  const before = filesOf(/\.pem$/)
  const service = await start()
  const [older, newer] = byAge(...(await Promise.all([generate(service, 'CA-1'), generate(service, 'CA-1')])))
  t.equal(filesOf(/\.pem$/).length, 1)
  t.ok(
    before.every((name) => filesOf(/\.pem$/).includes(name)),
    'what was whole stays',
  )
  for (const shown of [older, newer]) await connect(service, 'CA-1', shown)
  // Once the newer one has come, the older one is refused where a second lies between them.
  own = newer
  const [file = ''] = filesOf(/\.pem$/)
  const pem = readFileSync(join(authorities, file), 'utf8')
  t.match(pem, /BEGIN ENCRYPTED PRIVATE KEY/)
  t.notMatch(pem, /BEGIN PRIVATE KEY/)
  const check = ['pkey', '-in', join(authorities, file), '-passin', `pass:${passphrase}`, '-noout']
  t.equal(spawnSync('openssl', check).status, 0)
  await service.stop()
})

test('certificate authority - with another passphrase, the service does not start, and says why', async (t) => {
  await t.rejects(start([], 'another passphrase'), /is --authority-passphrase the one that it was stored with\?/)
})

test('certificate authority - beside the one of the operator it stays trusted, until its file is removed', async (t) => {
  makeAuthority(folder, 'P-256', 'theirs')
  const files = ['--tls-client-ca-file', folder.path('theirs.pem'), '--client-ca-key-file', folder.path('theirs.key')]
  const service = await start(files)
  await connect(service, 'CA-1', own)
  await service.register('CA-2')
  const theirs = await generate(service, 'CA-2')
  folder.write('made.pem', theirs.cert)
  t.match(folder.run('verify', '-CAfile', 'theirs.pem', 'made.pem'), 'made.pem: OK')
  await connect(service, 'CA-2', theirs)
  const lists = (await service.request('GET', '/pki/revoked.pem')).body
  t.equal(lists.match(/BEGIN X509 CRL/g).length, 2)
  for (const name of filesOf(/\.pem$/)) rmSync(join(authorities, name))
  service.process.kill('SIGHUP')
  t.ok(
    await until(() =>
      connect(service, 'CA-1', own).then(
        () => false,
        () => true,
      ),
    ),
  )
  await connect(service, 'CA-2', theirs)
})
