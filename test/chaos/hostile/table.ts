// The figures as rows of one table.

import type { Calm, Measured } from './measure.js'
import type { Felt, Kind } from './neighbours.js'

const columns = ['Heartbeat', 'stored', 'read', 'payment', 'wrongs', 'RSS MiB', 'disk MiB', 'end ms', 'what was done']
const widths = [16, 16, 16, 16, 6, 8, 8, 6, 0]

const line = (cells: readonly (string | number)[]): string =>
  cells.map((cell, at) => String(cell).padStart(widths[at] ?? 0)).join('  ')

/** p50/p99 and the longest, in milliseconds. */
function latency({ latencies }: Felt, kind: Kind): string {
  const { p50Ms, p99Ms, mostMs } = latencies[kind]
  return [p50Ms, p99Ms, mostMs].map((ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0))).join('/')
}

const felt = (one: Felt): (string | number)[] => [
  ...(['heartbeat', 'stored', 'read', 'payment'] as const).map((kind) => latency(one, kind)),
  Object.values(one.wrongs).reduce((sum, count) => sum + count, 0),
]

export const heading = { 'p50/p99/most ms': line(columns) }

export const calmRow = (calm: Calm): string => line([...felt(calm.felt), calm.residentMegabytes.toFixed(0), '', '', ''])

export function row(
  { during, residentMegabytes, grownMegabytes, counts }: Measured,
  endedMs: number | undefined,
): string {
  const done = Object.entries(counts).map(([what, count]) => `${count} ${what}`)
  const ended = endedMs === undefined ? '' : Math.round(endedMs)
  return line([...felt(during), residentMegabytes.toFixed(0), grownMegabytes, ended, done.join(', ')])
}
