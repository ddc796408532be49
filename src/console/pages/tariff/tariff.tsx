// One tariff: its prices, its bands and the schedule that picks one, tried on past sessions before it is saved.

import './tariff.css'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { ApiError, api, ask, randomKey } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { asApiError, useResource } from '../../client/resource.js'
import { may, me } from '../../client/session.js'
import { useUnsaved } from '../../client/unsaved.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Chip } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { fieldsText, Refusal, Refused } from '../../parts/refusal.js'
import { previewPeriod, type Simulation, SimulationResult } from '../../parts/simulation.js'
import { Loaded } from '../../parts/states.js'
import { toast } from '../../parts/toast.js'
import { Components } from './components.js'
import {
  type BandDraft,
  days,
  draftOf,
  type EntryDraft,
  faultsIn,
  newBand,
  newEntry,
  newTariff,
  sentBands,
  sentSchedule,
  sentTariff,
  type TariffDraft,
} from './draft.js'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

interface Sent {
  readonly tariff: ReturnType<typeof sentTariff>
  readonly bands: ReturnType<typeof sentBands>
  readonly schedule: ReturnType<typeof sentSchedule>
}

const sentOf = (draft: TariffDraft): Sent => ({
  tariff: sentTariff(draft),
  bands: sentBands(draft),
  schedule: sentSchedule(draft),
})

/** What the service has of a tariff. */
interface Kept {
  id: string | undefined
  sent: Sent
  /** A new one is made once, however often it has to be asked for. */
  creation?: { readonly tariff: Sent['tariff']; readonly key: string }
  /** One save begins when the one before it has ended. */
  saving: Promise<unknown>
}

/** What is refused is told by its place in the tariff. */
async function at<Data>(answer: Promise<Data>, placed: (path: string) => string): Promise<Data> {
  try {
    return await answer
  } catch (failure) {
    const { status, code, message, requestId, retryAfterSeconds, details } = asApiError(failure)
    const moved = details.map((detail) => ({ ...detail, path: placed(detail.path) }))
    throw new ApiError(status, code, message, requestId, retryAfterSeconds, moved)
  }
}

/**
 * What of it is another than the service has is sent, in the order in which the service takes it: bands before the entries that name them. `kept` follows:
 * where a part is refused, what came before it is not sent again.
 */
async function save(kept: Kept, draft: TariffDraft): Promise<string> {
  const { tariff, bands, schedule } = sentOf(draft)
  const path = () => ({ params: { path: { tariff_id: kept.id ?? '' } } })
  if (kept.id === undefined) kept.id = await create(kept, tariff)
  else if (!isSame(tariff, kept.sent.tariff))
    await ask(api.PUT('/api/v1/billing/tariffs/{tariff_id}', { ...path(), body: tariff }))
  kept.sent = { ...kept.sent, tariff }
  if (!isSame(bands, kept.sent.bands))
    await at(
      ask(api.POST('/api/v1/tariffs/{tariff_id}/rates', { ...path(), body: bands })),
      (place) => `/bands${place}`,
    )
  kept.sent = { ...kept.sent, bands }
  if (!isSame(schedule, kept.sent.schedule))
    await at(
      ask(api.PUT('/api/v1/tariffs/{tariff_id}/schedule', { ...path(), body: schedule })),
      (place) => `/schedule${place}`,
    )
  kept.sent = { ...kept.sent, schedule }
  return kept.id
}

async function create(kept: Kept, tariff: Sent['tariff']): Promise<string> {
  if (!isSame(kept.creation?.tariff, tariff)) kept.creation = { tariff, key: randomKey() }
  const headers = { 'Idempotency-Key': kept.creation?.key }
  return (await ask(api.POST('/api/v1/billing/tariffs', { body: tariff, headers }))).tariff_id
}

/** The value at the place of a fault: a fault holds as long as what it is about is as it was. */
function valueAt({ tariff, bands, schedule }: Sent, place: string): unknown {
  return place
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined | null)?.[name], {
      ...tariff,
      bands,
      schedule,
    })
}

