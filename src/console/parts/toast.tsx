// A word about what has just been done, at the foot of the page, for some seconds. What has to be read stands in the page instead.

import './toast.css'
import { signal } from '@preact/signals'
import { asApiError } from '../client/resource.js'
import { Icon } from './icon.js'

interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'done' | 'failed'
  /** The code and the request, where something was refused. */
  readonly code?: string
}

const shownMs = { done: 6_000, failed: 20_000 } as const
const toasts = signal<readonly Toast[]>([])
let count = 0

export function toast(text: string, kind: Toast['kind'] = 'done', code?: string): void {
  const id = ++count
  const others = toasts.peek().filter((one) => one.text !== text)
  toasts.value = [...others.slice(-2), { id, text, kind, ...(code !== undefined && { code }) }]
  setTimeout(() => {
    toasts.value = toasts.peek().filter((one) => one.id !== id)
  }, shownMs[kind])
}

/** Why it has not been done: what it means, and the code. */
export function toastFailure(failure: unknown): void {
  const { message, code, requestId } = asApiError(failure)
  toast(message, 'failed', [code, requestId].filter((part) => part !== undefined).join(', '))
}

/** For what is done without a question: does it, and says so, or why it was refused. */
export async function attempt(work: () => Promise<unknown>, said?: string): Promise<void> {
  try {
    await work()
    if (said !== undefined) toast(said)
  } catch (failure) {
    toastFailure(failure)
  }
}

export function Toasts() {
  return (
    <div class="toasts" aria-live="polite">
      {toasts.value.map(({ id, text, kind, code }) => (
        <p key={id} class={kind}>
          <Icon name={kind === 'done' ? 'circle-check' : 'triangle-alert'} />
          <span>
            {text} {code !== undefined && <small class="mono">{code}</small>}
          </span>
        </p>
      ))}
    </div>
  )
}
