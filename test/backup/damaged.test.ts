// Stores and copies that are damaged, or another program's: each is refused in one line, by whoever meets it first.

import { createHash } from 'node:crypto'
import { closeSync, cpSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { t, test } from 'tap'
import { tables } from '../../src/records/index.js'
import { openView, openWriter } from '../../src/runtime/store/lmdb-store.js'
import { startService } from '../support/service.js'
import { backup, restore, temporaryDirectory } from './programs.js'

function overwrite(file: string, position: number, bytes: Buffer): void {
  const opened = openSync(file, 'r+')
  writeSync(opened, bytes, 0, bytes.length, position)
  closeSync(opened)
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  'first page of zeros': (file) => overwrite(file, 0, Buffer.alloc(4_096)),
  'first page of something else': (file) => overwrite(file, 0, createHash('sha512').update('something').digest()),
  'second page of zeros': (file) => overwrite(file, 4_096, Buffer.alloc(4_096)),
  'cut off': (file) => truncateSync(file, 40_000),
  'cut within its first pages': (file) => truncateSync(file, 5_000),
}

/** The data of a service that has ended, and a copy of them from when it ran. */
const directory = temporaryDirectory(t)
const copied = join(directory, 'backup')
const { data: stored, register, stop } = await startService(t)
await register('CP-1')
const taken = await backup(copied, stored)
await stop('SIGTERM')

test('damaged stores - a start, a backup and a restore say what is wrong, and end with 1', async (t) => {
  t.equal(taken.code, 0)
  for (const [what, damage] of Object.entries(damages)) {
    const data = join(directory, `data of ${what}`)
    cpSync(stored, data, { recursive: true })
    damage(join(data, 'data.mdb'))
    t.throws(() => openWriter(data, tables), /^the file \S.*data\.mdb is damaged, or not a store: /, what)
    t.throws(() => openView(data, tables), /is damaged, or not a store/, what)
    const taken = await backup(join(directory, `backup of ${what}`), data)
    t.match(taken, { code: 1, errors: /^backup: the file .* is damaged, or not a store: .*\n$/ }, what)

    const copy = join(directory, `copy with ${what}`)
    cpSync(copied, copy, { recursive: true })
    damage(join(copy, 'data.mdb'))
    forgeHash(copy)
    const restored = await restore(copy, join(directory, `restored ${what}`))
    t.match(restored, { code: 1, errors: /^restore: the file .* is damaged, or not a store: .*\n$/ }, what)
  }
})

test('damaged stores - a backup of one whose pages do not lead to each other is refused, not ended by a signal', async (t) => {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  await openWriter(data, tables).close()
  const file = join(data, 'data.mdb')
  overwrite(file, 8_192, Buffer.alloc(statSync(file).size - 8_192, 0xff))
  t.match(await backup(join(directory, 'backup'), data), {
    code: 1,
    errors: /^backup: the file .* is damaged, or not a store: page \d+ is not what it has to be\. .*\n$/,
  })
})

test("foreign stores - another program's is not written into, and a backup has what its manifest says", async (t) => {
  const directory = temporaryDirectory(t)
  const place = join(directory, 'backup')
  cpSync(copied, place, { recursive: true })
  const foreign = join(directory, 'foreign')
  const other = open({ path: foreign, noSubdir: false })
  await other.put('a', 1)
  await other.close()
  const before = readFileSync(join(foreign, 'data.mdb'))
  t.throws(() => openWriter(foreign, tables), /^the store at \S+ is not one of ampshard: it has /)
  t.ok(readFileSync(join(foreign, 'data.mdb')).equals(before))
  t.match(await backup(join(directory, 'b'), foreign), {
    code: 1,
    errors: /^backup: the store at .* is not one of ampshard.*\n$/,
  })

  cpSync(join(foreign, 'data.mdb'), join(place, 'data.mdb'))
  forgeHash(place)
  t.match(await restore(place, join(directory, 'r')), {
    code: 1,
    errors: /^restore: the store at .* is not one of ampshard.*\n$/,
  })

  const counted = join(directory, 'counted')
  cpSync(copied, counted, { recursive: true })
  const manifest = JSON.parse(readFileSync(join(counted, 'manifest.json'), 'utf8'))
  manifest.rows.organizations += 1
  writeFileSync(join(counted, 'manifest.json'), JSON.stringify(manifest))
  t.match(await restore(counted, join(directory, 'r')), {
    code: 1,
    errors: 'restore: the backup is damaged: it has 1 organizations, its manifest says 2\n',
  })
})

/** As somebody does who has changed the copy on purpose. */
function forgeHash(place: string): void {
  const bytes = readFileSync(join(place, 'data.mdb'))
  const manifest = JSON.parse(readFileSync(join(place, 'manifest.json'), 'utf8'))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(place, 'manifest.json'), JSON.stringify({ ...manifest, sha256, bytes: bytes.length }))
}
