// A charge point is registered: what its operator says of it, and the address that it has to be given.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { Field } from '../../parts/field.js'

const fields = [
  {
    name: 'charge_point_id',
    label: 'Id',
    hint: 'As the charge point sends it: letters, digits and hyphens.',
    mono: true,
  },
  { name: 'name', label: 'Name', placeholder: 'Car park, bay 1' },
  { name: 'address', label: 'Address' },
  { name: 'latitude', label: 'Latitude', inputmode: 'decimal' },
  { name: 'longitude', label: 'Longitude', inputmode: 'decimal' },
  { name: 'connector_count', label: 'Connectors', inputmode: 'numeric' },
  { name: 'max_power_kw', label: 'Power of each connector, kW', inputmode: 'decimal' },
] as const

type Name = (typeof fields)[number]['name']

export interface RegisterProps {
  /** One that knocks already, and so knows its address; without it, the id is asked for. */
  readonly id?: string
  readonly close: () => void
  /** Shows the charge point. */
  readonly open: (id: string) => void
}

export function RegisterDialog({ id, close, open }: RegisterProps) {
  const [values, setValues] = useState<Partial<Record<Name, string>>>({
    connector_count: '1',
    max_power_kw: '22',
    ...(id !== undefined && { charge_point_id: id }),
  })
  const [made, setMade] = useState<{ readonly id: string; readonly endpoint: string }>()

  async function register(): Promise<void> {
    const text = (name: Name): string => values[name]?.trim() ?? ''
    const number = (name: Name): number => Number(text(name).replace(',', '.') || Number.NaN)
    const body = {
      charge_point_id: text('charge_point_id'),
      name: text('name') || text('charge_point_id'),
      address: text('address'),
      latitude: number('latitude'),
      longitude: number('longitude'),
      connector_count: number('connector_count'),
      max_power_kw: number('max_power_kw'),
    }
    const answer = await ask(api.POST('/api/v1/chargepoints', { body }))
    if (id === undefined) setMade({ id: answer.charge_point_id, endpoint: answer.ocpp_endpoint })
    else open(id)
  }

  if (made !== undefined)
    return (
      <Dialog
        title={`${made.id} is registered`}
        close={close}
        actions={
          <Button kind="primary" onClick={() => open(made.id)}>
            Open it
          </Button>
        }
      >
        <p>Give the charge point this address of the central system. It appears as online when it connects.</p>
        <p class="mono">{made.endpoint}</p>
      </Dialog>
    )
  return (
    <Ask
      title={id === undefined ? 'Register a charge point' : `Register ${id}`}
      does="Register"
      run={register}
      close={close}
      done={() => undefined}
    >
      {fields
        .filter(({ name }) => id === undefined || name !== 'charge_point_id')
        .map(({ name, ...about }, at) => (
          <Field
            {...about}
            key={name}
            name={name}
            path={`/${name}`}
            value={values[name] ?? ''}
            onChange={(value) => setValues({ ...values, [name]: value })}
            autofocus={at === 0}
          />
        ))}
    </Ask>
  )
}
