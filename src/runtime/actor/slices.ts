// When actors have their turns: a slice gives each that is ready one, for a bounded time, and what is left waits for the next slice.
// Actors send to each other and to themselves; between two slices their thread hears of everything else. Knows nothing of messages.

import type { Clock } from '../clock.js'
import { limits } from '../limits.js'

export interface SliceOptions<Actor> {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly sliceMs?: number
  readonly runActor: (actor: Actor) => void
  /** After each slice. */
  readonly ended: () => void
  /** Asks for another run() in a later turn of the event loop. */
  readonly again: () => void
}

export interface Slices<Actor> {
  /** The actor has something to do, in the next slice. */
  add(actor: Actor): void
  run(): void
  /** Asks for a slice, if there is something to do and nobody has asked yet. */
  runLater(): void
  /** The time of the slice in hand is over. */
  readonly over: boolean
}

export function createSlices<Actor>({
  clock,
  sliceMs = limits.sliceMs,
  runActor,
  ended,
  again,
}: SliceOptions<Actor>): Slices<Actor> {
  const ready: Actor[] = []
  let running = false
  let asked = false
  /** Monotonic ms. */
  let endsAt = 0

  function runLater(): void {
    if (running || asked || ready.length === 0) return
    asked = true
    again()
  }

  return {
    add: (actor) => void ready.push(actor),
    run() {
      if (running) return
      running = true
      asked = false
      endsAt = clock.monotonic() + sliceMs
      const slice = ready.length
      let done = 0
      try {
        while (done < slice && (done === 0 || clock.monotonic() < endsAt)) runActor(ready[done++] as Actor)
      } finally {
        ready.splice(0, done)
        running = false
        ended()
        runLater()
      }
    },
    runLater,
    get over() {
      return clock.monotonic() >= endsAt
    },
  }
}
