// Durable timers: a row stores which actor to wake, why and when. Each shard wakes its own actors, at its start and from then on. The actor
// removes the row when it has done the work. Rows are due by steady time, except those for a date that people have set.

import type { Logger } from 'pino'
import { limits } from '../limits.js'
import type { ServiceClock } from '../steady-time.js'
import type { ListQuery, ReadView } from '../store/store.js'
import { after, defineTable, type Key } from '../store/table.js'
import type { Address, Context, Effect } from './actor.js'
import { effect } from './actor.js'
import type { ActorHost } from './actor-host-ports.js'
import { addressKey, type PartitionTable, partitionCount, partitionOf } from './partition-table.js'

export interface WakeUp {
  readonly kind: string
  readonly id: string
  /** What the actor is woken for; one row for each. */
  readonly reason: string
  /** Steady time, ms. Rows of versions without steady time have wall time here, at which steady time began. */
  readonly at: number
  /** Then `at` is wall time: for a date that people have set. */
  readonly by_date?: true
}

export const wakeUpsTable = defineTable<WakeUp>({
  name: 'wake_ups',
  key: (row) => [row.kind, row.id, row.reason],
  // A batch counts as its most important row: what it is woken for says how important it is.
  importance: 'operation',
  // Partition by partition, so that a look goes from one that has rows to the next that has; in each, one list for each clock. Renamed when
  // the count of partitions changes, to force a rebuild.
  indexes: { byClock: (row) => [{ group: [], order: [partitionOf(addressKey(row)), clockOf(row), row.at] }] },
  uncounted: ['byClock'],
})

/** What a woken actor is told. It comes again, after a while, for as long as the row is due: handling it must be idempotent. */
export interface WakeUpMessage {
  readonly type: 'wake-up'
  readonly reason: string
}

const byDate = 1
/** Lists of a partition: by steady time, and by date. */
const clocks = 2

function clockOf(row: WakeUp): number {
  return row.by_date === true ? byDate : 0
}

/** `afterMs` from now, by steady time: setting the clock of the machine neither hurries it nor holds it up. For the commit of a change. */
export function wakeUpAfter(
  { kind, id }: Address,
  reason: string,
  afterMs: number,
  clock: Pick<ServiceClock, 'steady'>,
): WakeUp {
  return { kind, id, reason, at: clock.steady() + Math.max(0, Math.ceil(afterMs)) }
}

/** The same for actors. Durable with everything else of the turn; a second one of the same reason takes the place of the first. */
export function wakeAfter(address: Address, reason: string, afterMs: number, context: Pick<Context, 'steady'>): Effect {
  return effect.put(wakeUpsTable, wakeUpAfter(address, reason, afterMs, context))
}

/** At a date that people have set, ms: then the clock of the machine decides. */
export function wakeOnDate({ kind, id }: Address, reason: string, date: number): Effect {
  return effect.put(wakeUpsTable, { kind, id, reason, at: date, by_date: true })
}

export function wakeNoMore({ kind, id }: Address, reason: string): Effect {
  return effect.remove(wakeUpsTable, [kind, id, reason])
}

export interface WakeUpSweep {
  /** Tells the actors of this shard what is due, so many at most, and returns how many of them it has told. */
  sweep(): number
  /** These have left: should they come back, their actors, which another owner has had meanwhile, are told everything anew. */
  forget(partitions: ReadonlySet<number>): void
  /** The last sweep had to stop before the end of what is due. */
  readonly unfinished: boolean
}

/** How long an actor that has been told has to take its row away before it is told again. */
export const toldAgainAfterMs = 30_000

export interface WakeUpOptions {
  readonly view: () => ReadView
  readonly clock: ServiceClock
  readonly partitions: PartitionTable
  /** The shard's index in the partition table. */
  readonly owner: number
  readonly host: Pick<ActorHost, 'deliver' | 'hosts'>
  readonly log?: Pick<Logger, 'warn'>
}

type Told = Map<string, { readonly at: number; readonly toldAt: number; readonly partition: number }>

export function createWakeUpSweep({ view, clock, partitions, owner, host, log }: WakeUpOptions): WakeUpSweep {
  /** Of the last round over all partitions, and of the one in hand. */
  let told: Told = new Map()
  let toldNow: Told = new Map()
  const unknownKinds = new Set<string>()
  /** Where the next sweep goes on in the round. */
  let partition = 0
  let list = 0
  let from: Key | undefined

  function tell(row: WakeUp, now: number): boolean {
    if (!host.hosts(row.kind)) {
      noteUnknown(row.kind)
      return false
    }
    const key = `${row.kind}/${row.id}/${row.reason}`
    const before = toldNow.get(key) ?? told.get(key)
    if (before !== undefined && before.at === row.at && now - before.toldAt < toldAgainAfterMs) {
      toldNow.set(key, before)
      return false
    }
    toldNow.set(key, { at: row.at, toldAt: now, partition })
    const message: WakeUpMessage = { type: 'wake-up', reason: row.reason }
    const address: Address = { kind: row.kind, id: row.id }
    host.deliver(address, { message, always: true, repeated: `wake-up ${row.reason}` })
    return true
  }

  /** A newer version wrote it: its row stays for when that one runs again. */
  function noteUnknown(kind: string): void {
    if (unknownKinds.has(kind)) return
    unknownKinds.add(kind)
    log?.warn({ kind }, 'a stored wake-up is of a kind of actor that this version does not know; it is left as it is')
  }

  const rowsOf = (query: ListQuery): readonly WakeUp[] => view().listBy(wakeUpsTable, 'byClock', [], query)

  function nextPartition(): void {
    partition++
    list = 0
    from = undefined
  }

  function nextList(): void {
    if (list + 1 === clocks) {
      nextPartition()
      return
    }
    list++
    from = undefined
  }

  return {
    sweep() {
      const now = clock.monotonic()
      const due = [clock.steady(), clock.now()]
      let count = 0
      for (let left: number = limits.wakeUpsPerSweep; ; ) {
        if (left === 0) return count
        while (partition < partitionCount && partitions.owner(partition) !== owner) nextPartition()
        const [first] = rowsOf({ from: from ?? [partition, list], limit: 1 })
        if (first === undefined) break
        const found = partitionOf(addressKey(first))
        if (found !== partition || clockOf(first) !== list) from = undefined
        partition = found
        list = clockOf(first)
        const until = due[list] as number
        const to = [partition, list, until + 1]
        const isOwn = first.at <= until && partitions.owner(partition) === owner
        const rows = isOwn ? rowsOf({ from: from ?? [partition, list], to, limit: left }) : []
        for (const row of rows) if (tell(row, now)) count++
        const last = rows.at(-1)
        left -= rows.length
        if (last !== undefined && left === 0) from = after([partition, list, last.at, ...wakeUpsTable.key(last)])
        else nextList()
      }
      partition = 0
      list = 0
      from = undefined
      told = toldNow
      toldNow = new Map()
      return count
    },
    forget(partitions) {
      for (const rounds of [told, toldNow])
        for (const [key, { partition }] of rounds) if (partitions.has(partition)) rounds.delete(key)
    },
    get unfinished() {
      return partition > 0 || list > 0 || from !== undefined
    },
  }
}
