// How long something is good that was made at some time of the wall clock. The time is that of the clock and not that of an id: ids only grow, also after
// a clock that was ahead has been put right.

/** By how much the clock may be put back without ending what was made just before. */
const putBackMs = 60_000

/** Something that is good for a while. */
export interface Made {
  /** Wall ms. */
  readonly made_at: number
}

/** False for what is to be made only in the future: it was made by a clock that was ahead. */
export function isYoungerThan(milliseconds: number, { made_at }: Made, now: number): boolean {
  return made_at <= now + putBackMs && now < made_at + milliseconds
}
