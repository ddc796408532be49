// The shard thread: its program as a piscina task that never ends. Its worker's death is the supervisor's signal.

import { tables } from '../records/index.js'
import { turnNotes } from '../runtime/actor/current-turn.js'
import { exposeControl, remoteControl } from '../runtime/link/control.js'
import { openView } from '../runtime/store/lmdb-store.js'
import { measureLoopDelay } from '../runtime/thread/loop-delay.js'
import { outsideOf } from './machine.js'
import { createShardProgram } from './shard-program.js'
import type { Fault, MainControl, ShardStart } from './threads.js'

export async function runShard(start: ShardStart): Promise<never> {
  const { index, settings } = start
  const main = remoteControl<MainControl>(start.main)
  const { control } = createShardProgram(start, {
    ...outsideOf(`shard/${index}`, settings),
    view: openView(settings.data, tables),
    main: {
      runJob: (job, input) => main.runJob(job, input),
      health: () => main.health(),
      surroundings: () => main.surroundings(),
      statistics: () => main.statistics(),
    },
    noteTurn: turnNotes(start.turns, index).note,
    loopDelay: measureLoopDelay(),
    fail,
  })
  exposeControl(control, start.control)
  return new Promise<never>(() => {})
}

/** Loads this module, and so everything that a shard runs. */
export function warmUp(): void {}

/** Only called in a process that was started to be broken. */
function fail(fault: Fault): void {
  if (process.env.AMPSHARD_FAULTS !== 'true') return
  setImmediate(() => {
    if (fault === 'throw') throw new Error('a fault that was asked for')
    if (fault === 'spin') for (;;);
    const held: unknown[] = []
    for (;;) held.push(new Array(1_000_000).fill(held.length))
  })
}
