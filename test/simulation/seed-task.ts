// One seed, as a task of a worker pool: only plain values go in and out.

import { runWorld, type WorldOptions, type WorldResult } from './world.js'

export type SeedTask = Omit<WorldOptions, 'trace' | 'faults'> & { readonly faults?: readonly string[] }

export function runSeed({ faults, ...options }: SeedTask): Promise<WorldResult> {
  return runWorld({ ...options, ...(faults !== undefined && { faults: new Set(faults) }) })
}
