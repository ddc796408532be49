// Tabs that are links: each is a page of its own, with its own address.

import './tabs.css'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Link } from 'wouter-preact'

export interface Tab {
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
  /** How many there are of what is on it. */
  readonly mark?: ComponentChildren
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const nav = useRef<HTMLElement>(null)
  const current = tabs.find(({ isCurrent }) => isCurrent)?.href
  // Where there is no room for all of them, the one that is shown is in sight.
  useLayoutEffect(() => {
    const shown = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current == null || shown == null) return
    nav.current.scrollLeft =
      shown.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - shown.offsetWidth) / 2
  }, [current])
  return (
    <nav ref={nav} class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent, mark }) => (
        <Link key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
          {mark !== undefined && <span class="tag warn">{mark}</span>}
        </Link>
      ))}
    </nav>
  )
}
