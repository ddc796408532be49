// One tariff: its prices, its bands and the schedule that picks one, tried on past sessions before it is saved.

import './tariff.css'
import { useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { type ApiError, api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { asApiError, useResource } from '../../client/resource.js'
import { may, me } from '../../client/session.js'
import { useUnsaved } from '../../client/unsaved.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { fieldsText, Refusal, Refused } from '../../parts/refusal.js'
import { type Simulation, SimulationResult } from '../../parts/simulation.js'
import { Loaded } from '../../parts/states.js'
import { toast } from '../../parts/toast.js'
import { Bands, Schedule } from './bands.js'
import { Components } from './components.js'
import { draftOf, faultsIn, newTariff, type TariffDraft } from './draft.js'
import { isSame, type Kept, preview, type Sent, save, sentOf, valueAt } from './save.js'

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
