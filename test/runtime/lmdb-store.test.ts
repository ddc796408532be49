// The durable store: the contract, and what only a disk can show: kills, a full disk, other threads' views, backups.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Test, test } from 'tap'
import { limits } from '../../src/runtime/limits.js'
import { refuseNetworkFileSystem } from '../../src/runtime/store/lmdb/file-system.js'
import { openView, openWriter } from '../../src/runtime/store/lmdb-store.js'
import { defineMigrationStep } from '../../src/runtime/store/storage/migrate.js'
import type { GroupMeasure } from '../../src/runtime/store/storage/store-writer.js'
import { storeContract } from '../contract/store.js'
import { storeLog } from '../contract/store-log.js'
import { storeModel } from '../contract/store-model.js'
import { storeOpening } from '../contract/store-opening.js'
import { storeSpace } from '../contract/store-space.js'
import {
  commit,
  put,
  remove,
  type Session,
  type StorePlace,
  session,
  sessions,
  tables,
} from '../contract/store-stage.js'

const committer = fileURLToPath(new URL('lmdb-committer.js', import.meta.url))

function directory(): string {
  return mkdtempSync(`${tmpdir()}/store-`)
}

function place(): StorePlace {
  const path = directory()
  return {
    open: (opened, options) => openWriter(path, opened, options),
    remove: () => rmSync(path, { recursive: true }),
  }
}

function temporary(t: Test): string {
  const path = directory()
  t.teardown(() => rmSync(path, { recursive: true }))
  return path
}

storeContract('lmdb store', place)
storeOpening('lmdb store', place)
storeSpace('lmdb store', place)
storeLog('lmdb store', place)
storeModel('lmdb store', place, 40)

test('lmdb store - everything acknowledged is there after a kill', async (t) => {
  const path = temporary(t)
  const acknowledged = new Set<number>()
  let next = 0
  for (let round = 0; round < 20; round++) {
    const child = spawn(process.execPath, [committer, path, String(next)], { stdio: ['ignore', 'pipe', 'inherit'] })
    const lines = createInterface({ input: child.stdout })
    const closed = once(lines, 'close')
    let inRound = 0
    lines.on('line', (line) => {
      const number = Number(line.slice('acknowledged '.length))
      acknowledged.add(number)
      next = Math.max(next, number + 1)
      // Each round dies at another moment of its work.
      if (++inRound === 1 + round * 13) child.kill('SIGKILL')
    })
    await closed
  }
  const store = openWriter(path, tables)
  const rows = store.view().list(sessions, [])
  const stored = new Set(rows.map((row) => row.at))
  const lost = [...acknowledged].filter((number) => !stored.has(number))
  t.same(lost, [])
  t.ok(acknowledged.size > 2_000, `${acknowledged.size} acknowledged`)
  t.equal(store.view().total(sessions, 'bySite', ['site-1']), rows.length, 'totals agree with the rows')
  t.equal(store.view().countBetween(sessions, 'byTime', [], {}), rows.length, 'entries agree with the rows')
  t.equal(store.bootNumber, 21)
  await store.close()
})

test('lmdb store - a full disk refuses commits, and they go on when there is room again', async (t) => {
  const path = temporary(t)
  // A limit on the size of files stands for the size of the disk.
  // The test runner's own hooks would end the child at SIGXFSZ, which Node.js ignores.
  const limited = `ulimit -S -f 2048; unset NODE_OPTIONS; exec ${process.execPath} ${committer} ${path} 0`
  const child = spawn('bash', ['-c', limited], { stdio: ['ignore', 'pipe', 'inherit'] })
  let refused = 0
  let afterRoom = 0
  const other: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('refused')) {
      t.match(line, /storage_unavailable.*the disk refused the write/)
      if (++refused === 20) execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
    } else if (line.startsWith('acknowledged')) {
      if (refused >= 20 && ++afterRoom === 20) child.kill('SIGKILL')
    } else other.push(line)
  }
  t.same(other, [], 'nothing is rejected without being handled')
  t.equal(afterRoom >= 20, true)
})

test('lmdb store - commits that arrive together share a transaction', async (t) => {
  const groups: GroupMeasure[] = []
  const store = openWriter(temporary(t), tables, { onGroup: (group) => groups.push(group) })
  await Promise.all(Array.from({ length: 100 }, (_, i) => commit(store, [put(sessions, session(`s${i}`))])))
  t.equal(groups.length, 1)
  t.match(groups, [{ batches: 100, changes: 100, written: true }])
  await store.close()
})

test('lmdb store - a group is bounded by its changes, and a batch of more is written alone', async (t) => {
  const groups: GroupMeasure[] = []
  const store = openWriter(temporary(t), tables, { onGroup: (group) => groups.push(group) })
  const sizes = [2_000, 2_000, 2_000, limits.groupChanges + 1, 1]
  const batch = (size: number) => Array.from({ length: size }, (_, at) => put(sessions, session(`s${at}`)))
  const outcomes = await Promise.all(sizes.map((size) => commit(store, batch(size))))
  t.ok(outcomes.every(({ ok }) => ok))
  t.same(
    groups.map(({ batches, changes }) => [batches, changes]),
    [
      [2, 4_000],
      [1, 2_000],
      [1, limits.groupChanges + 1],
      [1, 1],
    ],
  )
  await store.close()
})

