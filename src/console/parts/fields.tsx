// Fields beside each other: the filters of a list, a line of a form; and things of which some are chosen, under one name.

import './fields.css'
import type { ComponentChildren } from 'preact'

export function Fields({ children }: { readonly children: ComponentChildren }) {
  return <div class="filters">{children}</div>
}

export function Choices({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <fieldset class="choices">
      <legend>{name}</legend>
      {children}
    </fieldset>
  )
}
