// Timers that outlive the process: a row says when an actor wants to be told something, and each shard tells its own
// actors what is due, at its start and from then on. The actor takes the row away when it has done what it was woken for.

import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import { limits } from '../limits.js'
import type { ListQuery, ReadView } from '../store/store.js'
import { after, defineTable, type Key } from '../store/table.js'
import type { Address, Effect } from './actor.js'
import { effect } from './actor.js'
import type { ActorHost } from './actor-host-ports.js'
import { addressKey, type PartitionTable, partitionCount, partitionOf } from './partition-table.js'

export interface WakeUp {
  readonly kind: string
  readonly id: string
  /** What the actor is woken for; one row for each. */
  readonly reason: string
  /** Wall time, ms. */
  readonly at: number
}

export const wakeUpsTable = defineTable<WakeUp>({
  name: 'wake_ups',
  key: (row) => [row.kind, row.id, row.reason],
  // A batch counts as its most important row: what it is woken for says how important it is.
  importance: 'operation',
  // Partition by partition, so that a look goes from one that has rows to the next that has. Named anew when the count of partitions
  // changes, so that it is made anew.
  indexes: { byPartition: (row) => [{ group: [], order: [partitionOf(addressKey(row)), row.at] }] },
  uncounted: ['byPartition'],
})

/** What a woken actor is told. It comes again, after a while, for as long as the row is due: handling it must be idempotent. */
export interface WakeUpMessage {
  readonly type: 'wake-up'
  readonly reason: string
}

/** Durable with everything else of the turn; a second one of the same reason takes the place of the first. */
export function wakeAt({ kind, id }: Address, reason: string, at: number): Effect {
  return effect.put(wakeUpsTable, { kind, id, reason, at })
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
  readonly clock: Clock
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

  const list = (query: ListQuery): readonly WakeUp[] => view().listBy(wakeUpsTable, 'byPartition', [], query)

  return {
    sweep() {
      const now = clock.monotonic()
      const due = clock.now()
      let count = 0
      for (let left: number = limits.wakeUpsPerSweep; ; ) {
        if (left === 0) return count
        while (partition < partitionCount && partitions.owner(partition) !== owner) partition++
        const [first] = list({ from: from ?? [partition], limit: 1 })
        if (first === undefined) break
        partition = partitionOf(addressKey(first))
        const to = [partition, due + 1]
        const isOwn = first.at <= due && partitions.owner(partition) === owner
        const rows = isOwn ? list({ from: from ?? [partition], to, limit: left }) : []
        for (const row of rows) if (tell(row, now)) count++
        const last = rows.at(-1)
        left -= rows.length
        if (last !== undefined && left === 0) from = after([partition, last.at, ...wakeUpsTable.key(last)])
        else {
          partition++
          from = undefined
        }
      }
      partition = 0
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
      return partition > 0 || from !== undefined
    },
  }
}
