// The fleet: its figures, its states, its map, what needs attention, and every charge point of it. All of it is in the browser, and kept current by one stream.

import './fleet.css'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { offer } from '../../app/palette-items.js'
import { useQuery } from '../../client/address.js'
import { chosen, fleet, fleetStatus, useFleet } from '../../client/fleet.js'
import { fields, proposals } from '../../client/fleet-filter.js'
import { fleetStates } from '../../client/fleet-store.js'
import { numberText, timeText } from '../../client/format.js'
import { useKeys } from '../../client/keys.js'
import { liveStreams } from '../../client/live.js'
import { leaveList } from '../../client/neighbours.js'
import { remember, remembered } from '../../client/remembered.js'
import { may, mayCommand } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Chip, Segmented } from '../../parts/chip.js'
import { Combobox } from '../../parts/combobox.js'
import { saveFile } from '../../parts/download.js'
import { Field } from '../../parts/field.js'
import { lazily } from '../../parts/lazily.js'
import { Menu } from '../../parts/menu.js'
import { PageHead } from '../../parts/panel.js'
import { stateNames } from '../../parts/state-glyph.js'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.js'
import type { Sort } from '../../parts/table.js'
import { Attention, useAttention } from './attention.js'
import { csvOf } from './export.js'
import { Figures } from './figures.js'
import { choose, FleetTable } from './fleet-table.js'
import './found.js'
import { FleetMap } from './map.js'
import type { Ring } from './map-drawing.js'
import { Ribbon } from './ribbon.js'
import { placeText, useShown } from './shown.js'
import { builtIn, loadViews, ownViews, removeView, saveView } from './views.js'

const RegisterDialog = lazily(async () => (await import('./register.js')).RegisterDialog)
const SelectionCommand = lazily(async () => (await import('./selection.js')).SelectionCommand)

const writeAfterMs = 250
const foundMost = 8
const mostRings = 3
const roomy = 36

/** `power`, or `-power` where the largest comes last. */
function sortOf(text: string | undefined): Sort {
  const descending = text?.startsWith('-') === true
  return { by: (descending ? text?.slice(1) : text) ?? 'state', descending }
}

/** The filter, which stands in the address a moment after somebody has written it. */
function useFilter(): readonly [string, (text: string, atOnce?: boolean) => void] {
  const [inAddress, setAddress] = useQuery('q')
  const [text, setText] = useState(inAddress ?? '')
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Whoever goes on typing while the address is written keeps what they have typed.
  const written = useRef(inAddress ?? '')
  // Before the next key: what is typed after a link was followed stays.
  useLayoutEffect(() => {
    if ((inAddress ?? '') !== written.current) setText(inAddress ?? '')
    written.current = inAddress ?? ''
  }, [inAddress])
  useEffect(() => () => clearTimeout(timer.current), [])
  const set = useCallback(
    (next: string, atOnce = false) => {
      setText(next)
      clearTimeout(timer.current)
      const write = (push: boolean): void => {
        written.current = next
        setAddress(next, push)
      }
      if (atOnce) write(true)
      else timer.current = setTimeout(() => write(false), writeAfterMs)
    },
    [setAddress],
  )
  return [text, set]
}

function useDensity() {
  const [density, setDensity] = useState<'dense' | 'roomy'>(() =>
    remembered('ampshard fleet density') === 'roomy' ? 'roomy' : 'dense',
  )
  const set = (next: 'dense' | 'roomy'): void => {
    setDensity(next)
    remember('ampshard fleet density', next)
  }
  return [density, set] as const
}

