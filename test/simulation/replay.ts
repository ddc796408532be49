// The one line that runs a world again.

import type { WorldOptions } from './world.js'

/** What a seed is where nothing else is said. */
export const usualWorld = { chargePoints: 200, minutes: 10 }

export function replayOf({ seed, chargePoints, minutes, faults, aspects, rates }: WorldOptions): string {
  const others = [
    ...(chargePoints === usualWorld.chargePoints ? [] : [`--charge-points=${chargePoints}`]),
    ...(minutes === usualWorld.minutes ? [] : [`--minutes=${minutes}`]),
    ...(faults === undefined ? [] : [`--faults=${faults.join(',')}`]),
    ...(aspects === undefined ? [] : [`--aspects=${aspects.join(',') || 'none'}`]),
    ...(rates === undefined
      ? []
      : [
          `--rates=${Object.entries(rates)
            .map((rate) => rate.join('='))
            .join(',')}`,
        ]),
  ]
  return `npm run sim -- ${[`--seed=${seed}`, ...others].join(' ')}`
}
