// A question before something is done, or a form: what will happen, in proportion to it, and what came of it. It does what was asked for, says so at the foot
// of the page and closes, or stays and shows why it was refused. What could do much harm has a word to be typed. Whoever closes a form in which something was
// typed is asked first.

import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { ApiError } from '../client/api.js'
import { asApiError } from '../client/resource.js'
import { type Unsaved, useUnsaved } from '../client/unsaved.js'
import { Button } from './button.js'
import { hasContent } from './changed.js'
import { Dialog } from './dialog.js'
import { Field } from './field.js'
import { Refusal, Refused } from './refusal.js'
import { toast, toastFailure } from './toast.js'

/** Something that can be done: the words of its button, as a verb, and how it is done. */
export interface Doing {
  readonly does: string
  /** The dialog closes when it has resolved, and shows why when it has not. */
  readonly run: () => Promise<unknown>
  /** It only tries what was typed: the dialog stays, and shows what came of it. */
  readonly stays?: boolean
  /** Said at the foot of the page when it has resolved. */
  readonly said?: string
  readonly danger?: boolean
  /** The button waits for it. */
  readonly disabled?: boolean
  /** What the button waits for, as a sentence: it says so when it is pressed. */
  readonly whyNot?: string | undefined
}

export interface AskProps extends Doing {
  readonly title: string
  /** What will happen, and fields. One with a `path` shows what the service says is wrong there. */
  readonly children?: ComponentChildren
  /** Has to be typed. */
  readonly word?: string
  /** What else can be done here. */
  readonly others?: readonly Doing[]
  readonly close: () => void
  /** Called in the place of `close` when it has been done: the caller shows what came of it. */
  readonly done?: () => void
  readonly wide?: boolean
  /** Of the button that closes it, if it is not Cancel. */
  readonly cancels?: string
}

export function Ask(props: AskProps) {
  const { title, children, word, others = [], close, done = close, wide = false, cancels = 'Cancel', ...main } = props
  const [running, setRunning] = useState<Doing>()
  const [isLeaving, setLeaving] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [typed, setTyped] = useState('')
  const form = useId()
  const content = useRef<HTMLFormElement>(null)
  const lacksWord = word !== undefined && typed.trim() !== word
  const isWaiting = main.disabled === true || lacksWord || main.whyNot !== undefined
  const isRunning = running !== undefined
  // What is being done, or has been, is not lost.
  const losesContent = (): boolean => (running === undefined || running.stays === true) && hasContent(content.current)
  const unsaved = useUnsaved(losesContent)
  const leave = (): void => (losesContent() ? setLeaving(true) : close())

  async function go(doing: Doing): Promise<void> {
    if (isRunning) return
    const { run, stays = false, said } = doing
    setRunning(doing)
    setError(undefined)
    // It may go elsewhere with that.
    if (!stays) unsaved.release()
    try {
      await run()
      if (said !== undefined) toast(said)
      if (stays) setRunning(undefined)
      else done()
    } catch (failure) {
      // It was closed meanwhile.
      if (content.current === null) toastFailure(failure)
      setError(asApiError(failure))
      setRunning(undefined)
    }
  }

  return (
    <>
      <Dialog
        title={title}
        close={leave}
        wide={wide}
        actions={
          <>
            {others.map((other) => (
              <Button
                key={other.does}
                kind={other.danger === true ? 'danger' : 'plain'}
                disabled={other.disabled === true}
                busy={isRunning}
                onClick={() => void go(other)}
              >
                {other.does}
              </Button>
            ))}
            <Button onClick={leave}>{cancels}</Button>
            <Button
              type="submit"
              form={form}
              kind={main.danger === true ? 'danger' : 'primary'}
              disabled={main.disabled === true || lacksWord}
              whyNot={main.whyNot}
              busy={isRunning}
            >
              {main.does}
            </Button>
          </>
        }
      >
        <form
          id={form}
          ref={content}
          class="stack"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isWaiting) void go(main)
          }}
        >
          <Refused error={error}>
            {children}
            {word !== undefined && (
              <Field
                label={`Type ${word} to go on`}
                value={typed}
                onChange={setTyped}
                mono
                autofocus
                autocomplete="off"
                fleeting
              />
            )}
            <Refusal error={error} />
          </Refused>
        </form>
      </Dialog>
      {isLeaving && (
        <AskToClose title="Close without saving?" unsaved={unsaved} stay={() => setLeaving(false)} close={close}>
          What you have typed here is lost when you close it.
        </AskToClose>
      )}
    </>
  )
}

export interface AskToCloseProps {
  readonly title: string
  /** What is lost. */
  readonly children: string
  readonly unsaved: Unsaved
  readonly stay: () => void
  readonly close: () => void
}

/** Asked before a dialog closes in which something was typed. */
export function AskToClose({ title, children, unsaved, stay, close }: AskToCloseProps) {
  return (
    <Ask
      title={title}
      does="Close it"
      danger
      cancels="Keep it open"
      close={stay}
      run={async () => unsaved.release()}
      done={close}
    >
      <p>{children}</p>
    </Ask>
  )
}