function preview(id: string | undefined, draft: TariffDraft): Promise<Simulation> {
  const { tariff: own, ...parts } = sentOf(draft)
  const tariff = { ...own, ...parts }
  return at(
    ask(
      api.POST('/api/v1/billing/tariffs/simulate', {
        body: {
          tariff,
          ...previewPeriod(),
          changed_only: true,
          per_page: 10,
          ...(id !== undefined && { sessions_of_tariff_id: id }),
        },
      }),
    ),
    (place) => place.replace(/^\/tariff/, ''),
  )
}

const replaced = <Item,>(list: readonly Item[], at: number, item: Item | undefined): readonly Item[] =>
  list.flatMap((one, index) => (index !== at ? [one] : item === undefined ? [] : [item]))

function Bands({
  draft,
  set,
  off,
}: {
  readonly draft: TariffDraft
  readonly set: (part: Partial<TariffDraft>) => void
  readonly off: boolean
}) {
  const change = (at: number, band: BandDraft | undefined): void => set({ bands: replaced(draft.bands, at, band) })
  return (
    <Panel
      title="Rate bands"
      hint="other prices for some hours"
      padded
      actions={
        !off && (
          <Button small icon="plus" onClick={() => set({ bands: [...draft.bands, newBand()] })}>
            Band
          </Button>
        )
      }
    >
      {draft.bands.length === 0 && <p class="dim">None: the tariff costs the same at any time.</p>}
      {draft.bands.map((band, at) => (
        <div key={at} class="stack">
          <div class="entry">
            <Field
              label="Name of the band"
              path={`/bands/${at}/band`}
              value={band.band}
              onChange={(name) => change(at, { ...band, band: name })}
              disabled={off}
            />
            {!off && (
              <Button small icon="trash" onClick={() => change(at, undefined)}>
                Remove
              </Button>
            )}
          </div>
          <Components
            label={`Band ${band.band === '' ? at + 1 : band.band}`}
            place={`/bands/${at}/components`}
            value={band.components}
            onChange={(components) => change(at, { ...band, components })}
            disabled={off}
          />
        </div>
      ))}
    </Panel>
  )
}

function Schedule({
  draft,
  set,
  off,
}: {
  readonly draft: TariffDraft
  readonly set: (part: Partial<TariffDraft>) => void
  readonly off: boolean
}) {
  const bands = draft.bands.map(({ band }) => band).filter((band) => band !== '')
  const change = (at: number, entry: EntryDraft | undefined): void =>
    set({ schedule: replaced(draft.schedule, at, entry) })
  return (
    <Panel
      title="Schedule"
      hint="the first entry that holds when a session starts names its band"
      padded
      actions={
        !off &&
        bands.length > 0 && (
          <Button small icon="plus" onClick={() => set({ schedule: [...draft.schedule, newEntry(bands[0] ?? '')] })}>
            Entry
          </Button>
        )
      }
    >
      {draft.schedule.length === 0 && (
        <p class="dim">{bands.length === 0 ? 'It needs a band first.' : 'None: no band is ever used.'}</p>
      )}
      {draft.schedule.map((entry, at) => {
        const known = bands.includes(entry.band) ? bands : [entry.band, ...bands]
        return (
          <div key={at} class="entry" role="group" aria-label={`Entry ${at + 1}`}>
            <Field
              label="Band"
              path={`/schedule/${at}/band`}
              value={entry.band}
              options={known.map((value) => ({ value, name: value }))}
              onChange={(band) => change(at, { ...entry, band })}
              disabled={off}
            />
            <Field
              label="From"
              path={`/schedule/${at}/start_time`}
              value={entry.start}
              onChange={(start) => change(at, { ...entry, start })}
              placeholder="22:00"
              disabled={off}
            />
            <Field
              label="Until"
              path={`/schedule/${at}/end_time`}
              value={entry.end}
              onChange={(end) => change(at, { ...entry, end })}
              placeholder="06:00"
              disabled={off}
            />
            <Field
              label="First day"
              path={`/schedule/${at}/from_date`}
              type="date"
              value={entry.from}
              onChange={(from) => change(at, { ...entry, from })}
              disabled={off}
            />
            <Field
              label="Last day"
              path={`/schedule/${at}/to_date`}
              type="date"
              value={entry.to}
              onChange={(to) => change(at, { ...entry, to })}
              disabled={off}
            />
            <div class="row-of">
              {days.map((day) => (
                <Chip
                  key={day}
                  pressed={entry.days.length === 0 || entry.days.includes(day)}
                  onClick={() => {
                    if (off) return
                    const all = entry.days.length === 0 ? days : entry.days
                    const chosen = all.includes(day) ? all.filter((one) => one !== day) : [...all, day]
                    change(at, { ...entry, days: chosen.length === days.length ? [] : chosen })
                  }}
                >
                  {day}
                </Chip>
              ))}
              {!off && (
                <Button small icon="trash" onClick={() => change(at, undefined)}>
                  Remove
                </Button>
              )}
            </div>
          </div>
        )
      })}
    </Panel>
  )
}

