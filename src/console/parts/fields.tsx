// Fields beside each other: the filters of a list, a line of a form; things of which some are chosen, under one name; and a box that is ticked.

import './fields.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { useChanged } from './changed.js'
import { useFault } from './faults.js'

export function Fields({ children }: { readonly children: ComponentChildren }) {
  return <div class="filters">{children}</div>
}

interface ChoicesProps {
  readonly name: string
  readonly children: ComponentChildren
  /** What is chosen, or how many there are: whether it is other than it was. */
  readonly value?: string | number | undefined
  /** Where they stand in the request, as for a `Field`. */
  readonly path?: string
}

export function Choices({ name, children, value, path }: ChoicesProps) {
  const id = useId()
  const error = useFault(path)
  return (
    <fieldset class="choices" aria-describedby={error === undefined ? undefined : id} {...useChanged(value)}>
      <legend>{name}</legend>
      {children}
      {error !== undefined && (
        <p id={id} class="wrong" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}

export function Tick({
  checked,
  onChange,
  children,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly children: ComponentChildren
}) {
  return (
    <label class="row-of" {...useChanged(checked)}>
      <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      {children}
    </label>
  )
}
