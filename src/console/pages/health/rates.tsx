// Numbers a second by name, the largest first: what charge points say, and what was refused.

import { numberText } from '../../client/format.js'
import { type Column, lastMinute, totalOf } from './series.js'

export interface RatesProps {
  readonly of: Readonly<Record<string, Column>>
  readonly stepSeconds: number
  /** What the first column names. */
  readonly what: string
  readonly none: string
  readonly nameOf?: (name: string) => string
}

export function Rates({ of, stepSeconds, what, none, nameOf = (name) => name }: RatesProps) {
  const rows = Object.entries(of)
    .map(([name, column]) => ({
      name,
      rate: lastMinute(column, stepSeconds) ?? 0,
      total: totalOf(column, stepSeconds),
    }))
    .filter(({ total }) => total >= 0.5)
    .sort((one, other) => other.rate - one.rate || other.total - one.total)
  if (rows.length === 0) return <p class="padded dim">{none}</p>
  const most = Math.max(...rows.map(({ rate }) => rate), 0.001)
  return (
    <table class="plain rates">
      <thead>
        <tr>
          <th>{what}</th>
          <th class="bar wide-only">
            <span class="only-read">Share</span>
          </th>
          <th class="end">A second</th>
          <th class="end">In this time</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, rate, total }) => (
          <tr key={name}>
            <th scope="row">{nameOf(name)}</th>
            <td class="bar wide-only">
              <meter min={0} max={most} value={rate} aria-label={`${nameOf(name)}, a second`} />
            </td>
            <td class="end">
              <b>{numberText(rate, rate < 10 ? 1 : 0)}</b>
            </td>
            <td class="end dim">{numberText(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
