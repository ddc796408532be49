// Every fault that is tried, in the order in which they run.

import { clockMonths } from './clock/clock-months.js'
import { clockSteps } from './clock-steps.js'
import { diskFull } from './disk-full.js'
import { drain } from './drain.js'
import { flapping } from './flapping.js'
import { halfOpen } from './half-open.js'
import { hostile } from './hostile/hostile.js'
import { lateFsync } from './late-fsync.js'
import { lostWrites } from './lost-writes.js'
import { massTimeout } from './mass-timeout.js'
import type { Scenario } from './scenario.js'
import { serverKill } from './server-kill.js'
import { shardKill } from './shard-kill.js'
import { slowReader } from './slow-reader.js'

export const scenarios: readonly Scenario[] = [
  serverKill,
  shardKill,
  drain,
  diskFull,
  lostWrites,
  lateFsync,
  clockSteps,
  clockMonths,
  slowReader,
  flapping,
  halfOpen,
  massTimeout,
  hostile,
]