/** Once it is marked. */
const goToFault = (): void =>
  void requestAnimationFrame(() => document.querySelector<HTMLElement>('#page [aria-invalid=true]')?.focus())

function Editor({
  id,
  before,
  about,
  reload,
}: {
  readonly id: string | undefined
  readonly before: TariffDraft
  readonly about: string
  readonly reload: () => void
}) {
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState(before)
  const [asking, setAsking] = useState<'save' | 'delete'>()
  const [shown, setShown] = useState<Simulation>()
  const [refused, setRefused] = useState<{ readonly error: ApiError; readonly sent: Sent }>()
  const [isChecked, setChecked] = useState(false)
  const kept = useRef<Kept>({ id, sent: sentOf(before), saving: Promise.resolve() }).current
  const off = !may('write:billing')
  const set = (part: Partial<TariffDraft>): void => setDraft((now) => ({ ...now, ...part }))
  const sent = useMemo(() => sentOf(draft), [draft])
  // What the service has may be a part of what was to be saved.
  const isChanged = !isSame(sent, kept.sent)
  const isPartly = kept.id !== id || !isSame(kept.sent, sentOf(before))
  const unsaved = useUnsaved(isChanged && !off)
  const faults = useMemo(() => faultsIn(draft), [draft])
  const wrong = useMemo(() => {
    const said = refused?.error.details.filter(({ path }) => isSame(valueAt(refused.sent, path), valueAt(sent, path)))
    return { details: [...(isChecked ? faults : []), ...(said ?? [])] }
  }, [isChecked, faults, refused, sent])

  /** What fields alone show to be wrong is not sent. */
  function check(): boolean {
    setRefused(undefined)
    setChecked(true)
    if (faults.length === 0) return true
    toast(fieldsText(faults.length), 'failed')
    goToFault()
    return false
  }

  /** What is wrong with fields stands at them, and not in the question whether it is to be saved. */
  function refuse(failure: unknown): void {
    const error = asApiError(failure)
    setRefused({ error, sent })
    if (error.details.length === 0) return
    setAsking(undefined)
    goToFault()
  }

  async function tryIt(): Promise<void> {
    setShown(undefined)
    if (off || check()) await preview(id, draft).then(setShown, refuse)
  }

  return (
    <Refused error={wrong}>
      <PageHead
        title={before.name === '' ? 'New tariff' : before.name}
        about={about}
        actions={
          <>
            {id !== undefined && !off && (
              <Button icon="trash" onClick={() => setAsking('delete')}>
                Delete
              </Button>
            )}
            <Button icon="calculator" onClick={() => void tryIt()}>
              Preview
            </Button>
            {!off && (
              <Button
                kind="primary"
                icon="save"
                whyNot={isChanged ? undefined : 'Nothing has been changed.'}
                onClick={() => check() && setAsking('save')}
              >
                Save
              </Button>
            )}
          </>
        }
      />
      {asking !== 'save' && <Refusal error={refused?.error} />}
      {isPartly && isChanged && <p class="sub">A part of what you have changed is saved. What is here now is not.</p>}
      {shown !== undefined && (
        <Panel
          title="Preview"
          hint={id === undefined ? 'on all sessions' : 'on sessions that began with this tariff; nothing is changed'}
          padded
        >
          <SimulationResult of={shown} />
        </Panel>
      )}
      <Panel title="Prices" hint="before tax; steps and free minutes that are left empty have the default" padded>
        <div class="stack">
          <Fields>
            <Field
              label="Name"
              path="/name"
              value={draft.name}
              onChange={(name) => set({ name })}
              required
              disabled={off}
            />
            <Field
              label="Currency"
              path="/currency"
              value={draft.currency}
              onChange={(currency) => set({ currency: currency.toUpperCase() })}
              required
              disabled={off}
            />
            <Field
              label="Tax, %"
              path="/tax_percentage"
              value={draft.tax}
              onChange={(tax) => set({ tax })}
              inputmode="decimal"
              disabled={off}
            />
          </Fields>
          <Components
            label="Prices"
            place="/components"
            value={draft.components}
            onChange={(components) => set({ components })}
            disabled={off}
          />
        </div>
      </Panel>
      <Bands draft={draft} set={set} off={off} />
      <Schedule draft={draft} set={set} off={off} />
      {asking === 'save' && (
        <Ask
          title={id === undefined ? 'Create the tariff?' : 'Save the tariff?'}
          does={id === undefined ? 'Create it' : 'Save it'}
          said={id === undefined ? 'The tariff is there. Assign it, or make it the default.' : 'The tariff is saved.'}
          close={() => setAsking(undefined)}
          run={async () => {
            kept.saving = kept.saving.catch(() => undefined).then(() => save(kept, draft))
            await kept.saving.catch((failure: unknown) => {
              refuse(failure)
              throw failure
            })
            unsaved.release()
            if (id === undefined) navigate(`/tariffs/${kept.id}`, { replace: true })
            else reload()
          }}
        >
          <p>
            {id === undefined
              ? 'No charger sells at it before it is assigned or made a default.'
              : 'Sessions that start from now on get these prices wherever it is assigned. Those that run keep theirs.'}
          </p>
        </Ask>
      )}
      {asking === 'delete' && id !== undefined && (
        <Ask
          title={`Delete ${before.name}?`}
          does="Delete the tariff"
          said="The tariff is deleted."
          danger
          close={() => setAsking(undefined)}
          run={async () => {
            await ask(api.DELETE('/api/v1/billing/tariffs/{tariff_id}', { params: { path: { tariff_id: id } } }))
            unsaved.release()
            navigate('/tariffs', { replace: true })
          }}
        >
          <p>
            With its bands and its schedule. It is refused while a charger sells at it or while it is a default; bills
            of the past stay as they are.
          </p>
        </Ask>
      )}
    </Refused>
  )
}

