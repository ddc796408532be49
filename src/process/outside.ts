// What the program of a thread has beside its ports: time, chance, a log, and the state of its machine. The service gives it the
// machine's (machine.ts), the simulation its own: no program takes any of these from elsewhere.

import type { Logger } from 'pino'
import type { Clock } from '../runtime/clock.js'
import type { ThreadMemory } from '../runtime/thread/thread-memory.js'

export interface Outside {
  readonly clock: Clock
  /** Numbers in [0, 1). */
  readonly random: () => number
  readonly log: Logger
  memory(): ThreadMemory
  /** How long the event loop has had something to do, since the thread began, ms. */
  loopActive(): number
}
