// What an operator says of a charge point: changed, moved to another site, or removed.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { moveCharger } from '../../client/sites.js'
import { Ask } from '../../parts/ask.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'
import { Loaded } from '../../parts/states.js'
import type { State } from './here.js'

type ChargePoint = Schema<'ChargePoint'>

interface ChangeProps {
  readonly id: string
  readonly close: () => void
  readonly done: () => void
}

export function ChangeDialog({ id, ...rest }: ChangeProps) {
  const params = { path: { charge_point_id: id } }
  const now = useResource((signal) => ask(api.GET('/api/v1/chargepoints/{charge_point_id}', { params, signal })), [id])
  if (now.data !== undefined) return <ChangeForm chargePoint={now.data} {...rest} />
  return (
    <Dialog title={`Change ${id}`} close={rest.close}>
      <Loaded of={now}>{() => null}</Loaded>
    </Dialog>
  )
}

function ChangeForm({
  chargePoint,
  close,
  done,
}: {
  readonly chargePoint: ChargePoint
  readonly close: () => void
  readonly done: () => void
}) {
  const { charge_point_id } = chargePoint
  const [values, setValues] = useState(() => ({
    name: chargePoint.name,
    address: chargePoint.address,
    latitude: String(chargePoint.latitude),
    longitude: String(chargePoint.longitude),
    connector_count: String(chargePoint.connector_count ?? ''),
    max_power_kw: String(chargePoint.max_power_kw ?? ''),
    serial_number: chargePoint.serial_number ?? '',
  }))
  type Name = keyof typeof values

  async function change(): Promise<void> {
    const { name, address, serial_number } = values
    const numberOf = (field: Name) => (values[field] === '' ? {} : { [field]: Number(values[field]) })
    await ask(
      api.PATCH('/api/v1/chargepoints/{charge_point_id}', {
        params: { path: { charge_point_id } },
        body: {
          name,
          address,
          serial_number: serial_number === '' ? null : serial_number,
          ...numberOf('latitude'),
          ...numberOf('longitude'),
          ...numberOf('connector_count'),
          ...numberOf('max_power_kw'),
        },
      }),
    )
    done()
  }

  const field = (name: Name, label: string, inputmode: 'text' | 'decimal' | 'numeric' = 'text') => (
    <Field
      label={label}
      path={`/${name}`}
      value={values[name]}
      onChange={(value) => setValues({ ...values, [name]: value })}
      inputmode={inputmode}
    />
  )
  return (
    <Ask
      title={`Change ${charge_point_id}`}
      does="Save"
      said={`${charge_point_id} is changed.`}
      run={change}
      close={close}
    >
      {field('name', 'Name')}
      {field('address', 'Address')}
      <div class="two-fields">
        {field('latitude', 'Latitude', 'decimal')}
        {field('longitude', 'Longitude', 'decimal')}
        {field('connector_count', 'Connectors', 'numeric')}
        {field('max_power_kw', 'Power of each connector, kW', 'decimal')}
      </div>
      {field('serial_number', 'Serial number')}
    </Ask>
  )
}

interface OfState {
  readonly data: State
  readonly close: () => void
}

export function MoveDialog({ data, close, done }: OfState & { readonly done: () => void }) {
  const { charge_point_id, site_id } = data
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState(site_id ?? '')
  const sites = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sites', { params: { query: { per_page: 100, ...(wanted !== '' && { q: wanted }) } }, signal }),
      ),
    [wanted],
  )

  async function move(): Promise<void> {
    await moveCharger(charge_point_id, site_id, chosen === '' ? null : chosen)
    done()
  }

  return (
    <Ask
      title={`Move ${charge_point_id}`}
      does="Move"
      said={`${charge_point_id} is moved.`}
      disabled={chosen === (site_id ?? '')}
      run={move}
      close={close}
    >
      <Field label="Find a site" type="search" value={wanted} onChange={setWanted} autofocus fleeting />
      <Loaded of={sites} rows={2}>
        {({ data: found }) => (
          <Field
            label="Site"
            value={chosen}
            onChange={setChosen}
            options={[
              { value: '', name: 'In no site' },
              ...found.map((site) => ({ value: site.site_id, name: `${site.name}, ${site.address}` })),
              ...(chosen !== '' && found.every((site) => site.site_id !== chosen)
                ? [{ value: chosen, name: 'Where it is now' }]
                : []),
            ]}
          />
        )}
      </Loaded>
    </Ask>
  )
}

export function RemoveDialog({ data, close }: OfState) {
  const { charge_point_id } = data
  const [, navigate] = useLocation()
  return (
    <Ask
      title={`Remove ${charge_point_id}`}
      does="Remove"
      said={`${charge_point_id} is removed.`}
      danger
      word={charge_point_id}
      run={() => ask(api.DELETE('/api/v1/chargepoints/{charge_point_id}', { params: { path: { charge_point_id } } }))}
      close={close}
      done={() => navigate('/fleet')}
    >
      <p>
        The charger loses its connection and is refused from then on. Its sessions, its commands and what was invoiced
        are kept.
      </p>
    </Ask>
  )
}