function Stored({ id }: { readonly id: string }) {
  const path = { params: { path: { tariff_id: id } } }
  const tariff = useResource(
    async (signal) => {
      const [own, rates, schedule] = await Promise.all([
        ask(api.GET('/api/v1/billing/tariffs/{tariff_id}', { ...path, signal })),
        ask(api.GET('/api/v1/tariffs/{tariff_id}/rates', { ...path, signal })),
        ask(api.GET('/api/v1/tariffs/{tariff_id}/schedule', { ...path, signal })),
      ])
      return { own, draft: draftOf(own, rates, schedule), zone: schedule.timezone }
    },
    [id],
  )
  return (
    <Loaded of={tariff}>
      {({ own, draft, zone }) => (
        <Editor
          key={`${own.updated_at} ${tariff.at}`}
          id={id}
          before={draft}
          about={`Changed ${momentText(own.updated_at)}; hours are those of ${zone}`}
          reload={tariff.reload}
        />
      )}
    </Loaded>
  )
}

export function Page({ params }: PageProps) {
  const { tariff_id = '' } = params
  if (tariff_id !== 'new') return <Stored key={tariff_id} id={tariff_id} />
  return (
    <Editor
      id={undefined}
      before={newTariff(me.value?.organization.currency ?? 'EUR')}
      about="Prices are before tax"
      reload={() => undefined}
    />
  )
}
