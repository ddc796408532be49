// A charge point is registered: what its operator says of it, and the address that it has to be given.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { FormDialog, type FormField, type FormValues, numberIn, textIn } from '../../parts/form.js'

const fields: readonly FormField[] = [
  {
    name: 'charge_point_id',
    label: 'Id',
    hint: 'As the charge point sends it: letters, digits and hyphens.',
    mono: true,
  },
  {
    name: 'name',
    label: 'Name',
    placeholder: 'Car park, bay 1',
    hint: 'Its id, if you leave it empty.',
    optional: true,
  },
  { name: 'address', label: 'Address', optional: true },
  { name: 'latitude', label: 'Latitude', hint: 'In degrees, such as 52.37.', isNumber: true },
  { name: 'longitude', label: 'Longitude', hint: 'In degrees, such as 4.9.', isNumber: true },
  { name: 'connector_count', label: 'Connectors', isNumber: true },
  { name: 'max_power_kw', label: 'Power of each connector, kW', isNumber: true },
]

export interface RegisterProps {
  /** One that knocks already, and so knows its address; without it, the id is asked for. */
  readonly id?: string
  readonly close: () => void
  /** Shows the charge point. */
  readonly open: (id: string) => void
}

export function RegisterDialog({ id, close, open }: RegisterProps) {
  const [made, setMade] = useState<{ readonly id: string; readonly endpoint: string }>()

  async function register(values: FormValues): Promise<void> {
    const chargePointId = textIn(values.charge_point_id)
    const body = {
      charge_point_id: chargePointId,
      name: textIn(values.name) || chargePointId,
      address: textIn(values.address),
      latitude: numberIn(values.latitude),
      longitude: numberIn(values.longitude),
      connector_count: numberIn(values.connector_count),
      max_power_kw: numberIn(values.max_power_kw),
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
    <FormDialog
      title={id === undefined ? 'Register a charge point' : `Register ${id}`}
      does="Register"
      fields={fields.filter(({ name }) => id === undefined || name !== 'charge_point_id')}
      begin={{ connector_count: '1', max_power_kw: '22', ...(id !== undefined && { charge_point_id: id }) }}
      run={register}
      close={close}
      done={() => undefined}
    />
  )
}
