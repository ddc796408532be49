// What goes on in this tab beyond the page that has begun it: the bar at the top shows it on every page, and the browser asks before the tab is closed while it runs.

import { effect, signal } from '@preact/signals'

export interface UnderWay {
  readonly id: string
  readonly title: string
  /** The page that shows it, below /console. */
  readonly href: string
  readonly done: number
  readonly count: number
  /** Of those that are done. */
  readonly failed: number
  /** `halted`: it waits for somebody. */
  readonly is: 'running' | 'halted' | 'ended'
}

/** The newest first. */
export const underWay = signal<readonly UnderWay[]>([])

/** In the place of what was told before under the same id. */
export function tell(one: UnderWay): void {
  const before = underWay.peek()
  underWay.value = before.some(({ id }) => id === one.id)
    ? before.map((other) => (other.id === one.id ? one : other))
    : [one, ...before]
}

export function forget(id: string): void {
  underWay.value = underWay.peek().filter((one) => one.id !== id)
}

/** The browser asks in its own words whether the tab is to be closed. */
function keep(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

let isKept = false
effect(() => {
  const isWanted = underWay.value.some((one) => one.is !== 'ended')
  if (isWanted === isKept) return
  isKept = isWanted
  if (isWanted) addEventListener('beforeunload', keep)
  else removeEventListener('beforeunload', keep)
})
