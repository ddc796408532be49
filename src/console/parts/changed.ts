// Which fields are other than they were when they were first shown. They are marked where they are drawn, and the marks are looked for when it matters: whoever
// listens to each input lets the page be drawn between the `input` and the `change` of a box that is ticked.

import { useRef } from 'preact/hooks'

/** Marks what shows the value, to be spread. Nobody misses what is `fleeting`, such as what a list is searched for. */
export function useChanged(value: unknown, fleeting = false) {
  const begun = useRef(value)
  return { 'data-changed': value === begun.current ? undefined : fleeting ? 'fleeting' : 'kept' }
}

export const hasChanged = (within: HTMLElement | null): boolean => within?.querySelector('[data-changed]') != null

/** Something that would be missed. */
export const hasContent = (within: HTMLElement | null): boolean => within?.querySelector('[data-changed=kept]') != null
