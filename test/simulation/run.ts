// `npm run sim`: many worlds, each out of a seed of its own, or one of them again with everything that happened in it.

import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { Piscina } from 'piscina'
import { wholeNumber } from '../../src/process/commands.js'
import { type Aspect, aspectNames } from './aspects.js'
import { type Fault, type FaultRates, faultNames } from './faults.js'
import { mutants } from './mutants/mutants.js'
import { runMutants } from './mutants/run.js'
import { invariants } from './oracle/verdict.js'
import { replayOf, usualWorld } from './replay.js'
import type { SeedTask } from './seed-task.js'
import { addResult, emptyTotals } from './totals.js'
import { runWorld, type WorldResult } from './world.js'

const positive = wholeNumber(1)

/** Comma-separated names out of a list. */
function namesOf<Name extends string>(kind: string, known: readonly Name[]): (text: string) => Name[] {
  return (text) => {
    const names = text.split(',')
    const wrong = names.find((name) => !known.includes(name as Name))
    if (wrong !== undefined)
      throw new InvalidArgumentError(`there is no ${kind} ${wrong}; there are ${known.join(', ')}`)
    return names as Name[]
  }
}

const faultList = namesOf('fault', faultNames)
const aspectList = (text: string): Aspect[] => (text === 'none' ? [] : namesOf('aspect', aspectNames)(text))

/** `2/3`: the second of three. */
interface Share {
  readonly number: number
  readonly of: number
}

function share(text: string): Share {
  const [, number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number)
  if (number < 1 || number > of) throw new InvalidArgumentError('a share is as 2/3 is, the second of three')
  return { number, of }
}

function rateList(text: string): Partial<FaultRates> {
  const pairs = text.split(',').map((pair) => pair.split('=') as [string, string])
  faultList(pairs.map(([name]) => name).join(','))
  if (pairs.some(([, rate]) => !(Number(rate) >= 0)))
    throw new InvalidArgumentError('each fault needs a rate: name=0.1')
  return Object.fromEntries(pairs.map(([name, rate]) => [name, Number(rate)]))
}

interface Options {
  readonly seed?: number
  readonly from: number
  readonly seeds: number
  readonly chargePoints: number
  readonly minutes: number
  readonly workers: number
  readonly faults?: readonly Fault[]
  readonly aspects?: readonly Aspect[]
  readonly rates?: Partial<FaultRates>
  readonly trace?: true
  readonly mutants?: true | string
  readonly record?: true
  readonly share?: Share
  readonly sound: number
}

const command = new Command('sim')
  .description('Runs the service in simulated time, with everything that can go wrong, and checks what it promises.')
  .option('--seed <number>', 'this seed alone', positive)
  .option('--from <number>', 'the first seed', positive, 1)
  .option('--seeds <count>', 'how many seeds', positive, 1_000)
  .option('--charge-points <count>', 'charge points of each world', positive, usualWorld.chargePoints)
  .option('--minutes <count>', 'simulated minutes of each world', positive, usualWorld.minutes)
  .option('--workers <count>', 'threads that run seeds', positive, availableParallelism())
  .option('--faults <names>', 'of the troubles that a seed has only these, comma-separated', faultList)
  .option('--aspects <names>', 'have these beside charge points, instead of what the seed decides, or none', aspectList)
  .option('--rates <name=rate>', 'have these troubles, instead of those that the seed draws, comma-separated', rateList)
  .option('--trace', 'with --seed: print every frame and every trouble')
  .option('--mutants [names]', 'plant known bugs, one at a time, and see that each is caught')
  .option('--share <number/of>', 'with --mutants: plant one of so many equal shares of them, such as 2/3', share)
  .option('--record', 'with --mutants: write down the seeds that were found by searching')
  .option(
    '--sound <count>',
    'with --mutants: the usual worlds of the first so many seeds are known to be good without a bug',
    positive,
    0,
  )
  .parse()

const options = command.opts<Options>()
const { chargePoints, minutes, faults, aspects, rates } = options
const worldOf = (seed: number): SeedTask => ({
  seed,
  chargePoints,
  minutes,
  ...(faults !== undefined && { faults }),
  ...(aspects !== undefined && { aspects }),
  ...(rates !== undefined && { rates }),
})

function showFailure({ seed, violations, atMs }: WorldResult): void {
  console.log(`\nseed ${seed} failed after ${(atMs / 1_000).toFixed(1)} simulated seconds:`)
  for (const { invariant, wrong } of violations) console.log(`  ${invariant}: ${wrong}`)
  console.log(`  again: ${replayOf(worldOf(seed))}`)
}

async function runOne(seed: number): Promise<boolean> {
  const result = await runWorld({
    ...worldOf(seed),
    ...(options.trace === true && { trace: (line) => console.log(line) }),
  })
  const totals = addResult(emptyTotals(), result)
  console.log(totals.describe())
  const troubles = Object.entries(result.rates).filter(([, rate]) => rate > 0)
  console.log(`troubles: ${troubles.map(([name, rate]) => `${name} ${rate.toPrecision(2)}`).join(', ') || 'none'}`)
  if (result.violations.length > 0) showFailure(result)
  return result.violations.length === 0
}

function createPool(): Piscina<SeedTask, WorldResult> {
  return new Piscina({
    filename: new URL('./seed-task.js', import.meta.url).href,
    name: 'runSeed',
    minThreads: options.workers,
    maxThreads: options.workers,
    concurrentTasksPerWorker: 1,
    // Worlds make much garbage and keep little.
    resourceLimits: { maxYoungGenerationSizeMb: 192 },
  })
}

async function runMany(from: number, count: number): Promise<boolean> {
  const pool = createPool()
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

/** What is known of a world need not be found out again. */
function isKnownSound(world: SeedTask): boolean {
  return world.seed <= options.sound && replayOf(world) === replayOf({ ...usualWorld, seed: world.seed })
}

async function plantAll(names: string | true): Promise<boolean> {
  const pool = createPool()
  const { number, of } = options.share ?? { number: 1, of: 1 }
  const all = names === true ? mutants.map(({ name }) => name) : names.split(',')
  const good = await runMutants({
    only: all.filter((_, at) => at % of === number - 1),
    seeds: options.seeds,
    workers: options.workers,
    record: options.record === true,
    runSound: (world) => (isKnownSound(world) ? Promise.resolve({ violations: [] }) : pool.run(world)),
    say: console.log,
  })
  await pool.destroy()
  return good
}

async function run(): Promise<boolean> {
  if (options.mutants !== undefined) return plantAll(options.mutants)
  return options.seed === undefined ? runMany(options.from, options.seeds) : runOne(options.seed)
}

process.exitCode = (await run()) ? 0 : 1
