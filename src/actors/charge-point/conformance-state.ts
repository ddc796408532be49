// What the actor remembers of what its charge point does against the standard: read at the first rule that it breaks, and written once a minute at most.

import type { Conformance } from '../../records/conformance.js'
import type { StoredDeviation } from '../../records/deviation.js'

export interface Counted {
  /** The sums of all, and whether they were noted since they changed. */
  row: Conformance
  isNoted: boolean
  /** By rule, action and path. */
  readonly deviations: Map<string, StoredDeviation>
  /** Of these, what was not noted since it changed. */
  readonly unnoted: Set<string>
  /** What was noted for the first time, out of turn, less than a minute ago: it waits for the turn after the next. */
  readonly early: Set<string>
}

export interface ConformanceState {
  /** Undefined until it has broken a rule. */
  counted: Counted | undefined
  /** It was noted less than a minute ago: a timer ends that. */
  rests: boolean
}

export function emptyConformance(): ConformanceState {
  return { counted: undefined, rests: false }
}
