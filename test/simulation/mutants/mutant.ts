// What a planted bug is, and what is recorded with it of how it was caught.

import type { Invariant } from '../oracle/verdict.js'
import { usualWorld } from '../replay.js'
import type { WorldOptions } from '../world.js'

/** A text in a source, which occurs once in it. */
interface Edit {
  readonly find: string
  readonly replace: string
}

/** What is planted, wherever that is. */
export interface PlantedBug extends Edit {
  readonly name: string
  /** What the bug is, as a reviewer would put it. */
  readonly bug: string
  /** The source, from the project's root. */
  readonly file: string
  /** A second line of it, where the bug is not one alone. */
  readonly also?: Edit
}

/** One that the simulation has to catch. */
export interface Mutant extends PlantedBug {
  /** What has to fail. */
  readonly caughtBy: Invariant
  /** The worlds in which it shows, where those are not the usual ones. */
  readonly world?: MutantWorld
  /** The one that has caught it, which is tried first. It is a hint alone: it proves nothing. */
  readonly seed: number
}

export type MutantWorld = Partial<Pick<WorldOptions, 'chargePoints' | 'minutes' | 'aspects' | 'rates'>>

export function worldOf({ world }: Pick<Mutant, 'world'>, seed: number): WorldOptions {
  return { ...usualWorld, ...world, seed }
}
