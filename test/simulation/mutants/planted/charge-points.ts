// Bugs of charge points: their sockets, statuses and alerts.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const chargePoints: readonly Mutant[] = [
  {
    name: 'status-change-missed',
    bug: 'a status that differs in nothing but the status counts as unchanged',
    file: 'src/actors/charge-point/status-notification.ts',
    find: 'before.status === after.status &&',
    replace: '',
    caughtBy: 'acknowledged-reading',
    seed: 1,
  },
  {
    name: 'interrupted-connection-untold',
    bug: 'nobody is told of connections that ended together with the process',
    file: 'src/actors/charge-point/connection-events.ts',
    find: 'if (!wasLost(row, live))',
    replace: 'if (true)',
    caughtBy: 'event-once',
    seed: 1,
  },
  {
    name: 'ended-connection-begins-again',
    bug: 'a socket that is announced again with its end counts as a new one',
    file: 'src/actors/charge-point/charge-point.ts',
    find: 'if (connection.connection === state.endedConnection)',
    replace: 'if (false)',
    caughtBy: 'event-once',
    world: worlds.sockets,
    seed: 19,
  },
  {
    name: 'old-socket-wins',
    bug: 'a socket that is announced late replaces the newer one',
    file: 'src/actors/charge-point/charge-point.ts',
    find: 'if (connection.epoch < state.epoch)',
    replace: 'if (false)',
    caughtBy: 'newest-socket',
    world: worlds.sockets,
    seed: 75,
  },
  {
    name: 'alert-not-noted',
    bug: 'an alert is raised, and that it is open is not noted in the row of its charge point',
    file: 'src/actors/charge-point/alerts.ts',
    find: 'raised(watch, alert.alert_id)',
    replace: 'watch',
    caughtBy: 'alert-once',
    seed: 1,
  },
  {
    name: 'allowance-in-memory',
    bug: 'what is left of what a charge point may have stored is known to its shard alone, and begins anew with the next',
    file: 'src/actors/charge-point/allowance.ts',
    find: 'isFar(left, fullOf(holder.registration)) ?',
    replace: 'false ?',
    caughtBy: 'allowance',
    world: worlds.excess,
    seed: 1,
  },
]
