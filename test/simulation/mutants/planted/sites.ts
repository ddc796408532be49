// Bugs of sites, and of the limits by which they share their power.

import type { Mutant } from '../mutant.js'
import { worlds } from '../worlds.js'

export const sites: readonly Mutant[] = [
  {
    name: 'raise-before-lower',
    bug: 'a charge point is given more before those that make room for it have confirmed that they draw less',
    file: 'src/actors/site/plan.js',
    find: 'if (isRaise && !fits(sum, plan.givenWatts, plan.perLine))',
    replace: 'if (false)',
    caughtBy: 'site-power',
    world: worlds.sites,
    seed: 11,
  },
  {
    name: 'offline-draws-nothing',
    bug: 'a charge point that is offline counts as one that draws nothing',
    file: 'src/actors/site/counted.js',
    find: 'const standing = loadOn(chargerLines(facts), standingBound(charger));',
    replace:
      'if (!report.isReady) return noLoad; const standing = loadOn(chargerLines(facts), standingBound(charger));',
    caughtBy: 'site-power',
    world: worlds.sitesLost,
    seed: 7,
  },
  {
    name: 'limits-in-memory',
    bug: 'which limits charge points hold for their transactions is known to a shard alone, and forgotten with it',
    file: 'src/actors/site/state.js',
    find: 'connectors: row.connectors.map((connector) => ({ ...connector, limit: settled(connector.limit) })),',
    replace: 'connectors: [],',
    caughtBy: 'site-power',
    world: worlds.sitesLost,
    seed: 7,
  },
  {
    name: 'line-ignored',
    bug: 'what each line of the site may carry is ignored',
    file: 'src/actors/site/plan.js',
    find: 'const perLine = configuration.max_current_per_phase_a;',
    replace: 'const perLine = undefined;',
    caughtBy: 'site-power',
    world: worlds.sites,
    seed: 1,
  },
  {
    name: 'schedule-an-hour-off',
    bug: 'the schedule of a site is read on a clock that is an hour off',
    file: 'src/power/budget.js',
    find: 'localTimeOf(at, terms.timeZone)',
    replace: 'localTimeOf(at + 3_600_000, terms.timeZone)',
    caughtBy: 'site-power',
    world: worlds.sites,
    seed: 3,
  },
  {
    name: 'next-car-on-one-phase',
    bug: 'a limit that outlives its session counts by the phases of the car that has left',
    file: 'src/actors/site/counted.js',
    find: 'keepsLimits(charger) ? undefined : connector?.phases',
    replace: 'connector?.phases',
    caughtBy: 'site-power',
    world: worlds.sites,
    seed: 3,
  },
  {
    name: 'standing-limit-on-the-clock',
    bug: "the standing limit begins at a time of day, which a charge point's clock may not have reached",
    file: 'src/power/limit-profiles.js',
    find: "chargingProfileKind: forMs === undefined ? 'Relative' : 'Absolute',",
    replace: "chargingProfileKind: 'Absolute',",
    also: {
      find: 'chargingSchedule: {',
      replace: 'chargingSchedule: { startSchedule: writeTimestamp(now - startedAgoMs),',
    },
    caughtBy: 'site-power',
    world: worlds.sitesClocks,
    seed: 1,
  },
]
