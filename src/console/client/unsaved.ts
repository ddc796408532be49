// What was changed on a page and is not saved: whoever leaves the page is asked first, whichever way they leave it: by a link, a key, the history of the
// browser, or by closing the tab. Where a browser has no Navigation API, only the last is noticed.

import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'

const unsaved = new Set<object>()

/** Somebody is about to leave; `go` does. */
export const leaving = signal<{ readonly go: () => void } | undefined>(undefined)

/** Whether something of this page is. Returns what says that it has just been saved, for a page that is left with that. */
export function useUnsaved(isUnsaved: boolean): () => void {
  const mark = useMemo(() => ({}), [])
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined
    unsaved.add(mark)
    return () => void unsaved.delete(mark)
  }, [isUnsaved, mark])
  return () => void unsaved.delete(mark)
}

export function watchLeaving(): void {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
  const { navigation } = window as { readonly navigation?: Navigation }
  navigation?.addEventListener('navigate', (event) => {
    const { destination, navigationType, cancelable } = event
    const { pathname } = new URL(destination.url)
    if (unsaved.size === 0 || !cancelable || !destination.sameDocument || pathname === location.pathname) return
    event.preventDefault()
    leaving.value = {
      go() {
        unsaved.clear()
        if (navigationType === 'traverse') navigation.traverseTo(destination.key)
        else history.pushState(null, '', destination.url)
      },
    }
  })
}
