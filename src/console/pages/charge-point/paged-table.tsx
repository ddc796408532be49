// A list that the API pages by number: its rows, and the way to the pages before and after. The page stands in the address.

import { useQuery } from '../../client/address.js'
import { numberText } from '../../client/format.js'
import type { Resource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { type Column, type NarrowRow, Table } from '../../parts/table.js'

export const perPage = 50

export interface Paged<Row> {
  readonly data: readonly Row[]
  readonly total: number
  readonly page: number
  readonly per_page: number
  /** Rows that stand before those of the page. */
  readonly waiting?: number
}

export interface PagedTableProps<Row> {
  readonly label: string
  readonly of: Resource<Paged<Row>>
  readonly columns: readonly Column<Row>[]
  readonly narrow: NarrowRow<Row>
  readonly keyOf: (row: Row) => string
  readonly open?: (row: Row) => void
  readonly empty: preact.ComponentChildren
}

export function PagedTable<Row>({ label, of, columns, narrow, keyOf, open, empty }: PagedTableProps<Row>) {
  const [, setPage] = useQuery('page')
  return (
    <Panel class="fills">
      <Loaded of={of}>
        {({ data, total, page, per_page, waiting = 0 }) =>
          data.length === 0 ? (
            empty
          ) : (
            <>
              <Table
                label={label}
                columns={columns}
                narrow={narrow}
                count={data.length}
                rowAt={(at) => data[at] as Row}
                keyOf={keyOf}
                {...(open !== undefined && { open })}
              />
              {total > per_page && (
                <div class="pages">
                  <Button
                    small
                    icon="chevron-left"
                    label="Newer"
                    disabled={page <= 1}
                    onClick={() => setPage(page === 2 ? undefined : String(page - 1), true)}
                  />
                  <span class="dim">
                    {numberText((page - 1) * per_page + 1)} to{' '}
                    {numberText((page - 1) * per_page + data.length - waiting)} of {numberText(total)}
                  </span>
                  <Button
                    small
                    icon="chevron-right"
                    label="Older"
                    disabled={page * per_page >= total}
                    onClick={() => setPage(String(page + 1), true)}
                  />
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  )
}
