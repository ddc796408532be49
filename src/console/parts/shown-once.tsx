// A secret that has just been made, shown this once: whoever has kept it says so.

import './shown-once.css'
import type { ComponentChildren } from 'preact'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { copyText } from './download.js'

export function ShownOnce({
  title,
  secret,
  close,
  children,
}: {
  readonly title: string
  readonly secret: string
  readonly close: () => void
  /** What it is for, and what to do without it. */
  readonly children: ComponentChildren
}) {
  return (
    <Dialog
      title={title}
      close={close}
      stays
      actions={
        <>
          <Button icon="copy" onClick={() => void copyText(secret, 'Copied.')}>
            Copy
          </Button>
          <Button kind="primary" onClick={close}>
            I have kept it
          </Button>
        </>
      }
    >
      {children}
      <p class="mono shown-once">{secret}</p>
    </Dialog>
  )
}
