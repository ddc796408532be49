// The tokens by which partners are called, as they are kept: no copy of the store and no backup shows one, and with the key they are good again.

import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import { schemaVersion, tables } from '../../src/records/index.js'
import { migrations } from '../../src/records/migrations/index.js'
import { ocpiPartnersTable } from '../../src/records/ocpi-partner.js'
import { encodeRow } from '../../src/runtime/codec.js'
import { createSealer, openWith, sealWith } from '../../src/runtime/sealing.js'
import { openView, openWriter } from '../../src/runtime/store/lmdb-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { backup, restore, temporaryDirectory } from '../backup/programs.js'
import { asPartner, credentialsOf, invitePartner, startPartner } from '../support/ocpi-partner.js'
import { type Service, startService, type Teardowns } from '../support/service.js'
import { findIn, needlesOf } from '../tenancy/search.js'

const flags = ['--allow-insecure-webhooks', 'true']
const credentials = '/ocpi/cpo/2.2.1/credentials'
const keyFile = 'sealing.key'

/** Where the token is in what a directory holds, in any form. */
function placesOf(token: string, directory: string): readonly string[] {
  const needles = needlesOf({ name: 'token', text: token })
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => findIn(readFileSync(path), needles).length > 0)
}

async function registered(t: Teardowns, service: Service, token: string) {
  const partner = await startPartner(t)
  const invited = await invitePartner(service)
  const { body } = await asPartner(service, invited.token)('POST', credentials, credentialsOf(partner, token))
  if (body.status_code !== 1000) throw new Error(JSON.stringify(body))
  partner.takes(token)
  return { ...partner, id: invited.id, ownToken: body.data.token as string }
}

const rotate = (service: Service, id: string) =>
  service.request('POST', `/api/v1/ocpi/partners/${id}/rotate-credentials`)

