// A store that does not agree with itself is found out, whatever part of it is wrong.

import { test } from 'tap'
import { encodeRow } from '../../src/runtime/codec.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import {
  type ByteTransaction,
  indexDatabase,
  tableDatabase,
  totalsDatabase,
} from '../../src/runtime/store/storage/byte-store.js'
import { checkStore } from '../../src/runtime/store/storage/check.js'
import { totalKey } from '../../src/runtime/store/storage/index-entries.js'
import { encodeEntry, encodeKey } from '../../src/runtime/store/storage/key-bytes.js'
import { memoryDisk, memoryReader, memoryTransactions } from '../../src/runtime/store/storage/memory-bytes.js'
import { commit, put, session, sessions, tables } from '../contract/store-stage.js'

type Tamper = (transaction: ByteTransaction) => void

async function faultsAfter(tamper: Tamper): Promise<readonly string[]> {
  const disk = memoryDisk()
  const store = openMemoryStore(tables, { disk })
  await commit(store, [
    put(sessions, session('a', { watts: 4, tags: ['x', 'y'] })),
    put(sessions, session('b', { watts: -4, at: 7 })),
    put(sessions, session('c', { site: 'site-2', watts: 2 })),
  ])
  memoryTransactions(disk)(tamper)
  const { rows, faults } = checkStore(memoryReader(disk), tables)
  return rows === 3 ? faults : [...faults, `${rows} rows`]
}

const row = tableDatabase('sessions')
const bySite = indexDatabase('sessions', 'bySite')
const a = encodeKey(['a'])
const total = (group: string): Buffer => totalKey('sessions', 'bySite', [group])

test('store check - a store that was only committed to is consistent', async (t) => {
  t.same(await faultsAfter(() => {}), [])
})

test('store check - what is wrong is found', async (t) => {
  const cases: readonly [RegExp, Tamper][] = [
    [/row at a is not in its list bySite/, (held) => held.remove(bySite, encodeEntry(['site-1'], [0], a))],
    [/bySite has 4 entries for 3/, (held) => held.put(bySite, encodeEntry(['site-9'], [0], a), a)],
    [
      /row at a is not in its list bySite/,
      (held) => held.put(bySite, encodeEntry(['site-1'], [0], a), encodeKey(['b'])),
    ],
    [/total at .*site-2 is 3, its rows make 2/, (held) => held.put(totalsDatabase, total('site-2'), encodeRow(3))],
    [/totals are stored, the rows make/, (held) => held.remove(totalsDatabase, total('site-2'))],
    [/site-9 is 1, its rows make 0/, (held) => held.put(totalsDatabase, total('site-9'), encodeRow(1))],
    [/the row at a cannot be read/, (held) => held.put(row, a, Buffer.of(0xc1))],
    [/the row at a has another key/, (held) => held.put(row, a, encodeRow(session('z')))],
    [/2 rows/, (held) => held.remove(row, a)],
  ]
  for (const [message, tamper] of cases) t.match((await faultsAfter(tamper)).join('; '), message)
})
