// A process that damages copies of a store by seed, and uses each for reading and writing that the check lets pass: lmdb would end it by a
// signal. `node page-damager.js <store> <directory> <seeds>`; it says what became of each seed.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { openWriter, requireWholePages } from '../../src/runtime/store/lmdb-store.js'
import { commit, put, session, sessions, tables } from '../contract/store-stage.js'

const [, , store = '', directory = '', seeds = '0'] = process.argv
const pageBytes = 4_096
const whole = readFileSync(store)
const pages = whole.length / pageBytes

const say = (line: string): unknown => writeSync(1, line)
const noise = (text: string): Buffer => createHash('shake256', { outputLength: pageBytes }).update(text).digest()

/** Each takes a page and noise, and changes the page. */
const damages: readonly ((page: Buffer, random: Buffer) => void)[] = [
  (page) => page.fill(0),
  (page, random) => random.copy(page),
  (page, random) => {
    page[random.readUInt8(0) % 64] = random.readUInt8(1)
  },
  (page, random) => random.copy(page, random.readUInt16LE(0) % 4_000, 2, 2 + (random.readUInt8(2) % 64)),
  (page, random) => copyOf(2 + (random.readUInt16LE(0) % (pages - 2))).copy(page),
  (page, random) => {
    const at = random.readUInt16LE(0) % pageBytes
    page[at] = page.readUInt8(at) ^ (1 << (random.readUInt8(2) & 7))
  },
]

const copyOf = (page: number): Buffer => whole.subarray(page * pageBytes, (page + 1) * pageBytes)

async function use(path: string): Promise<void> {
  const opened = openWriter(path, tables)
  try {
    for (const table of tables) opened.view().list(table, [])
    await commit(opened, [put(sessions, session('another', { at: 1, tags: ['a tag'] }))])
    await opened.prune(2_000_000_000_000)
  } finally {
    await opened.close()
  }
}

process.on('unhandledRejection', () => {})
for (let seed = 0; seed < Number(seeds); seed++) {
  const path = `${directory}/${seed}`
  const bytes = Buffer.from(whole)
  const random = noise(`${seed}`)
  const page = 2 + (random.readUInt32LE(4_000) % (pages - 2))
  damages[seed % damages.length]?.(bytes.subarray(page * pageBytes, (page + 1) * pageBytes), random)
  mkdirSync(path)
  writeFileSync(`${path}/data.mdb`, bytes)
  say(`${seed} of page ${page} `)
  try {
    requireWholePages(path, { monotonic: () => 0 })
  } catch (error) {
    say(`${(error as Error).message}\n`)
    continue
  }
  await use(path).then(
    () => say('used\n'),
    () => say('refused by its reader\n'),
  )
}
