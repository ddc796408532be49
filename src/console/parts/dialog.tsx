// A dialog: the browser's own, so that the keyboard stays in it. Escape closes the one that is on top. Whoever had the focus before has it again afterwards.

import './dialog.css'
import type { ComponentChildren, RefObject } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './button.js'
import { hasChanged } from './changed.js'
import { Toasts } from './toast.js'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Somebody wants to close it, which it leaves to the caller. */
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
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onClick: (event: MouseEvent) => void
}

/** What a `<dialog>` needs to be open as long as it is shown. It `stays` when somebody presses beside it, always or once something was typed. */
export function useModal(close: () => void, stays: boolean | 'typed' = false): Modal {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOver = useRef(false)
  const isPressed = useRef(false)
  // Before anything is painted: who goes on typing types into it.
  useLayoutEffect(() => {
    const element = dialog.current
    const before = document.activeElement
    element?.showModal()
    return () => {
      isOver.current = true
      // Nothing behind an open dialog takes the focus.
      element?.close()
      focusAgain(before)
    }
  }, [])
  const isBeside = (event: Event): boolean => event.target === dialog.current
  return {
    ref: dialog,
    onClose() {
      if (isOver.current) return
      // The browser has closed it, as the button Back of a phone does: whether it goes is for the caller to say.
      dialog.current?.showModal()
      if (stays !== true) close()
    },
    // Left to the browser, Escape closes a dialog whatever a page says when it is pressed again, and takes the focus away first.
    onKeyDown(event) {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      event.preventDefault()
      if (stays !== true) close()
    },
    onPointerDown: (event) => {
      isPressed.current = isBeside(event)
    },
    // Who marks a text and lets go beside the dialog has not pressed there.
    onClick: (event) =>
      isPressed.current && isBeside(event) && !(stays === 'typed' ? hasChanged(dialog.current) : stays) && close(),
  }
}

/** What had the focus has it again, or the page where that goes together with the dialog. */
function focusAgain(before: Element | null): void {
  if (!(before instanceof HTMLElement) || before === document.body) return
  before.focus()
  // A dialog may have gone together with one on top of it, behind which nothing takes the focus.
  queueMicrotask(() => {
    if (document.activeElement === document.body)
      (before.isConnected ? before : document.getElementById('page'))?.focus()
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
