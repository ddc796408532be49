// A field with its name, what it is for, and what is wrong with it.

import './field.css'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { useChanged } from './changed.js'
import { useFault } from './faults.js'

export interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly name?: string
  readonly type?: 'text' | 'password' | 'email' | 'number' | 'search' | 'datetime-local' | 'date'
  /** Several lines. */
  readonly lines?: number
  readonly hint?: string
  readonly error?: string
  /** Where it stands in the request, `/latitude`: what the service says is wrong there is shown below it. */
  readonly path?: string
  readonly placeholder?: string
  readonly required?: boolean
  readonly disabled?: boolean
  readonly autofocus?: boolean
  readonly autocomplete?: string
  readonly inputmode?: 'text' | 'numeric' | 'decimal' | 'email' | 'search'
  /** The name is there for readers of the screen alone. */
  readonly hideLabel?: boolean
  readonly mono?: boolean
  /** Nobody misses what was typed in it. */
  readonly fleeting?: boolean
  /** Where one of a few is chosen: their values and names. */
  readonly options?: readonly { readonly value: string; readonly name: string }[]
}

export function Field(props: FieldProps) {
  const {
    label,
    value,
    onChange,
    type = 'text',
    lines,
    hint,
    error: own,
    path,
    hideLabel,
    mono,
    autofocus,
    fleeting,
    options,
    ...rest
  } = props
  const refused = useFault(path)
  const error = own ?? refused
  const id = useId()
  const control = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null)
  useLayoutEffect(() => {
    if (autofocus === true) control.current?.focus()
  }, [])
  const common = {
    ...rest,
    ...useChanged(value, fleeting),
    id,
    ref: control,
    // A dialog that opens gives it the keyboard.
    autofocus: autofocus === true,
    value,
    class: mono === true ? 'mono' : '',
    'aria-invalid': error !== undefined,
    'aria-describedby': error !== undefined || hint !== undefined ? `${id}-about` : undefined,
  }
  return (
    <div class={/^date/.test(type) ? 'field of-time' : 'field'}>
      <label for={id} class={hideLabel === true ? 'only-read' : ''}>
        {label}
      </label>
      {options !== undefined ? (
        <select {...common} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((one) => (
            <option key={one.value} value={one.value}>
              {one.name}
            </option>
          ))}
        </select>
      ) : lines !== undefined ? (
        <textarea
          {...common}
          rows={lines}
          spellcheck={false}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <input
          {...common}
          {...({ type } as { type: 'email' })}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {(error !== undefined || hint !== undefined) && (
        <p
          id={`${id}-about`}
          class={error === undefined ? 'hint' : 'wrong'}
          role={error === undefined ? undefined : 'alert'}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  )
}
