// Timers that outlive the process: a row says when an actor wants to be told something, and each shard tells its own
// actors what is due, at its start and from then on. The actor takes the row away when it has done what it was woken for.

import type { Address, Effect } from './actor.js'
import { effect } from './actor.js'
import type { ActorHost } from './actor-host-ports.js'
import type { Clock } from './clock.js'
import { limits } from './limits.js'
import { addressKey, type PartitionTable, partitionOf } from './partition-table.js'
import type { ReadView } from './store.js'
import { after, defineTable, type Key } from './table.js'

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
  indexes: { byTime: (row) => [{ group: [], order: [row.at] }] },
  uncounted: ['byTime'],
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
  /** Tells the actors of this shard what is due, and how many of them it has told. */
  sweep(): number
}

/** How long an actor that has been told has to take its row away before it is told again. */
export const toldAgainAfterMs = 30_000

export interface WakeUpOptions {
  readonly view: () => ReadView
  readonly clock: Clock
  readonly partitions: PartitionTable
  /** The shard's index in the partition table. */
  readonly owner: number
  readonly host: Pick<ActorHost, 'deliver'>
}

export function createWakeUpSweep({ view, clock, partitions, owner, host }: WakeUpOptions): WakeUpSweep {
  let told = new Map<string, { readonly at: number; readonly toldAt: number }>()

  /** Of a shard's own only: the others' rows are for them to tell. */
  function tell(row: WakeUp, now: number, kept: typeof told): boolean {
    const address: Address = { kind: row.kind, id: row.id }
    if (partitions.owner(partitionOf(addressKey(address))) !== owner) return false
    const key = `${row.kind}/${row.id}/${row.reason}`
    const before = told.get(key)
    if (before !== undefined && before.at === row.at && now - before.toldAt < toldAgainAfterMs) {
      kept.set(key, before)
      return false
    }
    kept.set(key, { at: row.at, toldAt: now })
    const message: WakeUpMessage = { type: 'wake-up', reason: row.reason }
    host.deliver(address, { message, always: true, repeated: `wake-up ${row.reason}` })
    return true
  }

  return {
    sweep() {
      const now = clock.monotonic()
      const end = [clock.now() + 1]
      const kept: typeof told = new Map()
      let count = 0
      for (let from: Key | undefined; ; ) {
        const rows = view().listBy(wakeUpsTable, 'byTime', [], {
          to: end,
          limit: limits.wakeUpsPerRead,
          ...(from !== undefined && { from }),
        })
        for (const row of rows) if (tell(row, now, kept)) count++
        const last = rows.at(-1)
        if (last === undefined || rows.length < limits.wakeUpsPerRead) break
        from = after([last.at, ...wakeUpsTable.key(last)])
      }
      told = kept
      return count
    },
  }
}
