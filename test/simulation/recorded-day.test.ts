// Applying a record is a function of it and of the store: whoever applies the records of a day has the store of the day, byte by byte, on
// whichever engine, and whatever the clock, chance, the time zone and the disk of the machine are.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { schemaVersion, tables } from '../../src/records/index.js'
import { migrations } from '../../src/records/migrations/index.js'
import { decodeRow } from '../../src/runtime/codec.js'
import { isLmdbError, openForWriting } from '../../src/runtime/store/lmdb/environment.js'
import { createApplier } from '../../src/runtime/store/storage/apply-record.js'
import { type ByteReader, databaseNames } from '../../src/runtime/store/storage/byte-store.js'
import { prefixRange } from '../../src/runtime/store/storage/key-bytes.js'
import type { StoredDatabases } from '../../src/runtime/store/storage/lists.js'
import {
  type MemoryDisk,
  memoryDisk,
  memoryReader,
  memoryTransactions,
} from '../../src/runtime/store/storage/memory-bytes.js'
import type { InTransaction } from '../../src/runtime/store/storage/meta.js'
import type { StoreRecord } from '../../src/runtime/store/storage/record.js'
import { prepareStore } from '../../src/runtime/store/storage/schema.js'
import { createSpace, type SpaceLevel } from '../../src/runtime/store/storage/space.js'
import { type RecordedDay, recordDay, type Step } from './recorded-day.js'

/** What a machine is like, and what no store may go by. */
interface Machine {
  readonly now: number
  readonly random: number
  readonly timeZone: string
  readonly spaceLevel: SpaceLevel
}

const machines: readonly [Machine, Machine] = [
  { now: Date.UTC(1999, 11, 31), random: 0.1, timeZone: 'Pacific/Auckland', spaceLevel: 0 },
  { now: Date.UTC(2060, 1, 29), random: 0.9, timeZone: 'America/St_Johns', spaceLevel: 3 },
]

/** An engine with nothing in it, and a way to open it again. */
interface Place {
  open(): { readonly transaction: InTransaction; readonly reader: ByteReader; readonly databases: StoredDatabases }
  close(): Promise<void>
}

/** Runs on another machine; what takes its time or its chance from the process gets that machine's. */
function on<Result>({ now, random, timeZone }: Machine, run: () => Result): Result {
  const kept = { now: Date.now, random: Math.random, monotonic: performance.now, timeZone: process.env.TZ }
  let at = now
  Date.now = () => at++
  performance.now = () => at++
  Math.random = () => random
  process.env.TZ = timeZone
  try {
    return run()
  } finally {
    Date.now = kept.now
    performance.now = kept.monotonic
    Math.random = kept.random
    if (kept.timeZone === undefined) delete process.env.TZ
    else process.env.TZ = kept.timeZone
  }
}

function inMemory(disk: MemoryDisk = memoryDisk()): Place {
  const databases = { names: () => [...disk.keys()], drop: (name: string) => void disk.delete(name) }
  return {
    open: () => ({ transaction: memoryTransactions(disk), reader: memoryReader(disk), databases }),
    close: async () => undefined,
  }
}

function inLmdb(t: Test, { spaceLevel }: Machine): Place {
  const path = mkdtempSync(join(tmpdir(), 'ampshard-'))
  const space = createSpace(tables)
  space.note(spaceLevel === 0 ? 2 : 0, 1)
  t.equal(space.level, spaceLevel)
  const environment = openForWriting(path, tables, space)
  t.teardown(() => rmSync(path, { recursive: true }))
  return { open: () => environment, close: environment.close }
}

/** Applies every step to a store that is empty; returns those whose entries met with another end. */
function replay(steps: readonly Step[], place: Place): string[] {
  const engine = { ...place.open(), isEngineError: isLmdbError }
  const { transaction: inTransaction, databases } = engine
  const otherwise: string[] = []
  let applier: ReturnType<typeof createApplier> | undefined
  for (const [at, step] of steps.entries()) {
    if (step === undefined) {
      prepareStore({ where: 'a replay', inTransaction, databases, tables, schemaVersion, migrations })
      applier = createApplier(engine, tables)
      continue
    }
    const outcomes = applier?.apply(decodeRow<StoreRecord>(step.record)).outcomes
    if (JSON.stringify(outcomes) !== JSON.stringify(step.outcomes)) otherwise.push(`record ${at}`)
  }
  return otherwise
}

type Contents = Readonly<Record<string, ReadonlyMap<string, string>>>

function contentsOf(reader: ByteReader): Contents {
  const everything = prefixRange([])
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
  return Object.fromEntries(
    databaseNames(tables).map((name) => {
      const values = reader.values(name, everything)
      return [
        name,
        new Map(reader.keys(name, everything).map((key, at) => [textOf(key), textOf(values[at] as Buffer)])),
      ]
    }),
  )
}

/** Databases that differ, each with the first key that does. */
function differences(one: Contents, other: Contents): string[] {
  return Object.entries(one).flatMap(([name, rows]) => {
    const others = other[name] ?? new Map<string, string>()
    const key = [...rows.keys(), ...others.keys()].find((key) => rows.get(key) !== others.get(key))
    return key === undefined ? [] : [`${name} at ${JSON.stringify(key)}`]
  })
}

async function day(): Promise<RecordedDay> {
  return recordDay({
    seed: 22,
    chargePoints: 40,
    minutes: 6,
    aspects: ['guests', 'periods', 'administrators'],
    rates: { shardCrash: 1 / 500, processKills: 2, commitRefused: 0.02, diskFull: 1, clockSteps: 3, socketDrops: 1 },
  })
}

test('records of a day - make the same store again, byte by byte, in memory and in LMDB, on any machine', async (t) => {
  const { world, steps, disk, entries } = await day()
  t.same(world.violations, [])
  t.ok(world.processKills > 0 && world.shardDeaths > 0, 'partitions have changed hands')
  for (const [type, count] of Object.entries(entries)) t.ok(count > 0, `${count} times ${type}`)
  const outcomes = steps.flatMap((step) => step?.outcomes ?? [])
  const refused = outcomes.filter((outcome) => !outcome.ok)
  t.ok(refused.length > 0, `${refused.length} of ${outcomes.length} entries were refused when they were applied`)
  const whole = contentsOf(memoryReader(disk))
  const rows = Object.values(whole).reduce((sum, { size }) => sum + size, 0)
  t.ok((whole['table:outbox']?.size ?? 0) > 0 && rows > 1_000, `${rows} rows and entries of lists`)
  for (const machine of machines) {
    for (const [engine, place] of [
      ['memory', inMemory()],
      ['LMDB', inLmdb(t, machine)],
    ] as const) {
      t.same(
        on(machine, () => replay(steps, place)),
        [],
        `what becomes of every entry, in ${engine}`,
      )
      t.same(differences(whole, contentsOf(place.open().reader)), [], `every byte, in ${engine}`)
      await place.close()
    }
  }
})
