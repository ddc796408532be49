// Bugs of guests and what they pay.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const guests: readonly Mutant[] = [
  {
    name: 'correction-unpaid',
    bug: 'a late StopTransaction corrects what a guest was charged for, and not what it has paid',
    file: 'src/actors/guest-session/correction.ts',
    find: "if (row.end !== 'charged' || row.session_id === undefined)",
    replace: 'if (row !== undefined)',
    caughtBy: 'guest-pays',
    seed: 1,
  },
  {
    name: 'end-not-stored',
    bug: "the provider is asked for a guest's money before the end of the charge is on disk",
    file: 'src/actors/guest-session/guest-session.ts',
    find: '...save(state, stopped, context),\n    guestEvent(guestSessionStopped, stopped),',
    replace: 'guestEvent(guestSessionStopped, stopped),',
    caughtBy: 'guest-decided',
    seed: 1,
  },
  {
    name: 'two-guests',
    bug: 'two guests at once get the same connector',
    file: 'src/api/areas/guest-sessions/guest-connectors.ts',
    find: 'if (isClaimed(view, claim, place, now))',
    replace: 'if (false)',
    caughtBy: 'guest-alone',
    seed: 1,
  },
  {
    name: 'guest-not-looked-after',
    bug: "a guest's charge is looked at only when its charge point tells something",
    file: 'src/actors/guest-session/save.ts',
    find: "if (row.status === 'charging') return lookInMs",
    replace: "if (row.status === 'charging') return undefined",
    caughtBy: 'guest-limit',
    world: worlds.guests,
    seed: 17,
  },
  {
    name: 'limit-not-told',
    bug: 'that a guest has used up what was set aside is noted, and the charge point is not told to stop',
    file: 'src/actors/guest-session/limit.ts',
    find: '...remoteStop(state, state.row ?? reached, context),',
    replace: '',
    caughtBy: 'guest-limit',
    world: worlds.guests,
    seed: 5,
  },
]
