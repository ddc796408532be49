// What only the inside shows: that whoever has been replaced writes nothing more, and that queues keep their bounds.

import type { Observer, SimulatedService } from '../service.js'
import type { Verdict } from './verdict.js'

export interface InsideOracle extends Omit<Observer, 'written'> {
  /** A new process: its shards begin their first lives. */
  began(): void
  look(service: SimulatedService): void
}

/** The bounds that the contract names; figures, because the system's own are what is checked. */
const mailboxMessages = 50_000
const windowItems = 100_000
const asks = 50_000

/** `forgotten` is called when actors have lost what was in memory only. */
export function createInsideOracle({ check }: Verdict, forgotten: () => void): InsideOracle {
  let newest = new Map<number, number>()
  /** By partition: the epoch of the newest owner that the store has been told of. */
  let owners = new Map<number, number>()
  return {
    began() {
      newest = new Map()
      owners = new Map()
    },
    shardStarted(shard, life) {
      newest.set(shard, life)
      forgotten()
    },
    partitionsMove: forgotten,
    applied({ entries }, outcomes) {
      for (const [at, entry] of entries.entries()) {
        if (entry.type === 'assign')
          for (const [index, partition] of entry.partitions.entries())
            owners.set(partition, Math.max(owners.get(partition) ?? 0, entry.epochs[index] as number))
        if (entry.type !== 'batch') continue
        const { partition, epoch } = entry.batch
        const owner = owners.get(partition)
        if (owner === undefined || epoch >= owner) continue
        const accepted = outcomes[at]?.ok === true
        check('fenced', !accepted, () => `partition ${partition} has an owner since ${owner}, one of ${epoch} wrote`)
      }
    },
    commitRequested() {},
    commitAnswered(shard, life, { results }) {
      if (results.some((result) => !result.ok)) forgotten()
      // The answer may have been on its way when the successor started; what the store decides later must be a refusal.
      if ((newest.get(shard) ?? life) <= life) return
      const accepted = results.some((result) => result.ok)
      check(
        'fenced',
        !accepted,
        () => `shard ${shard}, replaced by its life ${newest.get(shard)}, wrote in life ${life}`,
      )
    },
    look(service) {
      for (const { asks: waiting, transport } of service.fronts) {
        check('bounded', waiting.size <= asks, () => `${waiting.size} asks wait`)
        check('bounded', transport.unacknowledged <= windowItems, () => `${transport.unacknowledged} items wait`)
      }
      for (const shard of service.shards) {
        const { mailbox = 0 } = shard?.host.statistics() ?? {}
        check('bounded', mailbox <= mailboxMessages, () => `${mailbox} messages wait in a shard`)
      }
    },
  }
}
