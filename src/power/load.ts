// Power on the lines of a site, as a value: sums, differences and comparisons. Pure, and without any rule of sharing.

import { type Line, lines, nominalVolts } from './electricity.js'

/** Watts in all, and amperes on each line of the site. */
export interface Load {
  readonly watts: number
  readonly amperes: Readonly<Record<Line, number>>
}

export const noLoad: Load = { watts: 0, amperes: { L1: 0, L2: 0, L3: 0 } }

export function loadOn(onLines: readonly Line[], amperes: number): Load {
  const on = (line: Line): number => (onLines.includes(line) ? amperes : 0)
  return { watts: amperes * nominalVolts * onLines.length, amperes: { L1: on('L1'), L2: on('L2'), L3: on('L3') } }
}

function combined(one: Load, other: Load, combine: (a: number, b: number) => number): Load {
  const on = (line: Line): number => combine(one.amperes[line], other.amperes[line])
  return { watts: combine(one.watts, other.watts), amperes: { L1: on('L1'), L2: on('L2'), L3: on('L3') } }
}

/** The higher of both in every part: either may be true. */
export function worstOf(one: Load, other: Load): Load {
  return combined(one, other, Math.max)
}

/** The lower of both in every part. */
export function leastOf(one: Load, other: Load): Load {
  return combined(one, other, Math.min)
}

export function sumOf(loads: Iterable<Load>): Load {
  let [watts, first, second, third] = [0, 0, 0, 0]
  for (const load of loads) {
    watts += load.watts
    first += load.amperes.L1
    second += load.amperes.L2
    third += load.amperes.L3
  }
  return { watts, amperes: { L1: first, L2: second, L3: third } }
}

export function less(one: Load, other: Load): Load {
  return combined(one, other, (a, b) => a - b)
}

export function times(load: Load, factor: number): Load {
  return combined(load, noLoad, (part) => part * factor)
}

/** The power of a site as a load. `perLine`: amperes; undefined if the lines have no limit. */
export function capacityOf(watts: number, perLine = Number.POSITIVE_INFINITY): Load {
  return { watts, amperes: { L1: perLine, L2: perLine, L3: perLine } }
}

const hair = 1e-6

export function fits(load: Load, capacity: Load): boolean {
  return (
    load.watts <= capacity.watts + hair && lines.every((line) => load.amperes[line] <= capacity.amperes[line] + hair)
  )
}
