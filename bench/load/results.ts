// The results of a run, in the shape in which they are written: what all processes counted, added up. Latencies are
// milliseconds, times seconds since the run began. Secrets are not in it.

import { addPairs, createHistogram, type Histogram, type Pairs, percentileMs } from '../generator/histogram.js'
import type { Machine } from '../machine.js'
import type { Options } from './options.js'
import type { Phase, ProcessResults, StormRound } from './protocol.js'
import type { SecondRow } from './seconds.js'

export interface Percentiles {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly p999: number
  readonly p9999: number
  readonly maximum: number
}

export interface MessageRow {
  readonly action: string
  readonly sent: number
  readonly answered: number
  readonly failed: number
  readonly ratePerSecond: number
  /** From the moment at which it should have left: what a charge point would have met. */
  readonly latencyMs: Percentiles
  /** From the moment at which it left: blind to everything that waited behind a stall. */
  readonly serviceTimeMs: Percentiles
}

export interface StormRow {
  readonly round: number
  /** From the cut to the last accepted BootNotification. */
  readonly seconds: number
  readonly booted: number
  readonly missing: number
  readonly latencyMs: Percentiles
}

export interface ErrorRow {
  readonly kind: string
  readonly phase: Phase
  readonly count: number
  readonly firstSecond: number
}

export interface ThresholdRow {
  readonly name: string
  readonly limit: string
  readonly measured: string
  readonly met: boolean
}

/** A point of a distribution: this share of the latencies, in percent, is at most so many milliseconds. */
export type DistributionPoint = readonly [percentile: number, milliseconds: number]

export interface Results {
  readonly tool: { readonly name: string; readonly version: string; readonly format: 1 }
  readonly date: string
  readonly machine: Machine
  readonly configuration: Readonly<Record<string, unknown>>
  /** Open: messages leave at their intended times, whatever the answers do. Closed: each waits for the answer before. */
  readonly loop: 'open' | 'closed'
  readonly endedBy: 'duration' | 'signal' | 'nobody connected' | 'a process died'
  readonly phases: readonly { readonly name: Phase; readonly from: number; readonly to: number }[]
  readonly summary: {
    readonly seconds: number
    readonly sent: number
    readonly answered: number
    readonly failed: number
    readonly ratePerSecond: number
    readonly targetRatePerSecond: number | null
    readonly errors: number
    readonly latencyMs: Percentiles
    readonly serviceTimeMs: Percentiles
  }
  readonly messages: readonly MessageRow[]
  readonly connecting: {
    readonly chargePoints: number
    readonly attempts: number
    readonly opened: number
    readonly boots: number
    readonly deferred: number
    readonly mostConnected: number
    readonly handshakeMs: Percentiles
    readonly readyMs: Percentiles
  }
  readonly storms: readonly StormRow[]
  readonly commandsAnswered: Readonly<Record<string, number>>
  readonly errors: readonly ErrorRow[]
  readonly seconds: readonly SecondRow[]
  readonly distribution: {
    readonly latencyMs: readonly DistributionPoint[]
    readonly serviceTimeMs: readonly DistributionPoint[]
  }
  readonly generator: {
    readonly processes: number
    /** CPU time of all threads over measured time, by process. */
    readonly cores: readonly number[]
    readonly roundTripsPerCpuSecond: number
    readonly lagMs: Percentiles
    /** Why the figures may be the tool's and not the server's. */
    readonly warnings: readonly string[]
  }
  readonly thresholds: readonly ThresholdRow[]
}

export interface Run {
  readonly options: Options
  readonly version: string
  readonly machine: Machine
  readonly date: string
  readonly endedBy: Results['endedBy']
  readonly phases: Results['phases']
  readonly processes: readonly ProcessResults[]
  readonly rounds: readonly (readonly StormRound[])[]
  readonly seconds: readonly SecondRow[]
}

/** Above this, at the 99th percentile, the tool is late often enough to be what is measured. */
const lagLimitMs = 10
/** Above this share of a core, one process cannot be relied on to be on time. */
const coreLimit = 0.95

function merged(all: readonly Pairs[]): Histogram {
  const histogram = createHistogram()
  for (const pairs of all) addPairs(histogram, pairs)
  return histogram
}

export function percentilesOf(histogram: Histogram): Percentiles {
  return {
    count: histogram.totalCount,
    mean: histogram.totalCount === 0 ? 0 : Math.round(histogram.mean) / 1000,
    p50: percentileMs(histogram, 50),
    p90: percentileMs(histogram, 90),
    p99: percentileMs(histogram, 99),
    p999: percentileMs(histogram, 99.9),
    p9999: percentileMs(histogram, 99.99),
    maximum: percentileMs(histogram, 100),
  }
}

/** Eight points in every half of what is left of the distribution, as HdrHistogram draws it. */
function distributionOf(histogram: Histogram): DistributionPoint[] {
  const points: DistributionPoint[] = []
  const total = histogram.totalCount
  if (total === 0) return points
  for (let halves = 0; 2 ** halves <= total; halves += 1 / 8) {
    const percentile = 100 * (1 - 2 ** -halves)
    points.push([percentile, percentileMs(histogram, percentile)])
  }
  points.push([100 * (1 - 1 / (2 * total)), percentileMs(histogram, 100)])
  return points
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0)
}

