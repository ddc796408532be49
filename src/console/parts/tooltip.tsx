// A tip: what a sign means, shown under the pointer and at the focus. It hides nothing that is needed: who cannot point reads it too.

import './tooltip.css'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export function Tooltip({ tip, children }: { readonly tip: ComponentChildren; readonly children: ComponentChildren }) {
  const id = useId()
  const place = useRef<HTMLSpanElement>(null)
  const body = useRef<HTMLSpanElement>(null)

  function show(): void {
    const element = body.current
    const at = place.current?.getBoundingClientRect()
    if (element === null || at === undefined || element.matches(':popover-open')) return
    element.showPopover()
    element.style.top = `${at.bottom + 6 + element.offsetHeight <= innerHeight ? at.bottom + 6 : at.top - 6 - element.offsetHeight}px`
    element.style.left = `${Math.max(8, Math.min(at.left, innerWidth - element.offsetWidth - 8))}px`
  }
  const hide = (): void => {
    if (body.current?.matches(':popover-open') === true) body.current.hidePopover()
  }

  return (
    <span
      ref={place}
      class="has-tip"
      aria-describedby={id}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocusCapture={show}
      onBlurCapture={hide}
    >
      {children}
      <span ref={body} id={id} class="tip" popover="manual" role="tooltip">
        {tip}
      </span>
    </span>
  )
}
