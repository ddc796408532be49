// Which rows of a long list are in view, all of one height: no more than these are made. What scrolls is looked at when it scrolls and when its size changes.

import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

export interface RowsInView {
  readonly first: number
  /** Behind the last one. */
  readonly end: number
  /** Scrolls no farther than it has to. */
  readonly show: (index: number) => void
}

/** Rows that are made beyond those in view, so that scrolling finds them there. */
const beyond = 8
/** Of those in view before the place is known. */
const firstRows = 24

export function useRowsInView(viewport: RefObject<HTMLElement | null>, count: number, rowHeight: number): RowsInView {
  const [range, setRange] = useState({ first: 0, end: firstRows })

  useLayoutEffect(() => {
    const element = viewport.current
    if (element === null) return undefined
    const look = (): void => {
      const { scrollTop, clientHeight } = element
      // In steps, so that not every row that comes into view draws them all anew.
      const step = beyond / 2
      const first = Math.max(0, Math.floor(scrollTop / rowHeight / step) * step - step)
      const end = Math.ceil((scrollTop + clientHeight) / rowHeight / step) * step + beyond
      setRange((before) => (before.first === first && before.end === end ? before : { first, end }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      resized.disconnect()
    }
  }, [rowHeight, count])

  function show(index: number): void {
    const element = viewport.current
    if (element === null) return
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
  }

  return { first: Math.min(range.first, count), end: Math.min(range.end, count), show }
}
