// The pages of a store's file: a whole one passes, and what is damaged is either found or does not end the process by a signal.

import { spawnSync } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Test, test } from 'tap'
import { openWriter, requireWholePages } from '../../src/runtime/store/lmdb-store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { commit, put, readings, remove, tables } from '../contract/store-stage.js'

const damager = fileURLToPath(new URL('page-damager.js', import.meta.url))
const seeds = 90
const pageBytes = 4_096
/** Of the first page. */
const transactionAt = 152
const anyReadings = readings as unknown as Table<never>
const timeless = { monotonic: () => 0 }

/** With values on pages of their own, branches, and lists of free pages; its path. */
async function usedStore(t: Test): Promise<string> {
  const path = mkdtempSync(`${tmpdir()}/pages-`)
  t.teardown(() => rmSync(path, { recursive: true }))
  const store = openWriter(path, tables)
  const write = (from: number, characters: number) =>
    commit(
      store,
      Array.from({ length: 200 }, (_, at) =>
        put(readings, { key: [from + at], value: 'x'.repeat(at % 100 === 0 ? characters : 500) }),
      ),
    )
  for (const from of [0, 200, 400, 0]) await write(from, 20_000)
  await write(200, 9_000)
  await commit(
    store,
    [0, 5, 6, 7, 8].map((key) => remove(anyReadings, [key])),
  )
  await store.close()
  return path
}

test('pages - of a whole store all are, however it has been used', async (t) => {
  const path = await usedStore(t)
  t.doesNotThrow(() => requireWholePages(path, timeless))
  const store = openWriter(path, tables)
  t.doesNotThrow(() => requireWholePages(path, timeless), 'also while it is open')
  await store.close()
})

test('pages - damage is found, or does not end the process', async (t) => {
  const path = await usedStore(t)
  mkdirSync(`${path}/copies`)
  const run = spawnSync(process.execPath, [damager, `${path}/data.mdb`, `${path}/copies`, `${seeds}`], {
    encoding: 'utf8',
  })
  const lines = run.stdout.trim().split('\n')
  t.match(run, { status: 0, signal: null }, String(lines.at(-1)))
  t.equal(lines.length, seeds)
  const found = lines.filter((line) => /data\.mdb is damaged, or not a store: page \d+ is not what/.test(line))
  t.ok(found.length > seeds / 3, `${found.length} of ${seeds} are found`)
})

test('pages - the check ends when its time is over', async (t) => {
  const path = await usedStore(t)
  let looks = 0
  requireWholePages(path, { monotonic: () => looks++ * 1_000 })
  t.equal(looks, 2)
})

test('pages - what another process changes meanwhile is not called damage', async (t) => {
  const path = await usedStore(t)
  const file = openSync(`${path}/data.mdb`, 'r+')
  const nextTransaction = Buffer.alloc(8)
  nextTransaction.writeBigUInt64LE(1_000n)
  let looks = 0
  const clock = {
    monotonic() {
      if (looks++ === 1) {
        for (let page = 2; page * pageBytes < fstatSync(file).size; page++)
          writeSync(file, Buffer.alloc(pageBytes), 0, pageBytes, page * pageBytes)
        writeSync(file, nextTransaction, 0, 8, transactionAt)
      }
      return 0
    },
  }
  t.throws(() => requireWholePages(path, clock), { message: `another process writes ${path}/data.mdb` })
  t.throws(() => requireWholePages(path, timeless), /is damaged/, 'which it is once nobody does')
  closeSync(file)
})
