// The same figures for a document: one row for each attack, with what was calm beside what was felt, and whether the promise held.

import type { Calm, Measured } from './measure.js'
import { type Kind, kinds } from './neighbours.js'
import { doneBy, short, type Table, wrongsOf } from './table.js'

const columns = [
  'Attack',
  'Heartbeat',
  'Stored message',
  'API read',
  'Payment',
  'Refused or disconnected',
  'Memory, MiB',
  'Disk, MiB',
  'Log, KiB',
  'End, s',
  'Sent and answered',
  'Held',
]

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The p99 before the attack and while it goes on. */
function p99(kind: Kind, calm: Calm, { during }: Measured): string {
  return [calm.felt, during].map(({ latencies }) => short(latencies[kind].p99Ms)).join(' → ')
}

export const markdownTable: Table = {
  heading: [line(columns), line(columns.map((_, at) => (at === 0 || at >= columns.length - 2 ? '---' : '---:')))],
  calmRows: () => [],
  rows(measured, calm, endedMs) {
    const { attack, during, after, residentMegabytes, grownMegabytes, loggedKilobytes, violations } = measured
    return [
      line([
        `\`${attack.name}\`: ${attack.does}`,
        ...kinds.map((kind) => p99(kind, calm, measured)),
        String(wrongsOf(during) + wrongsOf(after)),
        `${calm.residentMegabytes.toFixed(0)} → ${residentMegabytes.toFixed(0)}`,
        String(grownMegabytes),
        loggedKilobytes.toFixed(0),
        endedMs === undefined ? '' : (endedMs / 1_000).toFixed(1),
        doneBy(measured),
        violations.length === 0 ? 'yes' : 'no',
      ]),
    ]
  },
}
