// The data directory at a start: who else can write into it, and whether the store that belongs there is there.

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { prepareData } from '../../src/process/data-directory.js'
import { tables } from '../../src/records/index.js'
import { openView, openWriter } from '../../src/runtime/store/lmdb-store.js'

const modeOf = (path: string): number => statSync(path).mode & 0o7777

/** Its lock lasts as long as the process, so that each case has a directory of its own. */
function directoryOf(t: Test, mode = 0o700): string {
  const directory = t.testdir({})
  chmodSync(directory, mode)
  return directory
}

test('data directory - one that is missing is made for its owner alone, with those above it and an empty store', async (t) => {
  const above = join(directoryOf(t, 0o755), 'above')
  const directory = join(above, 'data')
  await prepareData(directory)
  t.same([above, directory].map(modeOf), [0o700, 0o700])
  t.same(readdirSync(directory), ['data.mdb'])
  t.throws(() => openView(directory, tables), /has no database/)
  await openWriter(directory, tables).close()
})

test('data directory - one that is there keeps its mode', async (t) => {
  const directory = directoryOf(t, 0o755)
  await prepareData(directory)
  t.equal(modeOf(directory), 0o755)
})

test('data directory - what earlier versions left readable is so no longer', async (t) => {
  const directory = directoryOf(t)
  await openWriter(directory, tables).close()
  for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(directory, name), 0o644)
  await prepareData(directory)
  for (const name of ['data.mdb', 'lock.mdb']) t.equal(modeOf(join(directory, name)), 0o600, name)
})

for (const mode of [0o1777, 0o777, 0o757])
  test(`data directory - one that all users may write into is refused as it is (${mode.toString(8)})`, async (t) => {
    const directory = directoryOf(t, mode)
    await t.rejects(prepareData(directory), {
      message: `all users may write into ${directory} (mode ${mode.toString(8)}): use a directory inside it, such as ${directory}/ampshard, or run chmod o-w on it`,
    })
    t.equal(modeOf(directory), mode)
    t.same(readdirSync(directory), [])
  })

for (const mode of [0o775, 0o2770])
  test(`data directory - one that a group of its own may write into is used, with a warning (${mode.toString(8)})`, async (t) => {
    const directory = directoryOf(t, mode)
    await openWriter(directory, tables).close()
    // As a volume of Kubernetes with an fsGroup is at every mount.
    for (const name of ['data.mdb', 'lock.mdb']) chmodSync(join(directory, name), 0o660)
    const warnings: string[] = []
    await prepareData(directory, (line) => warnings.push(line))
    const { gid } = statSync(directory)
    const shown = `(mode ${mode.toString(8)})`
    t.same(warnings, [`group ${gid} may write into ${directory} ${shown}: each of its members can replace the store`])
    t.equal(modeOf(directory), mode)
    for (const name of ['data.mdb', 'lock.mdb']) t.equal(modeOf(join(directory, name)), 0o600, name)
  })

test('data directory - one that a foreign group may write into is refused', async (t) => {
  const directory = directoryOf(t, 0o775)
  const foreign = 54_321
  try {
    chownSync(directory, -1, foreign)
  } catch {
    t.comment('only root gives a directory to a group that is not its own')
    return
  }
  await t.rejects(prepareData(directory), {
    message: `group ${foreign}, which user ${process.getuid?.()} does not belong to, may write into ${directory} (mode 775): run chmod g-w on it`,
  })
  t.same(readdirSync(directory), [])
})

test('data directory - where the kernel makes no directories, it ends', async (t) => {
  await t.rejects(prepareData('/proc/ampshard/data'), /ENOENT/)
})

for (const trace of ['lock.mdb', 'mail', 'payments-sandbox', 'restoring', 'replaced-2026-01-01T00-00-00.000Z'])
  test(`data directory - one that has ${trace} but no store has lost it, and gets no new one`, async (t) => {
    const directory = directoryOf(t)
    mkdirSync(join(directory, trace))
    await t.rejects(prepareData(directory), {
      message: `${directory} has been used before (it has ${trace}), but its store data.mdb is missing: restore a backup, or empty the directory to begin anew`,
    })
    t.notOk(existsSync(join(directory, 'data.mdb')))
  })

test('data directory - an empty store file is no new installation', async (t) => {
  const directory = directoryOf(t)
  writeFileSync(join(directory, 'data.mdb'), '')
  await t.rejects(prepareData(directory), /data\.mdb is damaged, or not a store: it is empty/)
  t.throws(() => openWriter(directory, tables), /data\.mdb is damaged, or not a store: it is empty/)
  t.equal(statSync(join(directory, 'data.mdb')).size, 0)
})

test('data directory - a store whose pages do not lead to each other is refused before it is opened', async (t) => {
  const directory = directoryOf(t)
  await openWriter(directory, tables).close()
  const file = join(directory, 'data.mdb')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0, 8_192))
  await t.rejects(prepareData(directory), /data\.mdb is damaged, or not a store: page \d+ is not what it has to be/)
})

test('data directory - a file or a directory that this user cannot write to is named before lmdb opens it', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ampshard-access-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const module = JSON.stringify(new URL('../../src/process/data-directory.js', import.meta.url).href)
  const nobody = 65_534
  const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}
  const refusalOf = (path: string) => {
    const script = `import(${module}).then((m) => m.prepareData(process.argv[1])).catch((e) => console.log(e.message))`
    return spawnSync(process.execPath, ['--eval', script, path], { encoding: 'utf8', ...asNobody }).stdout
  }
  if (refusalOf('/proc/ampshard') === '') {
    t.comment('another user cannot read the program')
    return t.end()
  }
  chmodSync(directory, 0o755)
  for (const name of ['data.mdb', 'lock.mdb']) {
    const path = join(directory, name)
    mkdirSync(path, { mode: 0o755 })
    if (process.getuid?.() === 0) chownSync(path, nobody, nobody)
    for (const file of new Set(['data.mdb', name])) {
      writeFileSync(join(path, file), '')
      chmodSync(join(path, file), file === name ? 0o444 : 0o666)
    }
    t.match(refusalOf(path), new RegExp(`^${path}/${name} cannot be written to by user \\d+: it belongs to user \\d+`))
  }
  chmodSync(directory, 0o555)
  t.match(refusalOf(directory), / cannot be written to by user \d+: .*\(mode 555\)$/m)
  chmodSync(directory, 0o700)
  return t.end()
})

test('data directory - a first start that was killed goes on where others have put files, too', async (t) => {
  const directory = directoryOf(t)
  mkdirSync(join(directory, 'lost+found'))
  mkdirSync(join(directory, 'creating'))
  writeFileSync(join(directory, 'creating', 'data.mdb'), 'begun')
  await prepareData(directory)
  t.same(readdirSync(directory).sort(), ['data.mdb', 'lost+found'])
})
