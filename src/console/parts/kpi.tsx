// Figures in a row: what they count, the figure with its unit, and what to compare it with.

import './kpi.css'
import type { ComponentChildren } from 'preact'

export interface Kpi {
  readonly name: string
  readonly value: ComponentChildren
  readonly unit?: string
  readonly about?: ComponentChildren
  /** A line of its last day, for instance. */
  readonly line?: ComponentChildren
}

export function Kpis({ of }: { readonly of: readonly Kpi[] }) {
  return (
    <dl class="kpis">
      {of.map(({ name, value, unit, about, line }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="figure">
              {value}
              {unit !== undefined && <small> {unit}</small>}
            </span>
            {about !== undefined && <span class="about">{about}</span>}
            {line}
          </dd>
        </div>
      ))}
    </dl>
  )
}
