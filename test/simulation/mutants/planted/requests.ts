// Bugs of requests to the API.

import type { Mutant } from '../mutant.js'

export const requests: readonly Mutant[] = [
  {
    name: 'done-and-forgotten',
    bug: 'a request under an Idempotency-Key that was carried out is forgotten where its answer cannot be stored',
    file: 'src/api/pipeline/steps/idempotency.ts',
    find: 'isBegun && !isCarriedOut',
    replace: 'isBegun && living === undefined',
    caughtBy: 'key-once',
    seed: 2,
  },
  {
    name: 'removal-races-with-start',
    bug: 'a charge point is removed in the moment in which a session starts there',
    file: 'src/api/areas/charge-points/removal.ts',
    find: 'draft.requireNone(sessionsTable, running, isRunning)',
    replace: 'if (draft.view.total(sessionsTable, running.index, running.group) > 0) throw isRunning',
    caughtBy: 'removed-idle',
    seed: 24,
  },
]
