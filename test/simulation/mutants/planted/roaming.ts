// Bugs of what roaming partners are told.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const roaming: readonly Mutant[] = [
  {
    name: 'attempt-of-lost-memory',
    bug: 'what was begun in a memory that is lost ends in the next one as its own',
    file: 'src/actors/ocpi-partner/attempts.ts',
    find: 'const isOwn = attempt.life === state.life',
    replace: 'const isOwn = true',
    caughtBy: 'partner-order',
    world: worlds.roaming,
    seed: 9,
  },
  {
    name: 'location-as-old-as-the-clock',
    bug: 'a location that changes after the clock was set back is older than what partners have read',
    file: 'src/actors/ocpi-locations/update-location.ts',
    find: 'return now >= before ? now : before + 1',
    replace: 'return now',
    caughtBy: 'partner-knows',
    world: worlds.roamingClocks,
    seed: 4,
  },
  {
    name: 'failed-cdr-is-taken',
    bug: 'a CDR that the partner answers with a failure counts as taken',
    file: 'src/actors/ocpi-partner/cdrs.ts',
    find: "outcome.type === 'delivered' || isKnownAlready(outcome)",
    replace: "outcome.type !== 'failed'",
    caughtBy: 'settled',
    world: worlds.roaming,
    seed: 32,
  },
  {
    name: 'billed-is-forgotten',
    bug: 'a session that was billed before is billed anew when it is corrected, and what was billed is not taken back',
    file: 'src/actors/ocpi-partner/billing.ts',
    find: 'const before = stored.map(({ cdr }) => cdr as Cdr)',
    replace: 'const before = []',
    caughtBy: 'cdr-once',
    world: worlds.roamingCorrected,
    seed: 2,
  },
  {
    name: 'told-before-it-is-sent',
    bug: 'a partner counts as told of what is under way, or waits',
    file: 'src/actors/ocpi-partner/pending.ts',
    find: 'for (const items of [state.ready, state.readyLocations, state.waiting, state.underWay])',
    replace: 'for (const items of [state.ready])',
    caughtBy: 'partner-knows',
    world: worlds.roaming,
    seed: 1,
  },
]
