// When parts of streams are written: in slices of a few milliseconds. One event wakes every stream of its organization, and one that has many
// of them would hold up everybody else of its front at each.

import { createSlices, type Slices } from '../../runtime/actor/slices.js'
import type { Clock } from '../../runtime/clock.js'
import { limits } from './limits.js'

export interface StreamParts {
  /** Writes the next part of a stream when it has its turn. */
  add(write: () => void): void
}

export function createStreamParts(clock: Pick<Clock, 'monotonic'>, later: (run: () => void) => void): StreamParts {
  const slices: Slices<() => void> = createSlices({
    clock,
    sliceMs: limits.requestSliceMs,
    runActor: (write: () => void) => write(),
    ended() {},
    again: () => later(slices.run),
  })
  return {
    add(write) {
      slices.add(write)
      slices.runLater()
    },
  }
}
