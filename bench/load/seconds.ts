// The run second by second: ticks of all processes added up, for the live view and for the charts.

import { addPairs, createHistogram, percentileMs } from '../generator/histogram.js'
import type { Phase, Tick } from './protocol.js'

export interface SecondRow {
  /** Since the run began; the row is of the second that begins here. */
  readonly second: number
  readonly phase: Phase
  readonly connected: number
  readonly booted: number
  readonly waiting: number
  readonly sent: number
  readonly answered: number
  readonly errors: number
  /** Milliseconds; null when nothing was answered. */
  readonly p50: number | null
  readonly p90: number | null
  readonly p99: number | null
  readonly maximum: number | null
  /** By how much the tool itself was late, at worst. */
  readonly lagMs: number
  readonly generatorCores: number
}

export interface Seconds {
  add(tick: Tick, phase: Phase): void
  rows(): SecondRow[]
  /** Those of which every process has told, the oldest first. */
  told(): SecondRow[]
  /** The newest second of which every process has told. */
  latest(): SecondRow | undefined
}

export function createSeconds(processes: number): Seconds {
  const ticks = new Map<number, { phase: Phase; readonly ticks: Tick[] }>()
  const finished = new Map<number, SecondRow>()
  let newest: number | undefined

  function row(second: number, phase: Phase, parts: readonly Tick[]): SecondRow {
    const sum = (value: (tick: Tick) => number): number => parts.reduce((total, tick) => total + value(tick), 0)
    const histogram = createHistogram(2)
    for (const { latency } of parts) addPairs(histogram, latency)
    const at = (percentile: number): number | null =>
      histogram.totalCount === 0 ? null : percentileMs(histogram, percentile)
    return {
      second,
      phase,
      connected: sum((tick) => tick.connected),
      booted: sum((tick) => tick.booted),
      waiting: sum((tick) => tick.waiting),
      sent: sum((tick) => tick.sent),
      answered: sum((tick) => tick.answered),
      errors: sum((tick) => tick.errors),
      p50: at(50),
      p90: at(90),
      p99: at(99),
      maximum: at(100),
      lagMs: parts.reduce((most, tick) => Math.max(most, tick.latestLagMs), 0),
      generatorCores: sum((tick) => tick.cpuSeconds),
    }
  }

  function finish(second: number): void {
    const entry = ticks.get(second)
    if (entry === undefined) return
    ticks.delete(second)
    finished.set(second, row(second, entry.phase, entry.ticks))
    newest = Math.max(newest ?? second, second)
  }

  const told = (): SecondRow[] => [...finished.values()].sort((a, b) => a.second - b.second)

  return {
    add(tick, phase) {
      const entry = ticks.get(tick.second) ?? { phase, ticks: [] }
      ticks.set(tick.second, entry)
      entry.ticks.push(tick)
      if (entry.ticks.length >= processes) finish(tick.second)
    },
    rows() {
      // A process that died, or a stall, leaves seconds that not everybody has told of.
      for (const second of ticks.keys()) finish(second)
      return told()
    },
    told,
    latest: () => (newest === undefined ? undefined : finished.get(newest)),
  }
}
