// `npm run sim -- --mutants`: plants every bug, each in a process of its own, and has it caught: by the seed that is recorded with it,
// or else by searching. A seed counts when its world is good without the bug, and breaks the invariant that the bug names with it.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { replayOf } from '../replay.js'
import type { WorldOptions, WorldResult } from '../world.js'
import { type Mutant, worldOf } from './mutant.js'
import { mutants } from './mutants.js'
import { createPlanter, type Planter } from './plant.js'
import { recordSeed } from './record-seed.js'

export interface MutantOptions {
  /** Of these names. */
  readonly only: readonly string[]
  /** How many seeds each is given. */
  readonly seeds: number
  readonly workers: number
  /** Writes down the seeds that were found by searching. */
  readonly record: boolean
  /** Runs a world with nothing planted. */
  readonly runSound: (world: WorldOptions) => Promise<Pick<WorldResult, 'violations'>>
  readonly say: (line: string) => void
}

const program = fileURLToPath(new URL('./find.js', import.meta.url))
const runFile = promisify(execFile)

/** Says what caught each; true when every one was caught. */
export async function runMutants(options: MutantOptions): Promise<boolean> {
  const { only, workers, say } = options
  const chosen = mutants.filter(({ name }) => only.includes(name))
  const waiting = [...chosen]
  const isSound = soundness(options)
  const planter = await createPlanter(chosen)
  const seedThatCatches = catching(planter)
  let caught = 0
  async function work(): Promise<void> {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const seed =
        (await tryHint(mutant, isSound, seedThatCatches)) ?? (await search(mutant, options, isSound, seedThatCatches))
      if (seed !== undefined) caught++
      say(report(mutant, seed))
      if (seed !== undefined && seed !== mutant.seed && options.record) recordSeed(mutant, seed)
    }
  }
  try {
    await Promise.all(Array.from({ length: workers }, work))
  } finally {
    await planter.end()
  }
  say(`\n${caught} of ${chosen.length} planted bugs were caught`)
  return chosen.length > 0 && caught === chosen.length
}

function report({ name, bug, caughtBy, seed: hint }: Mutant, seed: number | undefined): string {
  if (seed === undefined) return `NOT CAUGHT: ${name}: ${bug}`
  const stale = seed === hint ? '' : `; its recorded seed ${hint} does not any more: write down seed: ${seed}`
  return `seed ${seed} catches ${name} (${caughtBy})${stale}`
}

type Soundness = (world: WorldOptions) => Promise<boolean>

/** Whether a world is good without any planted bug: found out once, however many bugs it has caught. */
function soundness({ runSound, say }: MutantOptions): Soundness {
  const known = new Map<string, Promise<boolean>>()
  async function find(world: WorldOptions): Promise<boolean> {
    const { violations } = await runSound(world)
    const [violation] = violations
    if (violation === undefined) return true
    say(`without a planted bug, ${violation.invariant}: ${violation.wrong}\n  again: ${replayOf(world)}`)
    return false
  }
  return (world) => {
    const key = JSON.stringify(world)
    const found = known.get(key) ?? find(world)
    known.set(key, found)
    return found
  }
}

async function tryHint(mutant: Mutant, isSound: Soundness, seedThatCatches: Catching): Promise<number | undefined> {
  const seed = await seedThatCatches(mutant, mutant.seed, 1)
  return seed !== undefined && (await isSound(worldOf(mutant, seed))) ? seed : undefined
}

async function search(
  mutant: Mutant,
  { seeds }: MutantOptions,
  isSound: Soundness,
  seedThatCatches: Catching,
): Promise<number | undefined> {
  for (let first = 1; first <= seeds; ) {
    const seed = await seedThatCatches(mutant, first, seeds + 1 - first)
    if (seed === undefined || (await isSound(worldOf(mutant, seed)))) return seed
    first = seed + 1
  }
  return undefined
}

type Catching = (mutant: Mutant, first: number, count: number) => Promise<number | undefined>

const catching =
  (planter: Planter): Catching =>
  (mutant, first, count) =>
    planter.with(mutant, async (file) => {
      const { stdout } = await runFile(process.execPath, [program, mutant.name, file, String(first), String(count)])
      return (JSON.parse(stdout) as { readonly seed?: number }).seed
    })
