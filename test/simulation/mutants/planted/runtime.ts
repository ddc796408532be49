// Bugs of the runtime: actors, shards, and the store under them.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const runtime: readonly Mutant[] = [
  {
    name: 'answer-before-flush',
    bug: 'what a turn says is released before its commit',
    file: 'src/runtime/actor/actor-host.js',
    find: 'for (const reservation of reservations)\n            changes.push(reservation.change);',
    replace:
      'for (const reservation of reservations)\n            changes.push(reservation.change);\n        release(actor, part.turn.released.splice(0));',
    caughtBy: 'acknowledged-reading',
    seed: 1,
  },
  {
    name: 'no-fence',
    bug: 'the store takes batches of an owner that has been replaced',
    file: 'src/runtime/store/storage/apply-batch.js',
    find: 'if (epoch < epochs.newest(partition))',
    replace: 'if (false)',
    caughtBy: 'event-once',
    world: worlds.ends,
    seed: 5,
  },
  {
    name: 'repeated-envelope',
    bug: 'an envelope that comes twice is handled twice',
    file: 'src/runtime/link/shard.js',
    find: 'if (!from.handled.add(id))',
    replace: 'if (false)',
    caughtBy: 'sent-once',
    seed: 5,
  },
  {
    name: 'ids-follow-the-clock-alone',
    bug: 'the store numbers events by its clock, also where that has gone back since the last one',
    file: 'src/runtime/ids.js',
    find: 'if (before === undefined || at > before.time)',
    replace: 'if (true)',
    caughtBy: 'asserted',
    world: worlds.clocks,
    seed: 1,
  },
  {
    name: 'refused-commit-is-success',
    bug: 'a commit that the disk refused is answered as if it were written',
    file: 'src/runtime/actor/actor-host.js',
    find: 'if (result.ok) {',
    replace: 'if (true) {',
    caughtBy: 'event-once',
    seed: 1,
  },
  {
    name: 'memory-outlives-refused-commit',
    bug: 'an actor goes on with what the disk refused',
    file: 'src/runtime/actor/actor-host.js',
    find: 'forget(actor, lost.told);',
    replace: '',
    caughtBy: 'event-once',
    seed: 2,
  },
  {
    name: 'acknowledged-on-arrival',
    bug: 'a front forgets a frame when the shard has read it, and not when the disk has what it promised',
    file: 'src/runtime/link/shard-sockets.js',
    find: "if (deliver(entry.address, { message: { type: 'frame', connection, text }, ticket: item }))",
    replace:
      "laneOf(item)?.items.push(outbound.done, item); if (deliver(entry.address, { message: { type: 'frame', connection, text } }))",
    caughtBy: 'answered',
    world: worlds.ends,
    seed: 18,
  },
  {
    name: 'moved-without-what-waits',
    bug: 'a partition moves, and what its former owner had not acknowledged is not sent to the new one',
    file: 'src/runtime/link/front-transport.js',
    find: 'handOver(live, unfinished);',
    replace: 'handOver(live, []);',
    caughtBy: 'answered',
    world: worlds.moves,
    seed: 2,
  },
]