function errorRows(processes: readonly ProcessResults[]): ErrorRow[] {
  const rows = new Map<string, ErrorRow>()
  for (const error of processes.flatMap(({ errors }) => errors)) {
    const key = `${error.phase} ${error.kind}`
    const before = rows.get(key)
    rows.set(key, {
      ...error,
      count: error.count + (before?.count ?? 0),
      firstSecond: Math.min(error.firstSecond, before?.firstSecond ?? Number.POSITIVE_INFINITY),
    })
  }
  return [...rows.values()].sort((a, b) => b.count - a.count)
}

function stormRows(rounds: Run['rounds']): StormRow[] {
  return rounds.map((parts, index) => ({
    round: index + 1,
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
    booted: sum(parts, ({ booted }) => booted),
    missing: sum(parts, ({ missing }) => missing),
    latencyMs: percentilesOf(merged(parts.map(({ latency }) => latency))),
  }))
}

function warningsOf(run: Run, lag: Percentiles, cores: readonly number[]): string[] {
  const warnings: string[] = []
  if (lag.p99 > lagLimitMs) {
    warnings.push(
      `The tool was late: one message in a hundred left ${lag.p99.toFixed(1)} ms or more after its moment because of the tool itself. These figures are the tool's and not the server's. Use more --processes, a lower --rate, or a machine of its own.`,
    )
  }
  const busiest = Math.max(0, ...cores)
  if (busiest > coreLimit && run.options.rate !== 'max') {
    warnings.push(
      `The tool was at its limit: a process used ${(busiest * 100).toFixed(0)} % of a core. Use more --processes.`,
    )
  }
  if (busiest > coreLimit && run.options.rate === 'max') {
    warnings.push(
      `A process of the tool used ${(busiest * 100).toFixed(0)} % of a core: the rate may be the tool's limit and not the server's. Use more --processes to find out.`,
    )
  }
  return warnings
}

export function buildResults(run: Run): Omit<Results, 'thresholds'> {
  const { processes, options } = run
  const actions = [...new Set(processes.flatMap(({ messages }) => messages.map(({ action }) => action)))].sort()
  const seconds = Math.max(0, ...processes.map((one) => one.seconds))
  const rate = (count: number): number => (seconds === 0 ? 0 : count / seconds)
  const allLatency: Pairs[] = []
  const allServiceTime: Pairs[] = []
  const messages = actions.map((action): MessageRow => {
    const parts = processes.flatMap((one) => one.messages.filter((message) => message.action === action))
    const latency = parts.map((part) => part.latency)
    const serviceTime = parts.map((part) => part.serviceTime)
    allLatency.push(...latency)
    allServiceTime.push(...serviceTime)
    const answered = sum(parts, (part) => part.answered)
    return {
      action,
      sent: sum(parts, (part) => part.sent),
      answered,
      failed: sum(parts, (part) => part.failed),
      ratePerSecond: rate(answered),
      latencyMs: percentilesOf(merged(latency)),
      serviceTimeMs: percentilesOf(merged(serviceTime)),
    }
  })
  const latency = merged(allLatency)
  const serviceTime = merged(allServiceTime)
  const lag = percentilesOf(merged(processes.map((one) => one.lag)))
  const cores = processes.map((one) => (one.seconds === 0 ? 0 : one.cpuSeconds / one.seconds))
  const answered = sum(messages, (row) => row.answered)
  const cpuSeconds = sum(processes, (one) => one.cpuSeconds)
  const errors = errorRows(processes)
  const commandsAnswered: Record<string, number> = {}
  for (const [action, count] of processes.flatMap(({ commands }) => Object.entries(commands)))
    commandsAnswered[action] = (commandsAnswered[action] ?? 0) + count
  const connectingSum = (value: (one: ProcessResults['connecting']) => number): number =>
    sum(processes, ({ connecting }) => value(connecting))
  return {
    tool: { name: 'ampshard load', version: run.version, format: 1 },
    date: run.date,
    machine: run.machine,
    configuration: options.published,
    loop: options.rate === 'max' ? 'closed' : 'open',
    endedBy: run.endedBy,
    phases: run.phases,
    summary: {
      seconds,
      sent: sum(messages, (row) => row.sent),
      answered,
      failed: sum(messages, (row) => row.failed),
      ratePerSecond: rate(answered),
      targetRatePerSecond: typeof options.rate === 'number' ? options.rate : null,
      errors: sum(
        errors.filter(({ phase }) => phase !== 'warm-up'),
        ({ count }) => count,
      ),
      latencyMs: percentilesOf(latency),
      serviceTimeMs: percentilesOf(serviceTime),
    },
    messages,
    connecting: {
      chargePoints: options.identities.length,
      attempts: connectingSum((one) => one.attempts),
      opened: connectingSum((one) => one.opened),
      boots: connectingSum((one) => one.boots),
      deferred: connectingSum((one) => one.deferred),
      mostConnected: run.seconds.reduce((most, { connected }) => Math.max(most, connected), 0),
      handshakeMs: percentilesOf(merged(processes.map(({ connecting }) => connecting.handshake))),
      readyMs: percentilesOf(merged(processes.map(({ connecting }) => connecting.ready))),
    },
    storms: stormRows(run.rounds),
    commandsAnswered,
    errors,
    seconds: run.seconds,
    distribution: { latencyMs: distributionOf(latency), serviceTimeMs: distributionOf(serviceTime) },
    generator: {
      processes: processes.length,
      cores,
      roundTripsPerCpuSecond: cpuSeconds === 0 ? 0 : answered / cpuSeconds,
      lagMs: lag,
      warnings: warningsOf(run, lag, cores),
    },
  }
}
