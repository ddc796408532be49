// What a chaos scenario is, and how one is run: a seed, a directory of its own, services that end with it, and what it
// found. A directory is kept when something was found in it.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom, type Random } from '../../bench/client/random.js'
import { type Service, startService } from '../support/service.js'

export type SizeName = 'small' | 'full'
export type Figures = Readonly<Record<string, number | string>>

export interface ChaosContext {
  readonly random: Random
  /** The ledger of what was acknowledged; beside the service's data, never in it. */
  readonly ledgerFile: string
  /** A directory of the run's own, for what a scenario needs beside the service's data. */
  readonly directory: string
  /** Of a scenario of several parts, those that are wanted; all without it. */
  readonly parts: readonly string[] | undefined
  /** Starts the service, or starts it again on the same data with the same key. */
  service(flags?: readonly string[], place?: ServicePlace): Promise<Service>
  /** A promise of the service that does not hold. */
  violation(text: string): void
  /** Tells whoever watches how far it is. */
  progress(text: string): void
  /** A line of a table that grows while the scenario goes on. */
  note(text: string): void
  /** Whether such a table is for a document. */
  readonly markdown: boolean
  /** Runs when the scenario has ended, the last one first. */
  teardown(handler: () => void | Promise<void>): void
}

/** Where a service runs, when that is part of the fault. */
export interface ServicePlace {
  /** In place of the run's data directory. */
  readonly data?: string
  readonly environment?: Readonly<Record<string, string>>
}

export interface Scenario {
  readonly name: string
  /** What holds under this fault, in one line. */
  readonly promise: string
  run(context: ChaosContext, size: SizeName, rounds: number | undefined): Promise<Figures>
}

/** A scenario with its two sizes; `rounds` of a command line takes the place of the size's own. */
export function defineScenario<Size extends { readonly rounds: number }>(scenario: {
  readonly name: string
  readonly promise: string
  readonly sizes: Readonly<Record<SizeName, Size>>
  readonly run: (context: ChaosContext, size: Size) => Promise<Figures>
}): Scenario {
  return {
    name: scenario.name,
    promise: scenario.promise,
    run: (context, size, rounds) =>
      scenario.run(context, { ...scenario.sizes[size], ...(rounds !== undefined && { rounds }) }),
  }
}

export interface RunOptions {
  readonly size: SizeName
  readonly seed: number
  readonly rounds?: number | undefined
  readonly parts?: readonly string[] | undefined
  readonly progress?: (text: string) => void
  readonly note?: (text: string) => void
  readonly markdown?: boolean
}

export interface ScenarioResult {
  readonly name: string
  readonly figures: Figures
  readonly violations: readonly string[]
  readonly seconds: number
  /** Where the data, the ledger and the services' output are; only kept after violations. */
  readonly directory: string | undefined
}

const listedViolations = 50

export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const startedAt = performance.now()
  const directory = mkdtempSync(join(tmpdir(), `ampshard-chaos-${scenario.name}-`))
  const data = join(directory, 'data')
  mkdirSync(data)
  const random = createRandom(options.seed)
  const key = `chaos-${'0'.repeat(32)}-${options.seed}`
  const violations: string[] = []
  const teardowns: (() => void | Promise<void>)[] = []
  const started: Service[] = []
  const context: ChaosContext = {
    random,
    ledgerFile: join(directory, 'ledger.jsonl'),
    directory,
    parts: options.parts,
    async service(flags = [], place = {}) {
      const teardown = { teardown: (handler: () => Promise<void>) => void teardowns.push(handler) }
      const service = await startService(teardown, { data, key, flags, ...place })
      started.push(service)
      return service
    },
    violation(text) {
      if (violations.length < listedViolations) violations.push(text)
    },
    progress: options.progress ?? (() => {}),
    note: options.note ?? (() => {}),
    markdown: options.markdown ?? false,
    teardown: (handler) => void teardowns.push(handler),
  }
  let figures: Figures = {}
  try {
    figures = await scenario.run(context, options.size, options.rounds)
  } catch (error) {
    context.violation(`the scenario could not go on: ${error instanceof Error ? error.stack : String(error)}`)
  }
  for (const handler of teardowns.reverse()) await handler()
  const kept = violations.length > 0
  if (kept) {
    writeFileSync(join(directory, 'violations.txt'), `seed ${options.seed}\n${violations.join('\n')}\n`)
    for (const [at, service] of started.entries()) writeFileSync(join(directory, `service-${at}.log`), service.output())
  } else rmSync(directory, { recursive: true, force: true })
  return {
    name: scenario.name,
    figures,
    violations,
    seconds: (performance.now() - startedAt) / 1_000,
    directory: kept ? directory : undefined,
  }
}

/** Between the two, by the scenario's own randomness. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1))
}

export function oneOf<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)] as Value
}

/** The value below which `share` of the values lie; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
