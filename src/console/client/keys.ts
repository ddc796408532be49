// The keyboard: what a key does where, from one list, which is also the help that `?` shows. While somebody types, only what holds Ctrl is taken.

import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface KeyBinding {
  /** `?`, `Enter`, `Ctrl k`, or two after each other: `g f`. */
  readonly keys: string
  readonly does: string
  readonly run: (event: KeyboardEvent) => void
}

/** What holds now; the newest first. */
export const bindings = signal<readonly KeyBinding[]>([])

/** As long as whoever calls it is shown. */
export function useKeys(given: readonly KeyBinding[]): void {
  const now = useRef(given)
  now.current = given
  const shape = given.map(({ keys, does }) => `${keys}\n${does}`).join('\n')
  useLayoutEffect(() => {
    const mine = now.current.map(({ keys, does }, at) => ({
      keys,
      does,
      run: (event: KeyboardEvent) => now.current[at]?.run(event),
    }))
    bindings.value = [...mine, ...bindings.peek()]
    return () => {
      bindings.value = bindings.peek().filter((one) => !mine.includes(one))
    }
  }, [shape])
}

const togetherMs = 900
let first: { readonly key: string; readonly at: number } | undefined

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.matches('input, select, textarea') || target.isContentEditable)

function named(event: KeyboardEvent): string {
  const held = event.ctrlKey || event.metaKey ? 'Ctrl ' : ''
  return held + (event.key.length === 1 ? event.key.toLowerCase() : event.key)
}

function onKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return
  const key = named(event)
  if (!key.startsWith('Ctrl ') && (isTyping(event.target) || document.querySelector('dialog[open]') !== null)) return
  const now = performance.now()
  const together = first !== undefined && now - first.at < togetherMs ? `${first.key} ${key}` : undefined
  const found =
    bindings.peek().find(({ keys }) => keys === together) ??
    bindings.peek().find(({ keys }) => keys.toLowerCase() === key.toLowerCase())
  first =
    found === undefined && bindings.peek().some(({ keys }) => keys.startsWith(`${key} `)) ? { key, at: now } : undefined
  if (found === undefined) return
  event.preventDefault()
  found.run(event)
}

export function startKeys(): void {
  addEventListener('keydown', onKey)
}
