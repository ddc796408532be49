// Facts: names and values beside each other. One without a value is left out.

import './facts.css'
import type { ComponentChildren } from 'preact'

export interface Fact {
  readonly name: string
  readonly value: ComponentChildren
}

export function Facts({ of, inline = false }: { readonly of: readonly Fact[]; readonly inline?: boolean }) {
  return (
    <dl class={inline ? 'facts inline' : 'facts'}>
      {of
        .filter(({ value }) => value !== undefined && value !== null && value !== '')
        .map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
