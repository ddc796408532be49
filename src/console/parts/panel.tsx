// A panel: what belongs together, under its name.

import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface PanelProps {
  readonly title?: ComponentChildren
  /** Beside the name. */
  readonly hint?: ComponentChildren
  /** At the right of the head. */
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
  /** With room around its content. */
  readonly padded?: boolean
}

export function Panel({ title, hint, actions, children, padded = false, ...rest }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${rest.class ?? ''}`} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header>
          <h2 id={id}>{title}</h2>
          {hint !== undefined && <span class="hint">{hint}</span>}
          {actions !== undefined && <span class="actions">{actions}</span>}
        </header>
      )}
      {padded ? <div class="padded">{children}</div> : children}
    </section>
  )
}

/** The head of a page: its name, what it is about, and what can be done. */
export function PageHead({
  title,
  about,
  actions,
  children,
}: {
  readonly title: ComponentChildren
  readonly about?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
}) {
  return (
    <div class="page-head">
      <div class="line">
        <h1>{title}</h1>
        {about !== undefined && <span class="about">{about}</span>}
        {actions !== undefined && <span class="actions">{actions}</span>}
      </div>
      {children}
    </div>
  )
}
