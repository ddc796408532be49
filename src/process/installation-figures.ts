// What the threads have counted, as the figures of one second: totals become numbers a second, and threads of one kind are added up.

import {
  type Group,
  type LaneFigure,
  laneFigures,
  type ProcessFigure,
  perSecond,
  processFigures,
  seriesName,
  type ThreadFigure,
  threadFigures,
} from '../api/areas/installation/figures.js'
import { handlingBoundsMs } from '../runtime/link/front-transport.js'
import type { Measured, Sample } from '../runtime/thread/series-ring.js'
import type { FrontStatistics, ProcessStatistics, ShardStatistics, StoreStatistics } from './threads.js'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const sumOf = (counts: Readonly<Record<string, number>>): number => sum(Object.values(counts))

type ThreadStatistics = FrontStatistics | ShardStatistics | StoreStatistics

/** Of totals that only rise, but for a thread that is new and begins at 0 again. */
function createRises() {
  const known = new Map<string, { readonly total: number; readonly at: number }>()
  /** `since` is when it was still 0, if nothing is known of it. */
  return function rise(
    name: string,
    total: number,
    at: number,
    since: number,
  ): { readonly by: number; readonly seconds: number } | undefined {
    const before = known.get(name) ?? { total: 0, at: since }
    known.set(name, { total, at })
    if (at <= before.at) return undefined
    return { by: total >= before.total ? total - before.total : total, seconds: (at - before.at) / 1000 }
  }
}

