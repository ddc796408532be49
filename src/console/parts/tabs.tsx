// Tabs that are links: each is a page of its own, with its own address.

import './tabs.css'
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'

export interface Tab {
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
  /** How many there are of what is on it. */
  readonly mark?: ComponentChildren
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isCurrent, mark }) => (
        <Link key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
          {mark !== undefined && <span class="tag warn">{mark}</span>}
        </Link>
      ))}
    </nav>
  )
}
