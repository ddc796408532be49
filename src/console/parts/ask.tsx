// A question before something is done, or a form: what will happen, in proportion to it, and what came of it. It does what was asked for, says so at the foot
// of the page and closes, or stays and shows why it was refused. What could do much harm has a word to be typed.

import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { ApiError } from '../client/api.js'
import { asApiError } from '../client/resource.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Field } from './field.js'
import { Refusal, Refused } from './refusal.js'
import { toast } from './toast.js'

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
}

export function Ask({ title, children, word, others = [], close, done = close, wide = false, ...main }: AskProps) {
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [typed, setTyped] = useState('')
  const form = useId()
  const isTyped = word === undefined || typed.trim() === word
  const isWaiting = main.disabled === true || !isTyped || main.whyNot !== undefined

  async function go({ run, stays = false, said }: Doing): Promise<void> {
    if (isRunning) return
    setRunning(true)
    setError(undefined)
    try {
      await run()
      if (said !== undefined) toast(said)
      if (stays) setRunning(false)
      else done()
    } catch (failure) {
      setError(asApiError(failure))
      setRunning(false)
    }
  }

  return (
    <Dialog
      title={title}
      close={close}
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
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            kind={main.danger === true ? 'danger' : 'primary'}
            disabled={main.disabled === true || !isTyped}
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
            />
          )}
          <Refusal error={error} />
        </Refused>
      </form>
    </Dialog>
  )
}