/** Its row in a store that no service has. */
function rowIn(data: string, id: string) {
  const view = openView(data, tables)
  const row = view.get(ocpiPartnersTable, [id])
  return view.close().then(() => row)
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

test('ocpi sealed tokens - neither the store nor a backup has one, and the service calls with it after a restart', async (t) => {
  const first = await startService(t, { flags })
  const token = 'partner-token-B-4711'
  const partner = await registered(t, first, token)
  const again = 'partner-token-B-4712'
  partner.takes(token, again)
  const replaced = await asPartner(first, partner.ownToken)('PUT', credentials, credentialsOf(partner, again))
  t.equal(replaced.body.status_code, 1000)
  const place = join(temporaryDirectory(t), 'backup')
  t.match(await backup(place, first.data), { code: 0 })
  await first.stop()
  t.equal(statSync(join(first.data, keyFile)).mode & 0o777, 0o600)
  for (const secret of [token, again])
    for (const directory of [first.data, place]) t.same(placesOf(secret, directory), [], `${secret} in ${directory}`)
  const key = readFileSync(join(first.data, keyFile), 'utf8').trim()
  t.same(placesOf(key, place), [], 'and the key is in no backup')
  t.same(placesOf(key, first.data), [join(first.data, keyFile)])

  const second = await startService(t, { data: first.data, key: first.key, flags })
  partner.takes(again)
  t.equal((await rotate(second, partner.id)).status, 200)
  t.equal(partner.requests.at(-1)?.headers.authorization, `Token ${base64(again)}`)
})

test('ocpi sealed tokens - one that an earlier version has stored readable is sealed by the start, and good', async (t) => {
  const first = await startService(t, { flags })
  const partner = await registered(t, first, 'partner-token-B-1')
  await first.stop()
  const store = openWriter(first.data, tables, { schemaVersion, migrations })
  const before = store.view().get(ocpiPartnersTable, [partner.id])
  if (before?.connection === undefined) throw new Error('the partner is not registered')
  const { sealed_token: _, ...connection } = before.connection
  const old = { ...before, connection: { ...connection, token: 'partner-token-B-old' } }
  await store.commit(unowned([{ type: 'put', table: ocpiPartnersTable.name, key: [partner.id], row: encodeRow(old) }]))
  await store.close()

  const second = await startService(t, { data: first.data, key: first.key, flags })
  partner.takes('partner-token-B-old')
  t.equal((await rotate(second, partner.id)).status, 200)
  await second.stop()
  // What it has been rotated to, and what the start has written, are sealed.
  const row = await rowIn(first.data, partner.id)
  t.equal(row?.connection?.token, undefined)
  t.match(row?.connection?.sealed_token, /^[0-9a-f]{8}\.[A-Za-z0-9+/]+=*$/)
  const place = join(temporaryDirectory(t), 'backup')
  await backup(place, first.data)
  t.same(placesOf('partner-token-B-old', place), [], 'a backup has nothing of it left')
})

test('ocpi sealed tokens - on another machine they are good with the old key, and without it a partner is connected anew', async (t) => {
  const first = await startService(t, { flags })
  const partner = await registered(t, first, 'partner-token-B-1')
  const place = join(temporaryDirectory(t), 'backup')
  await backup(place, first.data)
  await first.stop()
  const key = readFileSync(join(first.data, keyFile), 'utf8')

  const data = join(temporaryDirectory(t), 'data')
  t.match(await restore(place, data), { code: 0 })
  const second = await startService(t, { data, key: first.key, flags })
  const called = partner.requests.length
  const refused = await rotate(second, partner.id)
  t.equal(refused.status, 409)
  t.match(refused.body.detail ?? refused.body.message ?? JSON.stringify(refused.body), /key/)
  t.equal(partner.requests.length, called, 'nobody is called with something else')
  t.equal((await asPartner(second, partner.ownToken)('GET', '/ocpi/versions')).status, 200, 'the partner may call')
  await second.stop()

  // The old key, behind the one that the new machine has made.
  const own = readFileSync(join(data, keyFile), 'utf8')
  t.not(own, key)
  writeFileSync(join(data, keyFile), `${own}${key}`)
  const third = await startService(t, { data, key: first.key, flags })
  t.equal((await rotate(third, partner.id)).status, 200)
  await third.stop()
  // What is new is sealed with the first one.
  writeFileSync(join(data, keyFile), own)
  const fourth = await startService(t, { data, key: first.key, flags })
  partner.takes(`of-PUT-${partner.requests.findLastIndex(({ method }) => method === 'PUT') + 1}`)
  t.equal((await rotate(fourth, partner.id)).status, 200)
  await fourth.stop()

  rmSync(join(data, keyFile))
  const fifth = await startService(t, { data, key: first.key, flags })
  partner.takes('their-token-a')
  const anew = { versions_url: partner.versionsUrl, token: 'their-token-a' }
  const path = `/api/v1/ocpi/partners/${partner.id}/register`
  t.equal((await fifth.request('POST', path, anew)).status, 200)
  t.equal((await fifth.request('POST', path, anew)).status, 409, 'it can be called again')
})

test('ocpi sealed tokens - a start with a file that is no key ends with one line, and leaves the file as it is', async (t) => {
  const first = await startService(t)
  await first.stop()
  const file = join(first.data, keyFile)
  renameSync(file, `${file}.kept`)
  writeFileSync(file, 'not a key\n')
  await t.rejects(startService(t, { data: first.data, key: first.key }), {
    message: /--data cannot be used: .*sealing\.key has something in it that is no key/,
  })
  t.equal(readFileSync(file, 'utf8'), 'not a key\n')
})

t.test('sealing - a text is opened with its key and for its purpose alone', (t) => {
  const [one, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const sealed = createSealer([one]).seal('a token', 'this')
  t.equal(createSealer([other, one]).open(sealed, 'this'), 'a token')
  t.equal(createSealer([one]).open(sealed, 'that'), undefined)
  t.equal(createSealer([other]).open(sealed, 'this'), undefined)
  t.notOk(createSealer([other]).canOpen(sealed))
  t.not(createSealer([one]).seal('a token', 'this'), sealed, 'never twice the same')
  for (const broken of ['', 'x', sealed.slice(0, 12), `${sealed.slice(0, -6)}AAAA==`, sealed.replace('.', '')])
    t.equal(createSealer([one]).open(broken, 'this'), undefined, broken)
  t.equal(openWith(one, sealWith(one, '')), '')
  t.end()
})
