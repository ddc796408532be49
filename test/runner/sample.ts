// Parts of test files that only the full suite runs. The gate tests a sample of a large set: another sample for each commit.
// TEST_SEED repeats the sample of a failed run (the runner sets it to the id of the commit). TEST_FULL=1 tests everything.

import { createHash } from 'node:crypto'
import { isFullRun } from './results.js'

interface Choice {
  readonly seed: string
  readonly isFull: boolean
}

/** The seed and the size that this run has from its environment. */
const choiceOfRun: Choice = { seed: process.env.TEST_SEED ?? 'ampshard', isFull: isFullRun }

/** Options of a test that the gate skips. */
export const inFullSuite = isFullRun ? {} : { skip: 'part of the full suite (TEST_FULL=1)' }

const rankOf = (seed: string, name: string, at: number): string =>
  createHash('sha256').update(`${seed} ${name} ${at}`).digest('hex')

/**
 * Picks `count` elements, all of them in a full run, in the order of the list. `name` separates the samples of one seed from
 * each other. `comment` prints a sample, with the words that repeat it.
 */
export function sample<Element>(
  name: string,
  list: readonly Element[],
  { count = 1, choice = choiceOfRun, comment }: SampleOptions = {},
): readonly Element[] {
  const { seed, isFull } = choice
  if (isFull || count >= list.length) return list
  const ranked = list.map((_, at) => ({ at, rank: rankOf(seed, name, at) }))
  const picked = new Set(
    ranked
      .sort((one, other) => (one.rank < other.rank ? -1 : 1))
      .slice(0, count)
      .map(({ at }) => at),
  )
  const found = list.filter((_, at) => picked.has(at))
  comment?.(`sample of ${name}: ${JSON.stringify(found)}; TEST_SEED=${seed} repeats it, TEST_FULL=1 tests all`)
  return found
}

interface SampleOptions {
  readonly count?: number
  /** That of the run, unless a test of samples has its own. */
  readonly choice?: Choice
  readonly comment?: (text: string) => void
}
