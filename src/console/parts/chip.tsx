// Chips, which filter; tags, which say something in a word; and a choice of one among a few.

import './chip.css'
import type { ComponentChildren } from 'preact'

export interface ChipProps {
  readonly children: ComponentChildren
  readonly pressed: boolean
  readonly onClick: () => void
  readonly count?: number | string
}

export function Chip({ children, pressed, onClick, count }: ChipProps) {
  return (
    <button type="button" class="chip" aria-pressed={pressed} onClick={onClick}>
      {children}
      {count !== undefined && <b>{count}</b>}
    </button>
  )
}

export type TagKind = 'plain' | 'ok' | 'warn' | 'bad' | 'info'

export function Tag({
  children,
  kind = 'plain',
  title,
}: {
  readonly children: ComponentChildren
  readonly kind?: TagKind
  readonly title?: string
}) {
  return (
    <span class={`tag ${kind}`} title={title}>
      {children}
    </span>
  )
}

export interface SegmentedProps<Value extends string> {
  /** What is chosen here. */
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly name: string }[]
  readonly onChange: (value: Value) => void
}

export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  return (
    <div class="segmented" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.name}
        </button>
      ))}
    </div>
  )
}
