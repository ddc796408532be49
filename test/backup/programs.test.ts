// npm run backup and npm run restore: what they refuse, what they leave behind, and what they never do by halves.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { t, test } from 'tap'
import { startService } from '../support/service.js'
import { until } from '../support/until.js'
import { backup, restore, startProgram, temporaryDirectory } from './programs.js'

/** Of all tests that take copies while it runs. */
const service = await startService(t)

test('backup - a stopped service is copied as well, and a restored one goes on where it was', async (t) => {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  const first = await startService(t, { data })
  await first.register('CP-1')
  const ofPage = { authorization: '', 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }
  const signedIn = await first.request('POST', '/api/v1/console/session', { api_key: first.key }, ofPage)
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
  await first.stop()
  t.equal((await backup(join(directory, 'backup'), data)).code, 0)

  const again = await startService(t, { data, key: first.key })
  await again.register('CP-2')
  const me = () => again.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie })
  t.equal((await me()).status, 200)
  const running = await restore(join(directory, 'backup'), data, '--force')
  t.same([running.code, running.errors], [1, `restore: ${data} is in use by another ampshard\n`])
  await again.stop()

  const refused = await restore(join(directory, 'backup'), data)
  t.equal(refused.code, 1)
  t.match(refused.errors, /^restore: there is a store at \S+ already: --force replaces it, and keeps it aside\n$/)
  const forced = await restore(join(directory, 'backup'), data, '--force')
  t.equal(forced.code, 0)
  const kept = /is in (\S+)$/m.exec(forced.output)?.[1] as string
  t.ok(existsSync(join(kept, 'data.mdb')))

  const restored = await startService(t, { data, key: first.key })
  t.equal((await restored.request('GET', '/api/v1/chargepoints/CP-1')).status, 200)
  t.equal((await restored.request('GET', '/api/v1/chargepoints/CP-2')).status, 404)
  const then = await restored.request('GET', '/api/v1/console/me', undefined, { ...ofPage, cookie })
  t.equal(then.status, 401, 'whoever was signed in then may have signed out since')
  const old = await startService(t, { data: kept, key: first.key })
  t.equal((await old.request('GET', '/api/v1/chargepoints/CP-2')).status, 200, 'what was replaced is still a store')
})

test('backup - a directory that holds something is refused, and stays as it is', async (t) => {
  const directory = temporaryDirectory(t)
  const other = join(directory, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'letter.txt'), 'keep me')
  t.match(await backup(other, service.data), { code: 1, errors: /^backup: \S+ is not empty: it has letter.txt\n$/ })
  t.same(readdirSync(other), ['letter.txt'])

  const place = join(directory, 'backup')
  t.equal((await backup(place, service.data)).code, 0)
  const manifest = readFileSync(join(place, 'manifest.json'), 'utf8')
  t.match(await backup(place, service.data), { code: 1, errors: /^backup: \S+ holds the backup of 20\S+Z already\n$/ })
  t.equal(readFileSync(join(place, 'manifest.json'), 'utf8'), manifest)

  const nothing = join(directory, 'nothing')
  t.match(await backup(join(directory, 'b'), nothing), { code: 1, errors: `backup: there is no store at ${nothing}\n` })
  t.notOk(existsSync(join(directory, 'b')))
  t.match(await startProgram('backup', []).ended, { code: 1, errors: /^backup: missing required argument/ })
})

test('restore - a backup that is not whole, or not known, is refused and changes nothing', async (t) => {
  const directory = temporaryDirectory(t)
  await service.register('CP-COPIED')
  const place = join(directory, 'backup')
  await backup(place, service.data)
  const file = readFileSync(join(place, 'data.mdb'))
  const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
  const cases: readonly [RegExp, (bad: string) => void][] = [
    [/is damaged: .* has another SHA-256/, (bad) => writeFileSync(join(bad, 'data.mdb'), flipped(file))],
    [/is damaged: .* bytes, its manifest says/, (bad) => truncateSync(join(bad, 'data.mdb'), file.length - 4096)],
    [/there is no complete backup/, (bad) => rmSync(join(bad, 'manifest.json'))],
    [/the backup has no data.mdb/, (bad) => rmSync(join(bad, 'data.mdb'))],
    [/cannot be read/, (bad) => writeFileSync(join(bad, 'manifest.json'), '{"format":1')],
    [/is not the manifest of a backup/, (bad) => writeFileSync(join(bad, 'manifest.json'), '[1]')],
    [
      /has format 2, this program knows 1/,
      (bad) => writeFileSync(join(bad, 'manifest.json'), JSON.stringify({ ...manifest, format: 2 })),
    ],
    [
      /has schema version 99/,
      (bad) => writeFileSync(join(bad, 'manifest.json'), JSON.stringify({ ...manifest, schema_version: 99 })),
    ],
  ]
  const data = join(directory, 'data')
  t.equal((await restore(place, data)).code, 0)
  const [before, names] = [readFileSync(join(data, 'data.mdb')), readdirSync(data)]
  for (const [at, [message, spoil]] of cases.entries()) {
    const bad = join(directory, `bad-${at}`)
    cpSync(place, bad, { recursive: true })
    spoil(bad)
    const { code, errors } = await restore(bad, data, '--force')
    t.equal(code, 1)
    t.match(errors, message)
    t.equal(errors.trim().split('\n').length, 1, 'one line')
    t.ok(readFileSync(join(data, 'data.mdb')).equals(before), 'the store is as it was')
    t.same(readdirSync(data), names)
  }
})

function flipped(file: Buffer): Buffer {
  const bad = Buffer.from(file)
  bad[bad.length - 100] = (bad[bad.length - 100] as number) ^ 1
  return bad
}

test('backup - one that is killed leaves nothing that looks whole, and the next one takes its place', async (t) => {
  const directory = temporaryDirectory(t)
  await service.register('CP-1')
  const place = join(directory, 'backup')
  mkdirSync(place)
  // Killed as soon as each of its traces is seen; a backup that was faster than that is taken away again.
  const traces = ['unfinished', 'unfinished/data.mdb', 'unfinished/manifest.json', 'data.mdb']
  let killed = 0
  for (const trace of traces) {
    const { child, ended } = startProgram('backup', [place, '--data', service.data])
    let running = true
    void ended.then(() => {
      running = false
    })
    while (running && !existsSync(join(place, trace))) await new Promise(setImmediate)
    child.kill('SIGKILL')
    await ended
    if (existsSync(join(place, 'manifest.json'))) {
      for (const name of readdirSync(place)) rmSync(join(place, name), { recursive: true })
      continue
    }
    killed++
    const refused = await restore(place, join(directory, 'restored'))
    t.match(refused, { code: 1, errors: `restore: there is no complete backup at ${place}\n` })
  }
  t.ok(killed >= 1, `${killed} were killed half-way`)
  t.equal((await backup(place, service.data)).code, 0, 'the next one takes its place')
  t.equal((await service.register('CP-2')).status, 201, 'the service writes')
  t.equal((await restore(place, join(directory, 'restored'))).code, 0)
  await until(async () => (await service.request('GET', '/readyz')).status === 200)
})
