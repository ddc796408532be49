// A column of a table.

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  /** Of the column, and of what is sorted by it. */
  readonly id: string
  readonly name: string
  /** The name is there for readers of the screen alone. */
  readonly hideName?: boolean
  readonly cell: (row: Row, at: number) => ComponentChildren
  /** As CSS grids say it: `112px`, `minmax(190px, 1.5fr)`. */
  readonly width: string
  readonly sortable?: boolean
  readonly align?: 'end'
  /** Of little use on a phone. */
  readonly wideOnly?: boolean
  /** Where it is on a phone, if it is not where a column of its place is (`table-narrow.tsx`). */
  readonly narrow?: 'title' | 'end'
  /** A sentence: it takes a second line. */
  readonly wraps?: true | 'on a phone'
  /** Its cells are buttons: rows have the room for them, and on a phone they are at the end. */
  readonly buttons?: boolean
}