export function Page() {
  useFleet()
  const [, navigate] = useLocation()
  const [filter, setFilter] = useFilter()
  const [sortText, setSort] = useQuery('sort')
  const sort = useMemo(() => sortOf(sortText), [sortText])
  const { shown, touched } = useShown(filter, sort)
  const causes = useAttention()
  const [current, setCurrent] = useState(-1)
  const [dialog, setDialog] = useState<'register' | 'view' | 'command'>()
  const [density, setDensity] = useDensity()
  const input = useRef<HTMLInputElement>(null)
  const { isReady, error, at } = fleetStatus.value
  const marked = chosen.value
  useEffect(loadViews, [])
  // Before the next key: what that chooses is of what is shown now.
  useLayoutEffect(() => setCurrent(-1), [filter, sortText])
  const left = useRef<() => void>(() => {})
  left.current = () =>
    leaveList(
      [...shown.rows].flatMap((row) => fleet.ids[row] ?? []),
      filter,
    )
  useEffect(() => () => left.current(), [])

  const open = useCallback((id: string) => navigate(`/charge-points/${encodeURIComponent(id)}`), [navigate])
  const show = useCallback((text: string) => setFilter(text, true), [setFilter])
  const idAt = (index: number): string | undefined => fleet.ids[shown.rows[index] as number]

  const mark = (index: number): void => {
    const id = idAt(index)
    if (id !== undefined) choose([id], !chosen.peek().has(id))
  }
  const move = (step: number): void => {
    document.querySelector<HTMLElement>('.fleet-table .table-rows')?.focus()
    touched()
    // Of what it is by then: two keys may come before it is drawn.
    setCurrent((now) => Math.max(0, Math.min(shown.rows.length - 1, now + step)))
  }
  useKeys([
    { keys: '/', does: 'Filter the fleet', run: () => input.current?.focus() },
    { keys: 'j', does: 'Next charge point', run: () => move(1) },
    { keys: 'k', does: 'Previous charge point', run: () => move(-1) },
    { keys: 'x', does: 'Choose the charge point', run: () => mark(current) },
    ...(marked.size > 0 && mayCommand()
      ? [{ keys: 'c', does: 'Send a command to those that are chosen', run: () => setDialog('command') }]
      : []),
  ])

  useEffect(
    () =>
      offer((text) => {
        const wanted = text.toLowerCase()
        if (wanted === '') return []
        const found: number[] = []
        for (let row = 0; row < fleet.end && found.length < foundMost; row++)
          if (fleet.ids[row]?.toLowerCase().includes(wanted)) found.push(row)
        return found.map((row) => ({
          group: 'Charge points',
          name: fleet.ids[row] as string,
          about: `${placeText(fleet, row)} · ${stateNames[fleetStates[fleet.state[row] as number] ?? 'Offline']}`,
          icon: 'plug-zap' as const,
          isId: true,
          href: `/charge-points/${encodeURIComponent(fleet.ids[row] as string)}`,
        }))
      }),
    [],
  )

  const rings = useMemo(
    (): readonly Ring[] =>
      (causes.data?.causes ?? [])
        .filter(({ kind, shared }) => kind === 'offline' && (shared.network !== null || shared.site !== null))
        .slice(0, mostRings)
        .map(({ charge_points: count, examples }) => ({ text: `${numberText(count)} lost together`, ids: examples })),
    [causes.data],
  )

  function exportRows(): void {
    const rows = marked.size > 0 ? [...marked].flatMap((id) => fleet.placeOf(id) ?? []) : shown.rows
    saveFile(`fleet-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', csvOf(rows))
  }

  const stream = liveStreams.value.get('fleet')
  const isStale = stream?.state === 'cut' || (error !== undefined && isReady)
  const allIds = (): string[] => [...shown.rows].flatMap((row) => fleet.ids[row] ?? [])
  return (
    <div class={isStale ? 'fleet stale' : 'fleet'}>
      <PageHead
        title="Fleet"
        about={<Views filter={filter} show={show} />}
        actions={
          <>
            <Menu
              label="Views"
              button="Views"
              class="button plain"
              items={[
                { name: 'Save this view', icon: 'save', run: () => setDialog('view') },
                ...ownViews.value.map(({ name }) => ({
                  name: `Remove “${name}”`,
                  icon: 'trash' as const,
                  run: () => removeView(name),
                })),
              ]}
            />
            <Button icon="download" onClick={exportRows}>
              {marked.size > 0 ? `Export ${numberText(marked.size)}` : 'Export'}
            </Button>
            {may('write:charge_points') && (
              <Button kind="primary" icon="plus" onClick={() => setDialog('register')}>
                Register
              </Button>
            )}
          </>
        }
      />
      {isStale && (
        <p class="stale-note" role="status">
          The connection is cut: what you see is of {timeText(stream?.at ?? at ?? Date.now())}. It is tried again.
        </p>
      )}
      <Figures />
      <Ribbon counts={shown.counts} filter={filter} show={show} />
      <div class="middle">
        <FleetMap rows={shown.rows} rings={rings} onOpen={open} />
        <Attention causes={causes} show={show} shown={filter} />
      </div>
      <section class="panel fleet-list" aria-label="Charge points">
        <header>
          <Combobox
            label="Filter"
            hideLabel
            value={filter}
            onChange={(text) => setFilter(text)}
            onTake={(text) => setFilter(text)}
            propose={(text) => proposals(text, fleet)}
            placeholder="Filter: id, place, status:faulted, model:K300, city:Leipzig, power>50"
            onLeave={() => move(current < 0 ? 1 : 0)}
            inputRef={input}
          />
          <span class="hits" aria-live="polite" data-milliseconds={shown.milliseconds.toFixed(1)}>
            {numberText(shown.rows.length)} of {numberText(fleet.size)}
          </span>
          {shown.unknown.length > 0 && (
            <span class="warn-text" role="status">
              {shown.unknown.join(' ')} means nothing here. Words: {Object.keys(fields).join(', ')}.
            </span>
          )}
          <span class="actions">
            {marked.size > 0 && (
              <>
                <span class="sub">{numberText(marked.size)} chosen</span>
                {mayCommand() && (
                  <Button small kind="primary" icon="terminal" onClick={() => setDialog('command')}>
                    Command
                  </Button>
                )}
                <Button small onClick={() => choose([...marked], false)}>
                  None
                </Button>
              </>
            )}
            <Button small onClick={() => choose(allIds(), true)} disabled={shown.rows.length === 0}>
              Choose all
            </Button>
            <Segmented
              label="Height of rows"
              value={density}
              options={[
                { value: 'dense', name: 'Dense' },
                { value: 'roomy', name: 'Roomy' },
              ]}
              onChange={setDensity}
            />
          </span>
        </header>
        {!isReady ? (
          error === undefined ? (
            <LoadingState rows={8} />
          ) : (
            <ErrorState error={error} />
          )
        ) : shown.rows.length === 0 ? (
          <EmptyState
            icon={fleet.size === 0 ? 'plug' : 'funnel'}
            title={fleet.size === 0 ? 'There is no charge point yet' : 'No charge point matches'}
          >
            {fleet.size === 0 ? (
              <span>Register one, or let one connect.</span>
            ) : (
              <Button onClick={() => show('')}>Show all</Button>
            )}
          </EmptyState>
        ) : (
          <FleetTable
            rows={shown.rows}
            sort={sort}
            onSort={({ by, descending }) =>
              setSort(by === 'state' && !descending ? undefined : `${descending ? '-' : ''}${by}`)
            }
            rowHeight={density === 'roomy' ? roomy : undefined}
            current={current}
            onCurrent={setCurrent}
            open={open}
            onMark={mark}
            touched={touched}
          />
        )}
        <footer>
          <span aria-hidden="true">
            <kbd>j</kbd> <kbd>k</kbd> move
          </span>
          <span aria-hidden="true">
            <kbd>x</kbd> choose
          </span>
          <span aria-hidden="true">
            <kbd>/</kbd> filter
          </span>
          {at !== undefined && <span class="end">Snapshot of {timeText(at)}, kept current by events</span>}
        </footer>
      </section>
      {dialog === 'register' && <RegisterDialog close={() => setDialog(undefined)} open={open} />}
      {dialog === 'command' && <SelectionCommand shown={shown.rows} close={() => setDialog(undefined)} />}
      {dialog === 'view' && <ViewDialog filter={filter} close={() => setDialog(undefined)} />}
    </div>
  )
}

function Views({ filter, show }: { readonly filter: string; readonly show: (filter: string) => void }) {
  return (
    <span class="views" role="group" aria-label="Views">
      {[...builtIn, ...ownViews.value].map((view) => (
        <Chip key={view.name} pressed={view.filter === filter} onClick={() => show(view.filter)}>
          {view.name}
        </Chip>
      ))}
    </span>
  )
}

function ViewDialog({ filter, close }: { readonly filter: string; readonly close: () => void }) {
  const [name, setName] = useState('')
  return (
    <Ask
      title="Save this view"
      does="Save"
      disabled={name.trim() === ''}
      run={async () => saveView({ name: name.trim(), filter })}
      close={close}
    >
      <Field
        label="Name"
        value={name}
        onChange={setName}
        autofocus
        hint={filter === '' ? 'It shows all charge points.' : `It shows ${filter}`}
      />
      <p class="dim">Views are kept in this browser.</p>
    </Ask>
  )
}
