// One seed, as a task of a worker pool: only plain values go in and out.

import { runWorld, type WorldOptions, type WorldResult } from './world.js'

export type SeedTask = Omit<WorldOptions, 'trace'>

export function runSeed(world: SeedTask): Promise<WorldResult> {
  return runWorld(world)
}
