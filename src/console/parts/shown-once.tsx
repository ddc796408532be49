// A secret that has just been made, shown this once: whoever has kept it says so.

import './shown-once.css'
import type { ComponentChildren } from 'preact'
import { useUnsaved } from '../client/unsaved.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { copyText, saveFile } from './download.js'

/** What belongs to it, to be kept as a file. */
export interface ShownFile {
  /** Of the button, as a verb. */
  readonly does: string
  readonly name: string
  readonly type: string
  readonly text: string
}

export function ShownOnce({
  title,
  secret,
  files = [],
  close,
  children,
}: {
  readonly title: string
  readonly secret: string
  readonly files?: readonly ShownFile[]
  readonly close: () => void
  /** What it is for, and what to do without it. */
  readonly children: ComponentChildren
}) {
  const unsaved = useUnsaved(true)
  function kept(): void {
    // Whoever closes it may go elsewhere with that.
    unsaved.release()
    close()
  }
  return (
    <Dialog
      title={title}
      close={kept}
      stays
      wide={files.length > 0}
      actions={
        <>
          {files.map(({ does, name, type, text }) => (
            <Button key={name} icon="download" onClick={() => saveFile(name, type, text)}>
              {does}
            </Button>
          ))}
          <Button icon="copy" onClick={() => void copyText(secret, 'Copied.')}>
            Copy
          </Button>
          <Button kind="primary" onClick={kept}>
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