test('lmdb store - a view sees a commit as soon as it is acknowledged', async (t) => {
  const path = temporary(t)
  const store = openWriter(path, tables)
  const view = openView(path, tables)
  for (let watts = 1; watts <= 50; watts++) {
    view.get(sessions, ['a'])
    await commit(store, [put(sessions, session('a', { watts }))])
    if (view.get(sessions, ['a'])?.watts !== watts) t.fail(`the view does not see commit ${watts}`)
  }
  t.equal(view.total(sessions, 'bySite', ['site-1']), 50)
  await view.close()
  t.same(await commit(store, [put(sessions, session('b'))]), { ok: true }, 'the store outlives its views')
  await store.close()
})

test('lmdb store - a view reads a row once in a turn, and again in the next', async (t) => {
  const path = temporary(t)
  const store = openWriter(path, tables)
  await commit(store, [put(sessions, session('a', { watts: 1 }))])
  const view = openView(path, tables)
  const first = view.get(sessions, ['a'])
  t.equal(view.get(sessions, ['a']), first)
  t.equal(view.get(sessions, ['b']), undefined)
  await commit(store, [put(sessions, session('a', { watts: 2 })), put(sessions, session('b'))])
  t.match(view.get(sessions, ['a']), { watts: 2 })
  t.match(view.get(sessions, ['b']), { id: 'b' }, 'also one that was not there')
  await commit(store, [remove(sessions, ['b'])])
  t.equal(view.get(sessions, ['b']), undefined)
  await view.close()
  await store.close()
})

test('lmdb store - a view opens and reads while a write transaction is open', async (t) => {
  const path = temporary(t)
  const old = openWriter(path, tables)
  await commit(old, [put(sessions, session('a'))])
  await old.close()
  const step = defineMigrationStep(sessions, (row) => {
    const view = openView(path, tables)
    t.ok(view.get(sessions, ['a']))
    void view.close()
    return row as Session
  })
  await openWriter(path, tables, { schemaVersion: 2, migrations: [{ to: 2, steps: [step] }] }).close()
})

test('lmdb store - a view creates nothing', async (t) => {
  const path = temporary(t)
  t.throws(() => openView(`${path}/none`, tables), /there is no store/)
  t.throws(() => statSync(`${path}/none`), { code: 'ENOENT' })
  await openWriter(path, []).close()
  t.throws(() => openView(path, tables), /has no database table:sessions: open it for writing first/)
})

test('lmdb store - a writer that another has replaced is refused', async (t) => {
  const path = temporary(t)
  const first = openWriter(path, tables)
  const second = openWriter(path, tables)
  t.match(await commit(first, [put(sessions, session('a'))]), { ok: false, message: /another process has opened/ })
  t.same(await commit(second, [put(sessions, session('a'))]), { ok: true })
  await first.close()
  await second.close()
})

test('lmdb store - a backup is a store of its own, as it was', async (t) => {
  const path = temporary(t)
  const store = openWriter(`${path}/store`, tables)
  await commit(store, [put(sessions, session('a', { watts: 6 }))])
  await store.backup(`${path}/backup`)
  await commit(store, [put(sessions, session('b'))])
  await t.rejects(store.backup(`${path}/backup`), /there is a store at/)
  await store.close()
  const restored = openWriter(`${path}/backup`, tables)
  t.equal(restored.view().list(sessions, []).length, 1)
  t.equal(restored.view().total(sessions, 'bySite', ['site-1']), 6)
  t.same(await commit(restored, [put(sessions, session('c'))]), { ok: true })
  await restored.close()
})

test('lmdb store - a reader of another process that was killed does not make the file grow for ever', async (t) => {
  const path = temporary(t)
  const store = openWriter(path, tables)
  const write = async (times: number): Promise<number> => {
    for (let at = 0; at < times; at++)
      await commit(
        store,
        Array.from({ length: 40 }, (_, row) => put(sessions, session(`s${row}`, { tags: [`${at}`.repeat(200)] }))),
      )
    return statSync(`${path}/data.mdb`).size
  }
  await write(20)
  const reader = spawn(process.execPath, [fileURLToPath(new URL('lmdb-reader.js', import.meta.url)), path])
  await once(reader.stdout, 'data')
  const before = await write(1)
  const grown = (await write(100)) - before
  t.ok(grown > 1_000_000, `${grown} bytes while it read`)
  reader.kill('SIGKILL')
  await once(reader, 'exit')
  await store.prune(0)
  const after = await write(20)
  t.equal(await write(100), after, 'what it held is used again')
  await store.close()
})

test('lmdb store - its directory is for its owner only', async (t) => {
  const path = `${temporary(t)}/deep/store.data`
  await openWriter(path, tables).close()
  t.equal(statSync(path).mode & 0o777, 0o700)
})

test('lmdb store - a network file system is refused, a local one is not', async (t) => {
  t.throws(() => refuseNetworkFileSystem('/data', 0x6969), {
    message: 'the store cannot be at /data: it is on NFS, and a store needs a local disk',
  })
  t.throws(() => refuseNetworkFileSystem('/data', 0xff534d42 | 0), /CIFS/)
  t.doesNotThrow(() => refuseNetworkFileSystem('/data', 0xef53))
})