/** Returns what makes a sample of statistics, `at` monotonic ms; everything was 0 at `startedAt`. */
export function createFigures(startedAt: number): (statistics: ProcessStatistics, at: number) => Sample {
  const rise = createRises()
  const handled = createRises()
  /** Series by reason or action that have begun: of what has never occurred there is none. */
  const seen = new Set<string>()
  /** When a thread was last asked for its counts of a group, monotonic ms. */
  const asked = new Map<string, number>()

  return function figuresOf({ fronts, shards, store, jobs, shardRestarts, usage }, at) {
    const figures = new Map<string, Measured>()
    const set = (name: string, value: number, { combine }: Pick<Measured, 'combine'>): void =>
      void (Number.isFinite(value) && figures.set(name, { value, combine }))
    const put = (name: ProcessFigure, value: number): void => set(name, value, processFigures[name])

    function rate(name: string, total: number): number | undefined {
      const risen = rise(name, total, at, startedAt)
      return risen && risen.by / risen.seconds
    }

    /** What several threads count of one thing: the sum of those that are known. */
    function rateOf<Statistics>(
      threads: readonly (Statistics | undefined)[],
      name: string,
      total: (thread: Statistics) => number,
    ): number | undefined {
      const rates = threads.flatMap((thread, index) =>
        thread === undefined ? [] : (rate(`${name} ${index}`, total(thread)) ?? []),
      )
      return rates.length === 0 ? undefined : sum(rates)
    }
    function putRate<Statistics>(
      name: ProcessFigure,
      threads: readonly (Statistics | undefined)[],
      total: (thread: Statistics) => number,
    ): void {
      const found = rateOf(threads, name, total)
      if (found !== undefined) put(name, found)
    }
    /** Each name has a series of its own from the first of it. */
    function putRatesBy<Statistics>(
      group: Group,
      threads: readonly (Statistics | undefined)[],
      countsOf: (thread: Statistics) => Readonly<Record<string, number>>,
    ): void {
      const rates = new Map<string, number>()
      for (const [index, thread] of threads.entries()) {
        if (thread === undefined) continue
        // A name that was not among the counts of the thread before had not occurred.
        const since = asked.get(`${group} ${index}`) ?? startedAt
        asked.set(`${group} ${index}`, at)
        for (const [name, total] of Object.entries(countsOf(thread))) {
          const risen = rise(`${group} ${name} ${index}`, total, at, since)
          if (risen !== undefined) rates.set(name, (rates.get(name) ?? 0) + risen.by / risen.seconds)
        }
      }
      for (const [name, rate] of rates) {
        const series = seriesName('per_second', group, name)
        if (rate === 0 && !seen.has(series)) continue
        seen.add(series)
        set(series, rate, perSecond)
      }
    }

    const [liveFronts, liveShards] = [
      fronts.filter((one) => one !== undefined),
      shards.filter((one) => one !== undefined),
    ]

    put('connections', sum(liveFronts.map(({ connections }) => connections)))
    putRate('frames_received_per_second', fronts, ({ framesIn }) => framesIn)
    putRate('frames_sent_per_second', fronts, ({ framesOut }) => framesOut)
    putRate('messages_per_second', shards, ({ messages }) => sumOf(messages))
    putRate('connections_refused_per_second', fronts, ({ refused }) => sumOf(refused))
    putRate('connections_ended_per_second', fronts, ({ ended }) => sumOf(ended))
    putRate('requests_refused_per_second', fronts, ({ requestsRefused }) => sumOf(requestsRefused))
    putRate('frames_dropped_per_second', shards, ({ droppedFrames }) => droppedFrames)
    if (liveFronts.length > 0) put('overload_level', Math.max(...liveFronts.map(({ overloadLevel }) => overloadLevel)))
    put('asks', sum(liveFronts.map(({ asks }) => asks)))
    put('unacknowledged_items', sum(liveFronts.map(({ unacknowledged }) => unacknowledged)))
    put('event_streams', sum(liveFronts.map(({ eventStreams }) => eventStreams.open)))
    put('long_reads', sum(liveFronts.map(({ longReads }) => longReads.underWay)))
    put('long_reads_waiting', sum(liveFronts.map(({ longReads }) => longReads.waiting)))
    put('actors', sum(liveShards.map(({ actors }) => actors)))
    put('mailbox_messages', sum(liveShards.map(({ mailbox }) => mailbox)))
    put('commits_waiting', sum(liveShards.map(({ committing }) => committing)))
    put('timers', sum(liveShards.map(({ timers }) => timers)))
    putRate('turns_per_second', shards, ({ turns }) => turns)
    putRate('failures_per_second', shards, ({ failures }) => failures)
    putRate('messages_dropped_per_second', shards, ({ dropped }) => sumOf(dropped))
    putRate('webhook_attempts_per_second', shards, ({ webhooks }) => webhooks.succeeded + webhooks.failed)
    putRate('webhook_failures_per_second', shards, ({ webhooks }) => webhooks.failed)
    putRate('roaming_pushes_per_second', shards, ({ pushes }) => pushes.succeeded + pushes.failed)
    putRate('roaming_push_failures_per_second', shards, ({ pushes }) => pushes.failed)
    putRate('store_groups_per_second', [store], ({ groups }) => groups)
    putRate('commits_per_second', [store], ({ batches }) => batches)
    putRate('rows_changed_per_second', [store], ({ changes }) => changes)
    putRate('store_busy_share', [store], ({ milliseconds }) => milliseconds / 1000)
    putRate('store_refused_groups_per_second', [store], ({ refusedGroups }) => refusedGroups)
    put('store_writable', store.writable ? 1 : 0)
    if (store.freeBytes !== undefined) put('disk_free_bytes', store.freeBytes)
    put('space_level', store.spaceLevel)
    putRate('batches_refused_for_space_per_second', [store], ({ refusedForSpace }) => refusedForSpace)
    const replaced = rise('shardRestarts', shardRestarts, at, startedAt)
    if (replaced !== undefined) put('shards_replaced', replaced.by)
    putRate('processor_cores', [usage], ({ processorSeconds }) => processorSeconds)
    put('resident_bytes', usage.residentBytes)

    function putThread(thread: string, statistics: ThreadStatistics | undefined, waiting: number | undefined): void {
      if (statistics === undefined) return
      const putOf = (name: ThreadFigure, value: number): void =>
        set(seriesName(name, 'thread', thread), value, threadFigures[name])
      putOf('loop_delay_milliseconds', statistics.loopDelayMs)
      putOf('heap_used_bytes', statistics.memory.heapUsedBytes)
      if (waiting !== undefined) putOf('waiting', waiting)
      const busy = rate(`${thread} active`, statistics.loopActiveMs)
      if (busy !== undefined) putOf('busy_share', Math.min(1, busy / 1000))
    }
    for (const [index, front] of fronts.entries()) putThread(`front/${index}`, front, front?.unacknowledged)
    for (const [index, shard] of shards.entries()) putThread(`shard/${index}`, shard, shard?.mailbox)
    putThread('store', store, undefined)

    for (const { lane, underWay, waiting } of jobs) {
      const putOf = (name: LaneFigure, value: number): void =>
        set(seriesName(name, 'lane', lane), value, laneFigures[name])
      putOf('running', underWay)
      putOf('waiting', waiting)
    }
    putRatesBy('action', shards, ({ messages }) => messages)
    putRatesBy('refusal', fronts, ({ refused }) => refused)
    putRatesBy('request_refusal', fronts, ({ requestsRefused }) => requestsRefused)

    const counts = handlingBoundsMs
      .concat(Number.POSITIVE_INFINITY)
      .map((_, bucket) =>
        sum(fronts.map((front, index) => riseOf(front?.handling.counts[bucket], `${index} ${bucket}`))),
      )
    function riseOf(total: number | undefined, name: string): number {
      return total === undefined ? 0 : (handled(name, total, at, startedAt)?.by ?? 0)
    }
    return { figures, counts }
  }
}
