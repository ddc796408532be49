// Steps that follow each other, from the first to the last: which are behind, where it stands, and what is to come.

import './ladder.css'
import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from '../../parts/icon.js'

export type Outcome = 'passed' | 'failed' | 'running' | 'skipped' | 'pending'

export interface Rung {
  /** Unlike that of any other. */
  readonly id: string
  readonly outcome: Outcome
  readonly title: string
  /** Where the title does not say how it stands: for readers of the screen, who see no sign. */
  readonly read?: string
  readonly detail?: ComponentChildren
}

/** For `read`. */
export const outcomeWords: Readonly<Record<Outcome, string>> = {
  pending: 'to come',
  running: 'under way',
  passed: 'done',
  skipped: 'left out',
  failed: 'failed',
}

const signs: Readonly<Record<Outcome, IconName>> = {
  passed: 'check',
  failed: 'x',
  running: 'hourglass',
  skipped: 'minus',
  pending: 'clock',
}

export function Ladder({ rungs }: { readonly rungs: readonly Rung[] }) {
  return (
    <ol class="ladder">
      {rungs.map(({ id, outcome, title, read, detail }) => (
        <li key={id} class={outcome}>
          <span class="dot" aria-hidden="true">
            <Icon name={signs[outcome]} small />
          </span>
          <div>
            <p class="title">
              {title}
              {read !== undefined && <span class="only-read">: {read}</span>}
            </p>
            <div class="detail">{detail}</div>
          </div>
        </li>
      ))}
    </ol>
  )
}
