// `npm run sim`: many worlds, each out of a seed of its own, or one of them again with everything that happened in it.

import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { Piscina } from 'piscina'
import { type Fault, faultNames } from './faults.js'
import { runMutants } from './mutants/run.js'
import { invariants } from './oracle/verdict.js'
import type { SeedTask } from './seed-task.js'
import { addResult, emptyTotals } from './totals.js'
import { runWorld, type WorldResult } from './world.js'

function positive(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 up is needed')
  return value
}

function faultList(text: string): Fault[] {
  const names = text.split(',')
  const wrong = names.find((name) => !faultNames.includes(name as Fault))
  if (wrong !== undefined)
    throw new InvalidArgumentError(`there is no fault ${wrong}; there are ${faultNames.join(', ')}`)
  return names as Fault[]
}

interface Options {
  readonly seed?: number
  readonly from: number
  readonly seeds: number
  readonly chargePoints: number
  readonly minutes: number
  readonly workers: number
  readonly faults?: readonly Fault[]
  readonly trace?: true
  readonly mutants?: true
}

const command = new Command('sim')
  .description('Runs the service in simulated time, with everything that can go wrong, and checks what it promises.')
  .option('--seed <number>', 'this seed alone', positive)
  .option('--from <number>', 'the first seed', positive, 1)
  .option('--seeds <count>', 'how many seeds', positive, 1_000)
  .option('--charge-points <count>', 'charge points of each world', positive, 200)
  .option('--minutes <count>', 'simulated minutes of each world', positive, 10)
  .option('--workers <count>', 'threads that run seeds', positive, availableParallelism())
  .option('--faults <names>', 'of the troubles that a seed has only these, comma-separated', faultList)
  .option('--trace', 'with --seed: print every frame and every trouble')
  .option('--mutants', 'plant known bugs, one at a time, and find out by which seed each is caught')
  .parse()

const options = command.opts<Options>()
const { chargePoints, minutes, faults } = options
const worldOf = (seed: number): SeedTask => ({ seed, chargePoints, minutes, ...(faults !== undefined && { faults }) })

/** The one line that runs this world again. */
function replayOf(seed: number): string {
  const others = [
    ...(chargePoints === 200 ? [] : [`--charge-points=${chargePoints}`]),
    ...(minutes === 10 ? [] : [`--minutes=${minutes}`]),
    ...(faults === undefined ? [] : [`--faults=${faults.join(',')}`]),
  ]
  return `npm run sim -- ${[`--seed=${seed}`, ...others].join(' ')}`
}

function showFailure({ seed, violations, atMs }: WorldResult): void {
  console.log(`\nseed ${seed} failed after ${(atMs / 1_000).toFixed(1)} simulated seconds:`)
  for (const { invariant, wrong } of violations) console.log(`  ${invariant}: ${wrong}`)
  console.log(`  again: ${replayOf(seed)}`)
}

async function runOne(seed: number): Promise<boolean> {
  const result = await runWorld({
    ...worldOf(seed),
    ...(faults === undefined ? { faults: new Set<string>(faultNames) } : { faults: new Set<string>(faults) }),
    ...(options.trace === true && { trace: (line) => console.log(line) }),
  })
  const totals = addResult(emptyTotals(), result)
  console.log(totals.describe())
  const troubles = Object.entries(result.rates).filter(([, rate]) => rate > 0)
  console.log(`troubles: ${troubles.map(([name, rate]) => `${name} ${rate.toPrecision(2)}`).join(', ') || 'none'}`)
  if (result.violations.length > 0) showFailure(result)
  return result.violations.length === 0
}

async function runMany(from: number, count: number): Promise<boolean> {
  const pool = new Piscina<SeedTask, WorldResult>({
    filename: new URL('./seed-task.js', import.meta.url).href,
    name: 'runSeed',
    minThreads: options.workers,
    maxThreads: options.workers,
    concurrentTasksPerWorker: 1,
    // Worlds make much garbage and keep little.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
  })
  const startedAt = performance.now()
  let totals = emptyTotals()
  let failed = 0
  let next = from
  async function work(): Promise<void> {
    while (next < from + count) {
      const result = await pool.run(worldOf(next++))
      totals = addResult(totals, result)
      if (result.violations.length > 0 && ++failed <= 10) showFailure(result)
      if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${totals.seeds} of ${count} seeds, ${failed} failed`)
      else if (totals.seeds % 100 === 0) console.log(`${totals.seeds} of ${count} seeds, ${failed} failed`)
    }
  }
  await Promise.all(Array.from({ length: options.workers }, work))
  await pool.destroy()
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`\n${totals.describe()}`)
  console.log('\nchecks by invariant:')
  for (const [name, meaning] of Object.entries(invariants))
    console.log(`  ${String(totals.checks(name)).padStart(12)}  ${name}: ${meaning}`)
  const rate = (totals.seeds / seconds).toFixed(1)
  console.log(
    `\n${totals.seeds} seeds in ${seconds.toFixed(1)} s, ${rate} seeds a second, ` +
      `${totals.allChecks} invariants checked, ${failed} seeds failed`,
  )
  return failed === 0
}

const good =
  options.mutants === true
    ? await runMutants({ seeds: options.seeds, workers: options.workers })
    : options.seed === undefined
      ? await runMany(options.from, options.seeds)
      : await runOne(options.seed)
process.exitCode = good ? 0 : 1
