// The charge points that are shown, as rows. A cell that has changed fades once; nothing moves under the pointer.

import { useEffect, useMemo, useReducer } from 'preact/hooks'
import { chosen, fleet, onFleetChange, watch } from '../../client/fleet.js'
import { flags, fleetStates, letterStates } from '../../client/fleet-store.js'
import { durationText, momentText, numberText } from '../../client/format.js'
import { type ConnectorState, Glyph, StateLabel, stateNames } from '../../parts/state-glyph.js'
import { type Column, type NarrowRow, type Sort, Table } from '../../parts/table.js'
import { modelText, placeText } from './shown.js'

export interface FleetTableProps {
  readonly rows: Int32Array
  readonly sort: Sort
  readonly onSort: (sort: Sort) => void
  readonly rowHeight: number | undefined
  readonly current: number
  readonly onCurrent: (index: number) => void
  readonly onMark: (index: number) => void
  readonly open: (id: string) => void
  readonly touched: () => void
}

const stateAt = (row: number): ConnectorState => fleetStates[fleet.state[row] as number] ?? 'Offline'
const secondsNow = (): number => Date.now() / 1_000
const freshMs = 1_200
const ageEveryMs = 10_000
const repaintMs = 500
const mostGlyphs = 4

export function choose(ids: readonly string[], isChosen: boolean): void {
  const next = new Set(chosen.peek())
  for (const id of ids)
    if (isChosen) next.add(id)
    else next.delete(id)
  chosen.value = next
}

function Glyphs({ row }: { readonly row: number }) {
  const letters = fleet.connectors[row] ?? ''
  const states = [...letters].map((letter) => letterStates[letter] ?? 'Offline')
  const counts = new Map<ConnectorState, number>()
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1)
  const words = [...counts].map(([state, count]) => `${count} ${stateNames[state]}`).join(', ')
  return (
    <span class="glyphs" title={words}>
      <span class="only-read">{words}</span>
      {states.slice(0, mostGlyphs).map((state, at) => (
        <Glyph key={at} state={state} />
      ))}
      {states.length > mostGlyphs && <small>+{states.length - mostGlyphs}</small>}
    </span>
  )
}

function StateCell({ row }: { readonly row: number }) {
  const state = stateAt(row)
  const isFresh = performance.now() - (fleet.touched[row] as number) < freshMs && fleet.touched[row] !== 0
  const error = state === 'Faulted' ? fleet.texts.all[fleet.error[row] as number] : undefined
  const isTold = error !== undefined && error !== 'NoError'
  const isSilent = ((fleet.flags[row] as number) & flags.silent) !== 0
  return (
    <span key={isFresh ? fleet.touched[row] : 0} class={isFresh ? 'fresh' : ''}>
      <StateLabel state={state}>{isTold ? error : isSilent ? 'Connected, not ready' : undefined}</StateLabel>
    </span>
  )
}

function PowerCell({ row }: { readonly row: number }) {
  const watts = fleet.power[row] as number
  if (watts === 0) return null
  const most = (fleet.maxPower[row] as number) * (fleet.connectors[row]?.length ?? 1)
  return (
    <span class="power-cell">
      <span>{numberText(watts / 1_000, 1, true)} kW</span>
      <i ref={(element) => element?.style.setProperty('--share', String(most === 0 ? 0 : Math.min(1, watts / most)))} />
    </span>
  )
}

function since(seconds: number) {
  if (seconds === 0) return null
  return <span title={momentText(seconds * 1_000)}>{durationText(secondsNow() - seconds)}</span>
}

function SeenCell({ row }: { readonly row: number }) {
  const seconds = fleet.seen[row] as number
  if (seconds === 0) return <span class="dim">never</span>
  // Heartbeats are noted with some delay: whoever is connected was heard a moment ago.
  if (stateAt(row) !== 'Offline') return <span class="dim">now</span>
  return <span class="dim">{since(seconds)}</span>
}

function ChoiceCell({ row }: { readonly row: number }) {
  const id = fleet.ids[row] ?? ''
  const isChosen = chosen.peek().has(id)
  return (
    <button
      type="button"
      role="checkbox"
      class="choice"
      tabIndex={-1}
      aria-checked={isChosen}
      aria-label={`Choose ${id}`}
      onClick={() => choose([id], !isChosen)}
    />
  )
}

