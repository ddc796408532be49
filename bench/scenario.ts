// What a scenario is, and the bench that it runs in. A scenario measures one question on one server at a time.

import type { StoreWriter } from '../src/runtime/store/storage/store-writer.js'
import type { Generator } from './generator/generator.js'
import type { GeneratorReport } from './generator/protocol.js'
import type { Installation } from './seeded-data.js'
import type { ServerProcess, Usage } from './servers/server-process.js'
import type { SubjectName } from './servers/subjects.js'

export interface Measurement {
  readonly metric: string
  readonly value: number
  readonly unit: string
}

/** What ampshard has to reach: a number, or a multiple of what another server of the same run was measured at. */
export interface Target {
  readonly metric: string
  readonly is: 'at most' | 'at least'
  readonly value: number
  readonly timesSubject?: SubjectName
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly subjects: readonly SubjectName[]
  /** Why it cannot be measured here, if it cannot. */
  readonly missing?: () => string | undefined
  /** The sizes that it ran with go into the results. */
  readonly parameters: (quick: boolean) => Readonly<Record<string, number>>
  readonly targets: readonly Target[]
  readonly run: (
    bench: Bench,
    subject: SubjectName,
    parameters: Readonly<Record<string, number>>,
  ) => Promise<readonly Measurement[]>
}

export interface StartedServer {
  readonly process: ServerProcess
  readonly key: string
  /** The ids of the charge points are the prefix and a number from 0 up. */
  readonly prefix: string
}

/** What is made before the server starts that is measured. */
export interface Preparation {
  /** Of each charge point; 10 unless given. */
  readonly connectors?: number
  /** By the API, when the charge points are registered. */
  prepare?(server: StartedServer): Promise<void>
  /** Into the store, while no server runs; `prefix` is that of the ids of charge points. */
  write?(store: StoreWriter, prefix: string): Promise<void>
}

export interface Bench {
  /** Starts the server afresh with so many charge points registered, if it wants them registered. */
  start(subject: SubjectName, chargePoints: number, preparation?: Preparation): Promise<StartedServer>
  /** Starts ampshard on a data directory with this many rows; undefined when nothing here can make one. */
  startSeeded(installation: Installation): Promise<StartedServer | undefined>
  /** Stops a server before the scenario ends; what is still running then is stopped anyway. */
  stop(server: StartedServer): Promise<void>
  generator(): Generator
  /** A step with a known end, or without one. */
  step<T>(label: string, total: number, work: (progress: (done: number) => void) => Promise<T>): Promise<T>
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** A measured stretch of time: what the generator did in it and what the server spent. */
export interface Stretch {
  readonly report: GeneratorReport
  readonly cpuMicrosecondsPerRoundTrip: number
  readonly serverCores: number
}

export function stretch(report: GeneratorReport, before: Usage, after: Usage): Stretch {
  const cpuMs = after.cpuMs - before.cpuMs
  return {
    report,
    cpuMicrosecondsPerRoundTrip: report.completed === 0 ? Number.NaN : (cpuMs * 1000) / report.completed,
    serverCores: cpuMs / 1000 / report.seconds,
  }
}

/** Fails the scenario when the load itself went wrong: a number made of errors is worse than none. */
export function demandClean(report: GeneratorReport, what: string): void {
  if (report.failed > 0) {
    const total = report.completed + report.failed
    throw new Error(`${what}: ${report.failed} of ${total} failed, the first with: ${report.failure}`)
  }
}

export const milliseconds = (metric: string, value: number): Measurement => ({ metric, value, unit: 'ms' })

/** The four numbers that every closed loop yields. */
export function closedLoopMeasurements(measured: Stretch): Measurement[] {
  const { report } = measured
  return [
    { metric: 'CPU per round trip', value: measured.cpuMicrosecondsPerRoundTrip, unit: 'us' },
    { metric: 'round trips', value: report.completed / report.seconds, unit: '/s' },
    milliseconds('latency p50', report.latency.p50),
    milliseconds('latency p99', report.latency.p99),
    { metric: 'server cores', value: measured.serverCores, unit: 'cores' },
    { metric: 'generator cores', value: report.cpuSeconds / report.seconds, unit: 'cores' },
  ]
}
