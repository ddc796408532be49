// The authority that the installation has made, in a backup: certificates that were issued before it are good after a restore.

import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { connectOcpp } from '../support/ocpp-client.js'
import { opensslFolder } from '../support/openssl.js'
import { type Service, startService } from '../support/service.js'
import { ca, tlsFlags } from '../support/signing-service.js'
import { backup, restore, temporaryDirectory } from './programs.js'

test('backup - a restored installation has its authority, and charge points connect with the certificates that they have', async (t) => {
  const directory = temporaryDirectory(t)
  const [place, data] = [join(directory, 'backup'), join(directory, 'data')]
  const flags = tlsFlags(opensslFolder())
  const first = await startService(t, { flags, authority: ca })
  await first.register('CP-1')
  const issue = (service: Service) =>
    service.request('POST', '/api/v1/chargepoints/CP-1/certificates/generate', { key_type: 'p-256' })
  const { body: made } = await issue(first)
  // What it is killed at leaves is of no use to a backup.
  writeFileSync(join(first.data, 'authority', 'half.pem.unfinished'), '-----BEGIN')
  t.match(await backup(place, first.data), { code: 0, output: /1 of the authority's files, with its key/ })
  await first.stop()
  const [file = ''] = readdirSync(join(place, 'authority'))
  t.equal(statSync(join(place, 'authority', file)).mode & 0o777, 0o600)
  t.match(await backup(place, first.data), { code: 1, errors: /holds the backup of/ })

  t.equal((await restore(place, data)).code, 0)
  t.same(readdirSync(join(data, 'authority')), [file])
  const second = await startService(t, { data, key: first.key, flags, authority: ca })
  const tls = { ca, key: made.private_key_pem, cert: made.certificate_pem }
  await (await connectOcpp(`${second.ocppUrl}/CP-1`, { tls })).boot()
  t.equal((await issue(second)).body.ca_certificate_pem, made.ca_certificate_pem, 'no other one is made')
  await second.stop()

  const own = join(data, 'authority', file)
  const other = join(data, 'authority', 'made-since.pem')
  const present = readFileSync(own, 'utf8')
  writeFileSync(other, present)
  appendFileSync(own, '\n')
  t.equal((await restore(place, data, '--force')).code, 0)
  t.ok(existsSync(other), 'those that were made since stay')
  t.equal(readFileSync(own, 'utf8'), `${present}\n`, 'and those that are there are not replaced')

  const elsewhere = join(directory, 'elsewhere')
  appendFileSync(join(place, 'authority', file), '\n')
  const damaged = /^restore: the backup is damaged: \S+\.pem has another SHA-256 than its manifest\n$/
  t.match(await restore(place, elsewhere), { code: 1, errors: damaged })
  rmSync(join(place, 'authority'), { recursive: true })
  const gone = /^restore: the backup is damaged: it has no authority\/\S+\.pem\n$/
  t.match(await restore(place, elsewhere), { code: 1, errors: gone })
  t.notOk(existsSync(join(elsewhere, 'authority')))
  t.notOk(existsSync(join(elsewhere, 'data.mdb')))
  const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
  const forge = (authorities: unknown) =>
    writeFileSync(join(place, 'manifest.json'), JSON.stringify({ ...manifest, authorities }))
  forge([{ file: '../data.pem', sha256: manifest.sha256 }])
  t.match(await restore(place, elsewhere), { code: 1, errors: /is not the manifest of a backup/ })
  forge(undefined)
  t.equal((await restore(place, elsewhere)).code, 0, 'a backup of an earlier version has none')
})