const columns: readonly Column<number>[] = [
  {
    id: 'chosen',
    name: 'Chosen',
    hideName: true,
    width: '16px',
    wideOnly: true,
    cell: (row) => <ChoiceCell row={row} />,
  },
  {
    id: 'charger',
    name: 'Charge point',
    width: 'minmax(112px, .8fr)',
    sortable: true,
    cell: (row) => (
      <span class="mono" title={fleet.names[row]}>
        {fleet.ids[row]}
      </span>
    ),
  },
  {
    id: 'place',
    name: 'Place',
    width: 'minmax(100px, 1.5fr)',
    sortable: true,
    wideOnly: true,
    cell: (row) => placeText(fleet, row),
  },
  { id: 'connectors', name: 'Connectors', width: '84px', sortable: true, cell: (row) => <Glyphs row={row} /> },
  { id: 'state', name: 'State', width: 'minmax(120px, 1fr)', sortable: true, cell: (row) => <StateCell row={row} /> },
  {
    id: 'power',
    name: 'Power now',
    width: '116px',
    sortable: true,
    wideOnly: true,
    cell: (row) => <PowerCell row={row} />,
  },
  {
    id: 'for',
    name: 'For',
    width: '76px',
    sortable: true,
    align: 'end',
    wideOnly: true,
    cell: (row) => since(fleet.since[row] as number),
  },
  {
    id: 'seen',
    name: 'Last seen',
    width: '80px',
    sortable: true,
    align: 'end',
    wideOnly: true,
    cell: (row) => <SeenCell row={row} />,
  },
  {
    id: 'model',
    name: 'Model',
    width: 'minmax(104px, .8fr)',
    sortable: true,
    wideOnly: true,
    cell: (row) => modelText(fleet, row),
  },
  {
    id: 'firmware',
    name: 'Firmware',
    width: 'minmax(70px, .5fr)',
    sortable: true,
    wideOnly: true,
    cell: (row) => <span class="mono dim">{fleet.texts.all[fleet.firmware[row] as number]}</span>,
  },
]

const narrow: NarrowRow<number> = {
  title: (row) => (
    <>
      <span class="mono">{fleet.ids[row]}</span> <Glyphs row={row} />
    </>
  ),
  about: (row) => placeText(fleet, row),
  end: (row) => <StateCell row={row} />,
}

export function FleetTable({
  rows,
  sort,
  onSort,
  rowHeight,
  current,
  onCurrent,
  onMark,
  open,
  touched,
}: FleetTableProps) {
  const [, draw] = useReducer((n: number) => n + 1, 0)
  const marked = chosen.value
  useEffect(() => onFleetChange(() => draw(0), repaintMs), [])
  useEffect(() => {
    const timer = setInterval(() => draw(0), ageEveryMs)
    return () => clearInterval(timer)
  }, [])
  const age = Math.floor(Date.now() / ageEveryMs)
  const seen = useMemo(
    () => (first: number, last: number) =>
      watch([...rows.subarray(first, Math.min(last + 1, first + 60))].flatMap((row) => fleet.ids[row] ?? [])),
    [rows],
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: where the pointer is, decides when rows may move
    <div class="fleet-table" onPointerMove={touched} onKeyDown={touched} onWheel={touched}>
      <Table
        label="Charge points"
        columns={columns}
        narrow={narrow}
        count={rows.length}
        rowAt={(at) => rows[at] as number}
        keyOf={(row) => fleet.ids[row] ?? `gone-${row}`}
        stampOf={(row) => {
          const isFresh = performance.now() - (fleet.touched[row] as number) < freshMs
          return `${fleet.stamps[row]} ${marked.has(fleet.ids[row] ?? '') ? 1 : 0} ${age} ${isFresh ? 1 : 0}`
        }}
        onSeen={seen}
        open={(row) => {
          const id = fleet.ids[row]
          if (id !== undefined) open(id)
        }}
        sort={sort}
        onSort={onSort}
        current={current}
        onCurrent={onCurrent}
        onMark={(_, index) => onMark(index)}
        {...(rowHeight !== undefined && { rowHeight })}
      />
    </div>
  )
}
