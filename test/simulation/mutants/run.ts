// `npm run sim -- --mutants`: every planted bug, each in a process of its own, and the table of the seeds that caught them.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Violation } from '../oracle/verdict.js'
import { type Mutant, mutants } from './mutants.js'

export interface MutantOptions {
  /** How many seeds each is given. */
  readonly seeds: number
  readonly workers: number
}

interface Caught {
  readonly seed?: number
  readonly violation?: Violation
}

const program = fileURLToPath(new URL('./find.js', import.meta.url))
const runFile = promisify(execFile)

/** Prints a table in Markdown; true when every one was caught. */
export async function runMutants({ seeds, workers }: MutantOptions): Promise<boolean> {
  const caught = new Map<Mutant, Caught>()
  const waiting = [...mutants]
  async function work(): Promise<void> {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const { stdout } = await runFile(process.execPath, [program, mutant.name, String(seeds)])
      caught.set(mutant, JSON.parse(stdout) as Caught)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  console.log('| planted bug | seed | caught by |\n|---|---|---|')
  for (const mutant of mutants) {
    const { seed, violation } = caught.get(mutant) ?? {}
    console.log(`| ${mutant.bug} (\`${mutant.name}\`) | ${seed ?? 'none'} | ${violation?.invariant ?? 'NOT CAUGHT'} |`)
  }
  const missed = mutants.filter((mutant) => caught.get(mutant)?.violation === undefined)
  console.log(`\n${mutants.length - missed.length} of ${mutants.length} planted bugs were caught`)
  return missed.length === 0
}
