// A table of any length: only the rows that are seen are made. Rows are links or are chosen with j, k and Enter; what is sorted by
// stands in the head. It holds no data: rows are asked for by their number.

import './table.css'
import { Component } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'preact/hooks'
import { isPhone } from '../client/viewport.js'
import { Icon } from './icon.js'
import { useRowsInView } from './rows-in-view.js'
import type { Column } from './table-column.js'
import { type NarrowRow, narrowColumn, narrowRowOf } from './table-narrow.js'

export type { Column } from './table-column.js'
export type { NarrowRow } from './table-narrow.js'

export interface Sort {
  readonly by: string
  readonly descending: boolean
}

export interface TableProps<Row> {
  /** What it lists. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  /** In the place of columns, on a phone; made of the columns where it is not said. */
  readonly narrow?: NarrowRow<Row>
  /** As high as its rows, and not as the page: for one of several things on it. */
  readonly fits?: boolean
  readonly count: number
  readonly rowAt: (index: number) => Row
  readonly keyOf: (row: Row, index: number) => string
  readonly open?: (row: Row, index: number) => void
  readonly sort?: Sort
  readonly onSort?: (sort: Sort) => void
  /** Px, where it is more than what its columns take. */
  readonly rowHeight?: number
  /** The row that the keyboard is at, where the page has a say in it. */
  readonly current?: number
  readonly onCurrent?: (index: number) => void
  /** Space: a row is chosen, or not any more. */
  readonly onMark?: (row: Row, index: number) => void
  /** Called when the last rows are seen: more can be asked for. */
  readonly onEnd?: () => void
  /** Of a row that is drawn again only when this is another: for tables whose rows change all the time. */
  readonly stampOf?: (row: Row, index: number) => unknown
  /** Which rows are seen now. */
  readonly onSeen?: (first: number, last: number) => void
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, narrow, count, rowAt, keyOf, open, sort } = props
  const { onSort, onCurrent, onMark, onEnd, stampOf, onSeen } = props
  const viewport = useRef<HTMLDivElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const [, redraw] = useReducer((n: number) => n + 1, 0)
  const own = useRef(-1)
  const current = props.current ?? own.current
  const phone = isPhone.value
  const narrowRow = useMemo(() => (phone ? (narrow ?? narrowRowOf(columns)) : undefined), [columns, narrow, phone])
  const shown = useMemo(() => (narrowRow === undefined ? columns : [narrowColumn(narrowRow)]), [columns, narrowRow])
  const height = Math.max(props.rowHeight ?? 0, leastHeight(columns, narrowRow))
  const rows = useRowsInView(viewport, count, height)
  useLayoutEffect(() => {
    grid.current?.style.setProperty('--height', `${count * height}px`)
    grid.current?.style.setProperty('--columns', shown.map(({ width }) => width).join(' '))
  }, [shown, count, height])
  const isAtEnd = rows.end >= count && count > 0
  useEffect(() => {
    if (isAtEnd) onEnd?.()
  }, [isAtEnd, count])

  function move(to: number): void {
    const next = Math.max(0, Math.min(count - 1, to))
    own.current = next
    onCurrent?.(next)
    rows.show(next)
    redraw(0)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== viewport.current) return
    const page = Math.max(1, Math.floor((viewport.current?.clientHeight ?? height) / height) - 1)
    const to = {
      j: current + 1,
      ArrowDown: current + 1,
      k: current - 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: count - 1,
    }[event.key]
    if (to !== undefined) move(to)
    else if (event.key === 'Enter' && current >= 0 && current < count) open?.(rowAt(current), current)
    else if (event.key === ' ' && onMark !== undefined && current >= 0 && current < count)
      onMark(rowAt(current), current)
    else return
    event.preventDefault()
  }

  const latest = useRef({ move, open, rowAt })
  latest.current = { move, open, rowAt }
  const press = useMemo(
    () => (index: number) => {
      const { move, open, rowAt } = latest.current
      move(index)
      open?.(rowAt(index), index)
    },
    [],
  )
  const { first, end } = rows
  useEffect(() => onSeen?.(first, end - 1), [first, end, count])

  return (
    <div
      ref={grid}
      class={props.fits === true ? 'table fits' : 'table'}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={shown.length}
    >
      <div class="table-head" role="row" tabIndex={-1} aria-rowindex={1}>
        {shown.map((column) => (
          <HeadCell key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard, which moves in its rows */}
      <div ref={viewport} class="table-rows" tabIndex={0} role="rowgroup" aria-label={label} onKeyDown={onKeyDown}>
        <div class="table-space" role="presentation" ref={sized(`${count * height}px`)}>
          {Array.from({ length: rows.end - rows.first }, (_, at) => {
            const index = rows.first + at
            const row = rowAt(index)
            return (
              <TableRow
                key={keyOf(row, index)}
                columns={shown as readonly Column<unknown>[]}
                row={row}
                index={index}
                start={index * height}
                height={height}
                isCurrent={index === current}
                stamp={stampOf?.(row, index)}
                press={press}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface TableRowProps {
  readonly columns: readonly Column<unknown>[]
  readonly row: unknown
  readonly index: number
  readonly start: number
  readonly height: number
  readonly isCurrent: boolean
  readonly stamp: unknown
  readonly press: (index: number) => void
}

class TableRow extends Component<TableRowProps> {
  override shouldComponentUpdate(next: TableRowProps): boolean {
    const { props } = this
    return (
      next.stamp === undefined ||
      next.stamp !== props.stamp ||
      next.row !== props.row ||
      next.index !== props.index ||
      next.start !== props.start ||
      next.height !== props.height ||
      next.isCurrent !== props.isCurrent ||
      next.columns !== props.columns
    )
  }

  override render({ columns, row, index, start, height, isCurrent, press }: TableRowProps) {
    return (
      <div
        class={isCurrent ? 'row current' : 'row'}
        role="row"
        tabIndex={-1}
        aria-rowindex={index + 2}
        aria-selected={isCurrent}
        ref={placed(start, height)}
        onClick={(event) => {
          const isOther = (event.target as Element).closest('a, button, input') !== null
          if (window.getSelection()?.type !== 'Range' && !isOther) press(index)
        }}
      >
        {columns.map((column) => (
          <div key={column.id} role="gridcell" class={column.align === 'end' ? 'end' : ''}>
            {column.wraps === true ? <span class="wraps">{column.cell(row, index)}</span> : column.cell(row, index)}
          </div>
        ))}
      </div>
    )
  }
}

/** Px. On a phone, a thumb finds the row, and each of its buttons. */
function leastHeight<Row>(columns: readonly Column<Row>[], narrow: NarrowRow<Row> | undefined): number {
  const hasButtons = columns.some(({ buttons }) => buttons === true)
  if (narrow !== undefined) return narrow.wraps !== undefined ? 62 : hasButtons ? 52 : 44
  return columns.some(({ wraps }) => wraps === true) ? 42 : hasButtons ? 36 : 28
}

const sized = (height: string) => (element: HTMLElement | null) => {
  if (element !== null) element.style.height = height
}

const placed = (top: number, height: number) => (element: HTMLElement | null) => {
  if (element === null) return
  element.style.transform = `translateY(${top}px)`
  element.style.height = `${height}px`
}

function HeadCell<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>
  readonly sort: Sort | undefined
  readonly onSort: ((sort: Sort) => void) | undefined
}) {
  const { id, name, sortable, align } = column
  const isSorted = sort?.by === id
  const direction = sort?.descending === true ? 'descending' : 'ascending'
  return (
    <div role="columnheader" class={align === 'end' ? 'end' : ''} aria-sort={isSorted ? direction : undefined}>
      {sortable === true && onSort !== undefined ? (
        <button type="button" onClick={() => onSort({ by: id, descending: isSorted ? !sort.descending : false })}>
          {name}
          {isSorted && <Icon name={sort.descending ? 'arrow-down' : 'arrow-up'} small />}
        </button>
      ) : (
        <span class={column.hideName === true ? 'only-read' : ''}>{name}</span>
      )}
    </div>
  )
}
