// What the store thread does: the one place that writes. Answers commits of fronts and shards, and prunes what has outlived its time.

import type { MessagePort } from 'node:worker_threads'
import { schemaVersion, tables } from '../records/index.js'
import { migrations } from '../records/migrations/index.js'
import { newestEventId } from '../runtime/actor/outbox.js'
import { timeOfId } from '../runtime/ids.js'
import { limits as runtimeLimits } from '../runtime/limits.js'
import { onlyNode } from '../runtime/link/numbers.js'
import { type StoreConnection, serveStore } from '../runtime/link/store-service.js'
import { type KeptTime, keepTimeIn } from '../runtime/store/kept-time.js'
import type { Tables } from '../runtime/store/storage/byte-store.js'
import type { MigrationPart } from '../runtime/store/storage/meta.js'
import { createSpace } from '../runtime/store/storage/space.js'
import type { StoreOptions, StoreWriter } from '../runtime/store/storage/store-writer.js'
import type { Settings } from '../settings.js'
import { limits } from './limits.js'
import type { Outside } from './outside.js'
import { retentionDays } from './retention-days.js'
import { type DiskSpace, watchSpace } from './space-watch.js'
import type { StoreControl, StoreStatistics } from './threads.js'

export interface StoreOutside extends Outside {
  /** Opens the store for writing. */
  readonly open: (tables: Tables, options: StoreOptions) => StoreWriter
  /** Of the disk that the store is on. */
  readonly measureDisk: () => DiskSpace
  /** Longest delay of the event loop in the last second, ms. */
  loopDelay(): number
}

const pruneEveryMs = 1_000
/** After a pass that has found much: as soon as commits have gone between. */
const pruneAgainAfterMs = 20
/** What is added meanwhile is told of together. */
const announceAfterMs = 5
const lookEveryMs = 1_000
const migrationToldEveryMs = 5_000

export function createStoreProgram(settings: Settings, outside: StoreOutside): StoreControl {
  const { clock, random, log } = outside
  let migrationToldAt = 0
  const measured = { groups: 0, batches: 0, changes: 0, milliseconds: 0, refusedGroups: 0, writable: true }
  let store: StoreWriter | undefined
  let closing = false
  let time: KeptTime | undefined
  const connections = new Set<StoreConnection>()
  const added = new Set<string>()
  const space = createSpace(tables)
  const watch = watchSpace({
    node: onlyNode,
    measureDisk: outside.measureDisk,
    space,
    store: () => store,
    lowBytes: settings.low_space_megabytes === undefined ? undefined : settings.low_space_megabytes * 1_048_576,
    clock,
    random,
    log,
  })

  function opened(): StoreWriter {
    if (store === undefined) throw new Error('the store is not open')
    return store
  }

  function keptTime(): KeptTime {
    if (time === undefined) throw new Error('the store is not open')
    return time
  }

  function announceSoon(topics: readonly string[]): void {
    if (added.size === 0) setTimeout(announce, announceAfterMs)
    for (const topic of topics) added.add(topic)
  }

  function announce(): void {
    const topics = [...added]
    added.clear()
    for (const connection of connections) connection.announce(topics)
  }

  /** A full pass means that more is waiting: the next follows soon, but commits go between. */
  async function prune(): Promise<void> {
    if (closing) return
    const removed = await opened().prune(keptTime().clock.confirmed())
    setTimeout(prune, removed >= runtimeLimits.prunedRowsPerPass / 10 ? pruneAgainAfterMs : pruneEveryMs).unref()
  }

  /** A large table takes a while: whoever waits for the start sees what it is at. */
  function logMigration({ to, table, lists, rows, done }: MigrationPart): void {
    const now = clock.monotonic()
    if (!done && now < migrationToldAt + migrationToldEveryMs) return
    migrationToldAt = now
    if (lists === undefined)
      log.info({ table, rows }, done ? `brought to schema version ${to}` : `being brought to schema version ${to}`)
    else log.info({ table, lists, rows }, done ? 'new lists made' : 'new lists being made')
  }

  function refused(): void {
    if (measured.writable) log.error('the disk refuses writes')
    measured.writable = false
  }

  /**
   * While the disk refuses writes, one is tried at every look, so that an end does not wait for traffic. A full disk may
   * still take a small write into room that the store has in its file: that is no end.
   */
  async function tryDisk(): Promise<void> {
    if (measured.writable || (watch.freeBytes ?? Number.POSITIVE_INFINITY) < limits.writableSpaceBytes) return
    if (!(await opened().probe())) return
    measured.writable = true
    log.info('the disk takes writes again')
  }

  async function look(): Promise<void> {
    if (closing) return
    try {
      store?.reserve()
      await Promise.all([watch.look(), tryDisk()])
    } catch (error) {
      log.error({ err: error }, 'the free space of the disk could not be measured')
    }
    setTimeout(look, lookEveryMs).unref()
  }

  return {
    async open() {
      store = outside.open(tables, {
        schemaVersion,
        migrations,
        onMigrationPart: logMigration,
        onGroup({ batches, changes, milliseconds, written }) {
          measured.groups++
          measured.batches += batches
          measured.changes += changes
          measured.milliseconds += milliseconds
          if (!written) measured.refusedGroups++
          if (!written) refused()
        },
        clock,
        space,
        onBroken: (error) => log.error({ err: error }, 'a batch that breaks a rule of the store was refused'),
        onAppended: announceSoon,
      })
      const newest = newestEventId(store.view())
      time = await keepTimeIn(store, newest === undefined ? undefined : timeOfId(newest), clock, log)
      await look()
      await store.keep(retentionDays(settings))
      setTimeout(prune, pruneEveryMs).unref()
      return { run: store.bootNumber, epochs: store.epochs(), time: time.shared }
    },
    connect(port: MessagePort) {
      const connection = serveStore(opened(), port)
      connections.add(connection)
      port.once('close', () => connections.delete(connection))
    },
    fence: (partitions, epochs) => opened().fence(partitions, epochs),
    confirmClock: () => keptTime().confirm(),
    statistics: (): StoreStatistics => ({
      ...measured,
      freeBytes: watch.freeBytes,
      spaceLevel: space.level,
      refusedForSpace: space.refused,
      thinnedRows: space.thinned,
      loopDelayMs: outside.loopDelay(),
      loopActiveMs: outside.loopActive(),
      memory: outside.memory(),
    }),
    async close() {
      // What looks at the store now and then must not find it closed.
      closing = true
      await time?.end()
      await opened().close()
    },
  }
}
