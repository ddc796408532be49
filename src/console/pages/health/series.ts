// The series of the installation as the page keeps them: what was asked for, with each second that has come since at its end.

import { useEffect, useRef, useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { openLive } from '../../client/live.js'
import { type Resource, useResource } from '../../client/resource.js'

export type Series = Schema<'InstallationSeries'>
export type Column = readonly (number | null)[]
type Columns = Readonly<Record<string, Column>>

export const ranges = {
  '10min': { name: '10 min', seconds: 600, points: 600 },
  '2h': { name: '2 h', seconds: 7_200, points: 720 },
  '24h': { name: '24 h', seconds: 86_400, points: 720 },
} as const
export type Range = keyof typeof ranges

/** The newest value that is known. */
export function newest(column: Column | undefined): number | undefined {
  for (let at = (column?.length ?? 0) - 1; at >= 0; at--) {
    const value = column?.[at]
    if (value != null) return value
  }
  return undefined
}

export const known = (column: Column | undefined): readonly number[] =>
  (column ?? []).filter((value): value is number => value !== null)

/** Of the newest minute. */
export function lastMinute(column: Column | undefined, stepSeconds: number): number | undefined {
  const values = known((column ?? []).slice(-Math.max(1, Math.round(60 / stepSeconds))))
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** How many came in all, of what is told as a number a second. */
export function totalOf(column: Column | undefined, stepSeconds: number): number {
  return known(column).reduce((sum, rate) => sum + rate * stepSeconds, 0)
}

/** Within how many ms so much of all was done, by the bucket that it is in; undefined where nothing was counted. */
export function percentile(counts: readonly number[], bounds: readonly number[], share: number): number | undefined {
  const all = counts.reduce((sum, count) => sum + count, 0)
  if (all === 0) return undefined
  let below = 0
  for (const [bucket, count] of counts.entries()) {
    if (below + count >= share * all && count > 0) {
      const low = bounds[bucket - 1] ?? 0
      const high = bounds[bucket] ?? (bounds.at(-1) ?? 0) * 1.25
      return low + (high - low) * Math.min(1, Math.max(0, (share * all - below) / count))
    }
    below += count
  }
  return bounds.at(-1)
}

/** All counts of the newest steps together. */
export function summed(counts: Series['latency']['counts'], steps: number): readonly number[] {
  const last = counts.slice(-steps)
  return (last[0] ?? []).map((_, bucket) => last.reduce((sum, step) => sum + (step[bucket] ?? 0), 0))
}

function joinedColumns(before: Columns, after: Columns, skip: number, points: number): Record<string, Column> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const gap = (length: number): Column => new Array<null>(Math.max(0, length)).fill(null)
  return Object.fromEntries(
    [...names].map((name) => {
      const past = (before[name] ?? gap(points)).slice(1 + skip)
      return [name, [...past, ...gap(points - past.length - 1), after[name]?.[0] ?? null]]
    }),
  )
}

const joinedGroups = (
  before: Readonly<Record<string, Columns>>,
  after: Readonly<Record<string, Columns>>,
  skip: number,
  points: number,
) =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [
      name,
      joinedColumns(before[name] ?? {}, after[name] ?? {}, skip, points),
    ]),
  )

/** How many seconds are not known between what there is and one that has come; negative where it is older. */
function missedBetween({ starts_at, points }: Series, second: Series): number {
  const end = Date.parse(starts_at) + points * 1_000
  return Math.round((Date.parse(second.starts_at) - end) / 1_000)
}

/** With one second more at the end; the oldest goes. */
function joined(before: Series, second: Series): Series {
  const { points } = before
  // Seconds that were missed are gaps.
  const skip = missedBetween(before, second)
  if (skip < 0) return before
  if (skip >= points) return before
  const moved = (1 + skip) * 1_000
  const none = before.latency.bounds_milliseconds.map(() => 0).concat(0)
  return {
    ...before,
    as_of: second.as_of,
    starts_at: new Date(Date.parse(before.starts_at) + moved).toISOString(),
    figures: joinedColumns(before.figures as Columns, second.figures as Columns, skip, points) as Series['figures'],
    threads: joinedGroups(before.threads, second.threads, skip, points) as Series['threads'],
    lanes: joinedGroups(before.lanes, second.lanes, skip, points) as Series['lanes'],
    actions: joinedColumns(before.actions, second.actions, skip, points) as Series['actions'],
    refusals: joinedColumns(before.refusals, second.refusals, skip, points) as Series['refusals'],
    request_refusals: joinedColumns(
      before.request_refusals,
      second.request_refusals,
      skip,
      points,
    ) as Series['request_refusals'],
    latency: {
      ...before.latency,
      counts: [
        ...before.latency.counts.slice(1 + skip),
        ...new Array<number[]>(skip).fill(none),
        second.latency.counts[0] ?? none,
      ],
    },
  }
}

const missedAgainMs = 15_000

/**
 * Of ten minutes, each second is put to them as it comes; longer ranges are asked for again. What was asked for ends before the stream begins: where
 * seconds are missing in between, it is asked for once more, and what has come since is put to that; the same whenever the stream begins again. A busy
 * service leaves out seconds of the stream: the page asks for them together, every 15 seconds.
 */
export function useSeries(range: Range): Resource<Series> {
  const { seconds, points } = ranges[range]
  const asked = useResource(
    (signal) => ask(api.GET('/api/v1/installation/series', { params: { query: { seconds, points } }, signal })),
    [range],
    { everySeconds: range === '10min' ? 120 : 15 },
  )
  const [live, setLive] = useState<Series>()
  const shown = useRef<Series>(undefined)
  // Those that have come, the newest last.
  const came = useRef<Series[]>([])
  const isNewStream = useRef(true)
  const reloadedAt = useRef(0)

  const show = (past: Series | undefined, more: readonly Series[]): void => {
    let misses = false
    shown.current = more.reduce<Series | undefined>((before, second) => {
      if (before === undefined) return before
      const missed = missedBetween(before, second)
      misses ||= missed > 0
      // Nothing of what there is belongs beside it.
      if (missed >= points) isNewStream.current = true
      return joined(before, second)
    }, past)
    setLive(shown.current)
    if (!misses || !(isNewStream.current || performance.now() - reloadedAt.current > missedAgainMs)) return
    isNewStream.current = false
    reloadedAt.current = performance.now()
    asked.reload()
  }

  useEffect(() => {
    came.current = []
    isNewStream.current = true
    if (range !== '10min') return undefined
    return openLive({
      name: 'installation',
      path: () => '/api/v1/installation/stream',
      events: ['second'],
      take: ({ data }) => {
        const second = data as Series
        came.current.push(second)
        if (came.current.length > points) came.current.shift()
        show(shown.current, [second])
      },
      onBegin: () => {
        isNewStream.current = true
      },
    })
  }, [range])

  useEffect(() => show(asked.data, came.current), [asked.data])

  return range === '10min' && live !== undefined && asked.data !== undefined ? { ...asked, data: live } : asked
}
