// The shard thread: its program as a piscina task that never ends. Its worker's death is the supervisor's signal.

import { tables } from '../records/index.js'
import { turnNotes } from '../runtime/actor/current-turn.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { fail } from './fail.js'
import { outsideOf } from './machine.js'
import { createShardProgram } from './shard-program.js'
import type { ShardMain, ShardStart } from './threads.js'

export async function runShard(start: ShardStart): Promise<never> {
  const { index, settings } = start
  const main = remoteControl<ShardMain>(start.main)
  const { control } = createShardProgram(start, {
    ...outsideOf(`shard/${index}`, settings),
    view: openView(settings.data, tables),
    main: {
      runJob: (job, input) => main.runJob(job, input),
      surroundings: () => main.surroundings(),
    },
    noteTurn: turnNotes(start.turns, index).note,
    loopDelay: measureLoopDelay(),
    samplesFleets: true,
    fail,
  })
  exposeControl(control, start.control)
  return new Promise<never>(() => {})
}

/** Loads this module, and so everything that a shard runs. */
export function warmUp(): void {}
