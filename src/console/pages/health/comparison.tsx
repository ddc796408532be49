// Two load runs beside each other: what was asked of the service, what it did, and whether the tool itself was in the way.

import type { Schema } from '../../client/api.js'
import { latencyText, numberText, percentText } from '../../client/format.js'
import { Tag } from '../../parts/chip.js'

type Run = Schema<'LoadRun'>

interface Row {
  readonly name: string
  readonly of: (run: Run) => number | null
  readonly text: (value: number) => string
  /** Whether more of it is worse, better, or neither. */
  readonly more: 'worse' | 'better' | 'neither'
}

const rows: readonly Row[] = [
  { name: 'Charge points', of: (run) => run.charge_points, text: (value) => numberText(value), more: 'neither' },
  {
    name: 'Answered a second',
    of: ({ figures }) => figures.answered_per_second,
    text: (value) => numberText(value, value < 10 ? 1 : 0),
    more: 'better',
  },
  {
    name: 'Latency p50, from when due',
    of: ({ figures }) => figures.latency_milliseconds?.p50 ?? null,
    text: latencyText,
    more: 'worse',
  },
  {
    name: 'Latency p99, from when due',
    of: ({ figures }) => figures.latency_milliseconds?.p99 ?? null,
    text: latencyText,
    more: 'worse',
  },
  {
    name: 'Service time p99',
    of: ({ figures }) => figures.service_time_milliseconds?.p99 ?? null,
    text: latencyText,
    more: 'worse',
  },
  { name: 'Errors', of: ({ figures }) => figures.errors, text: (value) => numberText(value), more: 'worse' },
  {
    name: 'The tool itself late, p99',
    of: ({ figures }) => figures.tool_late_milliseconds,
    text: latencyText,
    more: 'neither',
  },
]

/** A difference of less is chance. */
const sameShare = 0.05

function Change({
  row,
  now,
  before,
}: {
  readonly row: Row
  readonly now: number | null
  readonly before: number | null
}) {
  if (now === null || before === null || row.more === 'neither') return null
  if (now === before) return <span class="dim">same</span>
  if (before === 0) return <Tag kind={row.more === 'worse' ? 'bad' : 'ok'}>new</Tag>
  const change = (now - before) / before
  if (Math.abs(change) < sameShare) return <span class="dim">same</span>
  const isWorse = row.more === 'worse' ? change > 0 : change < 0
  return <Tag kind={isWorse ? 'warn' : 'ok'}>{`${change > 0 ? '+' : '−'}${percentText(Math.abs(change), 0)}`}</Tag>
}

export interface ComparisonProps {
  readonly now: Run
  readonly before: Run | undefined
  readonly nowName: string
  readonly beforeName: string
}

export function Comparison({ now, before, nowName, beforeName }: ComparisonProps) {
  return (
    <table class="plain comparison">
      <thead>
        <tr>
          <th>
            <span class="only-read">Figure</span>
          </th>
          <th class="end">{nowName}</th>
          {before !== undefined && <th class="end">{beforeName}</th>}
          {before !== undefined && (
            <th class="end">
              <span class="only-read">Change</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const value = row.of(now)
          const former = before === undefined ? null : row.of(before)
          return (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td class="end">{value === null ? '–' : row.text(value)}</td>
              {before !== undefined && <td class="end dim">{former === null ? '–' : row.text(former)}</td>}
              {before !== undefined && (
                <td class="end">
                  <Change row={row} now={value} before={former} />
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
