// The figures as rows of one table, for a terminal.

import type { Calm, Measured } from './measure.js'
import { type Felt, type Kind, kinds } from './neighbours.js'

/** How figures are shown: the lines above them, and those of one attack. */
export interface Table {
  readonly heading: readonly string[]
  /** What was felt before an attack, shown before it begins. */
  calmRows(calm: Calm): readonly string[]
  rows(measured: Measured, calm: Calm, endedMs: number | undefined): readonly string[]
}

const columns = [
  'p50/p99/most ms',
  ...kinds,
  'wrongs',
  'CPU',
  'RSS MiB',
  'disk MiB',
  'log KiB',
  'end ms',
  'what was done',
]
const widths = [20, 16, 16, 16, 16, 6, 4, 7, 8, 7, 6, 0]

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => (at === 0 ? String(cell).padEnd(20) : String(cell).padStart(widths[at] ?? 0))).join('  ')

export const short = (ms: number): string => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))

/** The median, p99 and the longest, in milliseconds. */
function latency({ latencies }: Felt, kind: Kind): string {
  const { p50Ms, p99Ms, mostMs } = latencies[kind]
  return [p50Ms, p99Ms, mostMs].map(short).join('/')
}

export const wrongsOf = ({ wrongs }: Felt): number => Object.values(wrongs).reduce((sum, count) => sum + count, 0)

export const doneBy = ({ counts }: Measured): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')

const felt = (one: Felt): (string | number)[] => [...kinds.map((kind) => latency(one, kind)), wrongsOf(one)]

export const textTable: Table = {
  heading: [line(columns)],
  calmRows: ({ felt: calm, processorShare, residentMegabytes }) => [
    line(['calm', ...felt(calm), processorShare.toFixed(1), residentMegabytes.toFixed(0)]),
  ],
  rows(measured, _, endedMs) {
    const { attack, during, residentMegabytes, processorShare, grownMegabytes, loggedKilobytes } = measured
    const ended = endedMs === undefined ? '' : Math.round(endedMs)
    const taken = [processorShare.toFixed(1), residentMegabytes.toFixed(0), grownMegabytes, loggedKilobytes.toFixed(0)]
    return [line([attack.name, ...felt(during), ...taken, ended, doneBy(measured)])]
  },
}
