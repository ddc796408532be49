// What charging costs at the charge point: its tariff, from where it has it, the rate of a session that starts now, and another tariff in its place.

import { useState } from 'preact/hooks'
import { type ApiError, api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { asApiError, useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { Panel } from '../../parts/panel.js'
import { Refusal } from '../../parts/refusal.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { toast } from '../../parts/toast.js'
import { useHere } from './here.js'

const sources = {
  charge_point: 'It has a tariff of its own.',
  site: 'It has the tariff of its site.',
  organization: 'It has the tariff of the organization.',
} as const

export function Page() {
  const { id } = useHere()
  const params = { path: { charge_point_id: id } }
  const tariff = useResource(
    async (signal) => {
      try {
        return await ask(api.GET('/api/v1/chargepoints/{charge_point_id}/tariff', { params, signal }))
      } catch (error) {
        // It has none: charging is free, or not billed here.
        if (asApiError(error).code === 'not_found' || asApiError(error).status === 404) return null
        throw error
      }
    },
    [id],
    { everySeconds: 30 },
  )
  return (
    <div class="now">
      <Panel title="Tariff" padded>
        <Loaded of={tariff} rows={3}>
          {(found) =>
            found === null || found.tariff_id === null ? (
              <EmptyState icon="coins" title="It has no tariff">
                Sessions here cost nothing.
              </EmptyState>
            ) : (
              <div class="stack">
                <p>{found.source === null ? '' : sources[found.source]}</p>
                <Facts
                  of={[
                    { name: 'Tariff', value: found.tariff.name },
                    { name: 'Since', value: found.assigned_at === null ? null : momentText(found.assigned_at) },
                  ]}
                />
              </div>
            )
          }
        </Loaded>
      </Panel>
      {tariff.data?.tariff_id != null && <CurrentRate key={`${id} ${tariff.data.tariff_id}`} id={id} />}
      {may('write:billing') && (
        <Assign
          id={id}
          current={tariff.data?.source === 'charge_point' ? (tariff.data.tariff_id ?? '') : ''}
          done={tariff.reload}
        />
      )}
    </div>
  )
}

/** What a session that starts at this moment would have, whatever happens while it runs. */
function CurrentRate({ id }: { readonly id: string }) {
  const params = { path: { charge_point_id: id } }
  const rate = useResource(
    (signal) => ask(api.GET('/api/v1/tariffs/chargers/{charge_point_id}/current-rate', { params, signal })),
    [id],
    { everySeconds: 30 },
  )
  return (
    <Panel title="A session that starts now" hint="prices before tax" padded>
      <Loaded of={rate} rows={3}>
        {({ band, components, currency, tax_percentage, timezone, evaluated_at }) => (
          <div class="stack">
            <p>
              {band === null
                ? 'It has the prices of the tariff itself: no rate band holds now.'
                : `It has the prices of the rate band ${band}.`}
            </p>
            <Facts
              of={[
                ...components.map(({ type, price, grace_minutes }) => ({
                  name: componentNames[type],
                  value:
                    price === null
                      ? 'by the time of day'
                      : `${price} ${currency} ${componentUnits[type]}${grace_minutes === null ? '' : `, after ${grace_minutes} min`}`,
                })),
                { name: 'Tax', value: `${tax_percentage} %` },
                { name: 'As of', value: `${momentText(evaluated_at)}, by the clock of ${timezone}` },
              ]}
            />
          </div>
        )}
      </Loaded>
    </Panel>
  )
}

const componentNames = { energy: 'Energy', time: 'Time', idle: 'Idle time', flat: 'Start' } as const
const componentUnits = { energy: 'a kWh', time: 'an hour', idle: 'an hour', flat: 'a session' } as const

interface AssignProps {
  readonly id: string
  readonly current: string
  readonly done: () => void
}

function Assign({ id, current, done }: AssignProps) {
  const [chosen, setChosen] = useState<string>()
  const [error, setError] = useState<ApiError>()
  const tariffs = useResource(
    (signal) => ask(api.GET('/api/v1/billing/tariffs', { params: { query: { per_page: 200 } }, signal })),
    [],
  )
  const value = chosen ?? current

  async function save(): Promise<void> {
    setError(undefined)
    try {
      await ask(
        api.PUT('/api/v1/chargepoints/{charge_point_id}/tariff', {
          params: { path: { charge_point_id: id } },
          body: { tariff_id: value === '' ? null : value },
        }),
      )
      toast('The tariff holds for sessions that begin from now on.')
      done()
    } catch (failure) {
      setError(asApiError(failure))
    }
  }

  return (
    <Panel title="Give it another one" padded>
      <Loaded of={tariffs} rows={2}>
        {({ data }) => (
          <div class="stack">
            <Field
              label="Tariff of its own"
              value={value}
              onChange={setChosen}
              hint="Sessions that run keep the tariff with which they began."
              options={[
                { value: '', name: 'None of its own' },
                ...data.map(({ tariff_id, name, currency }) => ({ value: tariff_id, name: `${name} (${currency})` })),
              ]}
            />
            <Refusal error={error} />
            <div class="row-of">
              <Button kind="primary" disabled={value === current} onClick={() => void save()}>
                Save
              </Button>
            </div>
          </div>
        )}
      </Loaded>
    </Panel>
  )
}
