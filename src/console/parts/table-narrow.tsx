// A row where there is no room for columns: two lines, and something at their end. What the page does not say is made of its columns: columns would shrink to a letter.

import { type ComponentChildren, Fragment } from 'preact'
import type { Column } from './table-column.js'

export interface NarrowRow<Row> {
  readonly title: (row: Row, at: number) => ComponentChildren
  readonly about: (row: Row, at: number) => ComponentChildren
  readonly end?: (row: Row, at: number) => ComponentChildren
  /** Which of them is a sentence: it takes a second line. */
  readonly wraps?: 'title' | 'about'
}

export function narrowColumn<Row>({ title, about, end, wraps }: NarrowRow<Row>): Column<Row> {
  const cell = (row: Row, at: number): ComponentChildren => (
    <span class="two-lines">
      <span class={wraps === 'title' ? 'wraps' : ''}>{title(row, at)}</span>
      <span class={wraps === 'about' ? 'dim wraps' : 'dim'}>{about(row, at)}</span>
      {end !== undefined && <span class="at-end">{end(row, at)}</span>}
    </span>
  )
  return { id: 'all', name: 'Row', width: 'minmax(0, 1fr)', cell }
}

/** The first column is the title, buttons are at the end, and the others are in the second line: figures with their names. */
export function narrowRowOf<Row>(columns: readonly Column<Row>[]): NarrowRow<Row> {
  const shown = columns.filter(({ wideOnly }) => wideOnly !== true)
  const titles = shown.filter(({ narrow }) => narrow === 'title')
  const first = titles.length > 0 ? titles : shown.slice(0, 1)
  const others = shown.filter((column) => !first.includes(column))
  const end = others.find(({ narrow, buttons }) => narrow === 'end' || buttons === true)
  const about = others.filter((column) => column !== end)
  return {
    title: (row, at) =>
      first.map(({ id, cell }, place) => (
        <Fragment key={id}>
          {place > 0 && ' '}
          {cell(row, at)}
        </Fragment>
      )),
    about: (row, at) => (
      <span class="one-after-other">
        {about.map(({ id, name, hideName, align, cell }) => (
          <span key={id}>
            {align === 'end' && hideName !== true && `${name} `}
            {cell(row, at)}
          </span>
        ))}
      </span>
    ),
    ...(end !== undefined && { end: end.cell }),
    ...(about.some(({ wraps }) => wraps !== undefined) && { wraps: 'about' }),
  }
}
