// A list that the service pages by number: its rows, the way to the pages beside it, and what to do where there is none.

import type { ComponentChildren } from 'preact'
import type { Resource } from '../client/resource.js'
import { Pager } from './pager.js'
import { EmptyState, Loaded } from './states.js'
import { type Column, Table } from './table.js'

export interface ListProps<Row> {
  /** What it lists: `Charge points`. */
  readonly label: string
  readonly of: Resource<{ readonly data: readonly Row[]; readonly total: number }>
  readonly perPage: number
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  readonly open?: (row: Row) => void
  /** As high as its rows: it is one of several things on the page. */
  readonly fits?: boolean
  /** In the place of the rows, where there are none. */
  readonly empty: ComponentChildren
}

export function List<Row>({ label, of, perPage, columns, keyOf, open, fits, empty }: ListProps<Row>) {
  return (
    <Loaded of={of}>
      {({ data, total }) => (
        <>
          {total === 0 && data.length === 0 ? (
            empty
          ) : data.length === 0 ? (
            <EmptyState title="This page is empty">
              <span>There are fewer of them than there were. Go back a page.</span>
            </EmptyState>
          ) : (
            <Table
              label={label}
              columns={columns}
              count={data.length}
              rowAt={(at) => data[at] as Row}
              keyOf={keyOf}
              fits={fits === true}
              {...(open !== undefined && { open })}
            />
          )}
          {(total > perPage || (data.length === 0 && total > 0)) && (
            <Pager total={total} perPage={perPage} of={label.toLowerCase()} />
          )}
        </>
      )}
    </Loaded>
  )
}
