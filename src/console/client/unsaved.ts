// What was changed on a page or typed in a dialog and is not saved: whoever leaves the page is asked first, whichever way they leave it: by a link, a key, the
// history of the browser, or by closing the tab. A second step back in the history cannot be held up, and where a browser has no Navigation API, only closing
// is noticed.

import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'

/** Whether it may go with a step in the history of one page, as a dialog does that is open because of its address. */
const unsaved = new Map<object, boolean>()

/** Only while there is something: a browser that has to ask a page first opens the next one later, and keeps none for the way back. */
const holdUp = (event: Event): void => event.preventDefault()

function hold(mark: object, goesWithStep: boolean): void {
  if (unsaved.size === 0) window.addEventListener('beforeunload', holdUp)
  unsaved.set(mark, goesWithStep)
}

function release(mark: object): void {
  unsaved.delete(mark)
  if (unsaved.size === 0) window.removeEventListener('beforeunload', holdUp)
}

/** Somebody is about to leave; `go` does. */
export const leaving = signal<{ readonly go: () => void } | undefined>(undefined)

/** Leaves, or asks first. */
export function leave(go: () => void): void {
  if (unsaved.size === 0) go()
  else
    leaving.value = {
      go() {
        for (const mark of unsaved.keys()) release(mark)
        go()
      },
    }
}

export interface Unsaved {
  /** It is being saved, or has been: it may be left with that. */
  readonly release: () => void
}

/** Whether something of this page is, or of this dialog, which is asked once it has been drawn. */
export function useUnsaved(isUnsaved: boolean | (() => boolean)): Unsaved {
  const mark = useMemo(() => ({}), [])
  // Whatever was released is held again with what is typed after it.
  useLayoutEffect(() => {
    const isOfDialog = typeof isUnsaved === 'function'
    if (!(isOfDialog ? isUnsaved() : isUnsaved)) return undefined
    hold(mark, isOfDialog)
    return () => release(mark)
  })
  return { release: () => release(mark) }
}

export function watchLeaving(): void {
  const { navigation } = window as { readonly navigation?: Navigation }
  navigation?.addEventListener('navigate', (event) => {
    const { destination, navigationType, cancelable } = event
    const isSamePage = new URL(destination.url).pathname === location.pathname
    const isStep = navigationType !== 'replace' && [...unsaved.values()].includes(true)
    if (!destination.sameDocument || (isSamePage && !isStep)) return
    if (unsaved.size === 0 || !cancelable) {
      // What was asked before has been decided.
      leaving.value = undefined
      return
    }
    event.preventDefault()
    leave(() => {
      if (navigationType === 'traverse') navigation.traverseTo(destination.key)
      else history.pushState(null, '', destination.url)
    })
  })
}
