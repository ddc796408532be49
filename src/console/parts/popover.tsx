// A popover: more about what stands there, opened with a press and closed with Escape or a press elsewhere. For a word or two, a `title` is enough.

import './popover.css'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface PopoverProps {
  /** What opens it. */
  readonly button: ComponentChildren
  /** What it tells, for who does not see it. */
  readonly label: string
  readonly children: ComponentChildren
  readonly class?: string
}

export function Popover({ button, label, children, ...rest }: PopoverProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const body = useRef<HTMLDivElement>(null)

  function place(event: Pick<ToggleEvent, 'newState'>): void {
    const element = body.current
    const at = opener.current?.getBoundingClientRect()
    if (event.newState !== 'open' || element === null || at === undefined) return
    const below = at.bottom + 6 + element.offsetHeight <= innerHeight
    element.style.top = `${Math.max(8, below ? at.bottom + 6 : at.top - 6 - element.offsetHeight)}px`
    element.style.left = `${Math.max(8, Math.min(at.left, innerWidth - element.offsetWidth - 8))}px`
  }

  return (
    <>
      <button ref={opener} type="button" class={rest.class ?? 'link'} popovertarget={id} aria-label={label}>
        {button}
      </button>
      <div ref={body} id={id} class="popover" popover="auto" role="dialog" aria-label={label} onToggle={place}>
        {children}
      </div>
    </>
  )
}
