// A dialog: the browser's own, so that the keyboard stays in it and Escape closes it. Whoever had the focus before has it again afterwards.

import './dialog.css'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.js'
import { Toasts } from './toast.js'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  readonly close: () => void
  /** What can be done, at the foot. */
  readonly actions?: ComponentChildren
  readonly wide?: boolean
  /** At the foot of a phone, and as wide. */
  readonly sheet?: boolean
  /** Neither Escape nor a press beside it closes it: what it shows is not to be had again. The latter holds also where something was typed. */
  readonly stays?: boolean
}

interface Modal {
  readonly ref: RefObject<HTMLDialogElement | null>
  readonly onClose: () => void
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onClick: (event: MouseEvent) => void
}

const textsIn = (element: HTMLElement | null) => [
  ...(element?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input:not([type=checkbox]), textarea') ?? []),
]

/** What a `<dialog>` needs to be open as long as it is shown. It `stays` when somebody presses beside it, always or once something was typed. */
export function useModal(close: () => void, stays: boolean | 'typed' = false): Modal {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = useRef(false)
  const isPressed = useRef(false)
  const begun = useRef<ReadonlyMap<Element, string>>(new Map())
  // Before anything is painted: who goes on typing types into it.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    begun.current = new Map(textsIn(element).map((field) => [field, field.value]))
    return () => {
      isOver.current = true
      // Nothing behind an open dialog takes the focus.
      element?.close()
      focusAgain(before)
    }
  }, [])
  /** Asked when it matters: who listens to each input lets the page be drawn between the `input` and the `change` of a box that is ticked. */
  const isTyped = (): boolean =>
    textsIn(dialog.current).some((field) => field.value !== (begun.current.get(field) ?? ''))
  const isBeside = (event: Event): boolean => event.target === dialog.current
  return {
    ref: dialog,
    onClose() {
      if (isOver.current) return
      // Escape, pressed twice, closes whatever a page says.
      if (stays === true) dialog.current?.showModal()
      else close()
    },
    onPointerDown: (event) => {
      isPressed.current = isBeside(event)
    },
    // Who marks a text and lets go beside the dialog has not pressed there.
    onClick: (event) => isPressed.current && isBeside(event) && !(stays === 'typed' ? isTyped() : stays) && close(),
  }
}

/** What had the focus has it again, or the page where that goes together with the dialog. */
function focusAgain(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body) return
  before.focus()
  queueMicrotask(() => {
    if (!before.isConnected) document.getElementById('page')?.focus()
  })
}

export function Dialog({ title, children, close, actions, wide, sheet, stays = false }: DialogProps) {
  const id = useId()
  const classes = ['dialog', wide === true && 'wide', sheet === true && 'sheet']
  return (
    <dialog {...useModal(close, stays || 'typed')} class={classes.filter(Boolean).join(' ')} aria-labelledby={id}>
      <div class="inside">
        <header>
          <h2 id={id}>{title}</h2>
          <Button kind="ghost" small icon="x" label="Close" onClick={close} />
        </header>
        <div class="content">{children}</div>
        {actions !== undefined && <footer>{actions}</footer>}
      </div>
      {/* What is behind an open dialog is covered, and read to nobody. */}
      <Toasts />
    </dialog>
  )
}
