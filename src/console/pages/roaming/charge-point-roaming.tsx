// What roaming partners are told of a charge point and of each of its connectors.

import { useState } from 'preact/hooks'
import type { PageProps } from '../../app/pages.js'
import { api, ask, placed } from '../../client/api.js'
import { powerText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { FormDialog, type FormField, numberIn, textIn, textOrNull } from '../../parts/form.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { useHere } from '../charge-point/here.js'
import { type ChargePointPlace, detailsOf, evseFields, placeFields } from './place-fields.js'
import { PlacePanels } from './place-panels.js'

type Connector = ChargePointPlace['connectors'][number]

export function Page({ params: { charge_point_id = '' } }: PageProps) {
  const { state } = useHere()
  const params = { path: { charge_point_id } }
  const place = useResource(
    (signal) => ask(api.GET('/api/v1/chargepoints/{charge_point_id}/ocpi', { params, signal })),
    [charge_point_id],
  )
  const save = async (body: never): Promise<void> => {
    await ask(api.PUT('/api/v1/chargepoints/{charge_point_id}/ocpi', { params, body }))
    place.reload()
  }
  const isInSite = state.data?.site_id != null
  return (
    <Loaded of={place}>
      {(data) => (
        <PlacePanels
          place={data}
          // The place of one that is in a site is the site's.
          fields={[...(isInSite ? placeFields.slice(0, 1) : placeFields), ...evseFields]}
          save={save}
        >
          <Connectors place={data} ids={state.data?.connectors.map(({ connector_id: id }) => id) ?? []} save={save} />
        </PlacePanels>
      )}
    </Loaded>
  )
}

const standards: readonly (readonly [string, string])[] = [
  ['IEC_62196_T2', 'Type 2'],
  ['IEC_62196_T2_COMBO', 'CCS, combo 2'],
  ['CHADEMO', 'CHAdeMO'],
  ['IEC_62196_T1', 'Type 1'],
  ['IEC_62196_T1_COMBO', 'CCS, combo 1'],
  ['DOMESTIC_F', 'Household socket, type F'],
  ['GBT_AC', 'GB/T, AC'],
  ['GBT_DC', 'GB/T, DC'],
  ['TESLA_S', 'Tesla'],
]

const nameOf = (standard: string): string => standards.find(([value]) => value === standard)?.[1] ?? standard

const fieldsOf = ({ standard }: Connector): readonly FormField[] => [
  {
    name: 'standard',
    label: 'Kind',
    optional: true,
    options: [
      { value: '', name: 'What is usual in the country' },
      ...[...standards.map(([value]) => value), ...(standard === null ? [] : [standard])]
        .filter((value, at, all) => all.indexOf(value) === at)
        .map((value) => ({ value, name: nameOf(value) })),
    ],
  },
  {
    name: 'format',
    label: 'Cable or socket',
    optional: true,
    options: [
      { value: '', name: 'What is usual' },
      { value: 'SOCKET', name: 'Socket' },
      { value: 'CABLE', name: 'Cable' },
    ],
  },
  {
    name: 'power_type',
    label: 'Current',
    optional: true,
    options: [
      { value: '', name: 'As the charge point has phases' },
      { value: 'AC_1_PHASE', name: 'AC, one phase' },
      { value: 'AC_3_PHASE', name: 'AC, three phases' },
      { value: 'DC', name: 'DC' },
    ],
  },
  { name: 'max_voltage', label: 'Voltage, V', isNumber: true, optional: true },
  { name: 'max_amperage', label: 'Current, A', isNumber: true, optional: true },
  { name: 'max_electric_power', label: 'Power, W', isNumber: true, optional: true },
  { name: 'evse_id', label: 'EVSE id', mono: true, optional: true, placeholder: 'NL*AMP*ECP*0001*1' },
  { name: 'physical_reference', label: 'What is written on it', optional: true, placeholder: '12B' },
]

interface ConnectorsProps {
  readonly place: ChargePointPlace
  readonly ids: readonly number[]
  readonly save: (body: never) => Promise<void>
}

function Connectors({ place, ids, save }: ConnectorsProps) {
  const [changed, setChanged] = useState<Connector>()
  const unsaid = (id: number) => ({ connector_id: id }) as Connector
  const rows = [...new Set([...ids, ...place.connectors.map(({ connector_id }) => connector_id)])]
    .filter((id) => id > 0)
    .sort((one, other) => one - other)
    .map((id) => place.connectors.find((one) => one.connector_id === id) ?? unsaid(id))
  const columns: readonly Column<Connector>[] = [
    { id: 'id', name: 'Connector', width: '80px', cell: ({ connector_id: id }) => id },
    {
      id: 'kind',
      name: 'Kind',
      width: 'minmax(100px, 1fr)',
      cell: ({ standard }) => (standard == null ? <span class="dim">usual</span> : nameOf(standard)),
    },
    {
      id: 'power',
      name: 'Power',
      width: '90px',
      align: 'end',
      wideOnly: true,
      cell: ({ max_electric_power: watts }) => (watts == null ? '' : powerText(watts)),
    },
    {
      id: 'evse',
      name: 'EVSE id',
      width: 'minmax(120px, 1.4fr)',
      wideOnly: true,
      cell: ({ evse_id: id }) =>
        id == null ? <span class="dim">made of your party</span> : <span class="mono">{id}</span>,
    },
    {
      id: 'change',
      name: 'Change',
      hideName: true,
      width: '90px',
      align: 'end',
      buttons: true,
      cell: (row) =>
        may('write:ocpi') && (
          <Button small onClick={() => setChanged(row)} label={`Change connector ${row.connector_id}`}>
            Change
          </Button>
        ),
    },
  ]
  return (
    <Panel title="Connectors" hint="What is left out follows from the charge point, and from what is usual">
      {rows.length === 0 ? (
        <EmptyState icon="plug" title="No connector is known yet">
          <span>They are known when the charge point has been declared with some, or has reported them.</span>
        </EmptyState>
      ) : (
        <Table
          label="Connectors"
          columns={columns}
          count={rows.length}
          rowAt={(at) => rows[at] as Connector}
          keyOf={({ connector_id: id }) => String(id)}
          rowHeight={44}
        />
      )}
      {changed !== undefined && (
        <FormDialog
          title={`Connector ${changed.connector_id}`}
          does="Save"
          said="Partners are told within a second or two."
          fields={fieldsOf(changed)}
          begin={Object.fromEntries(
            Object.entries(changed).map(([name, value]) => [name, value === null ? '' : String(value)]),
          )}
          close={() => setChanged(undefined)}
          run={async (values) => {
            const number = (name: string) => (textIn(values[name]) === '' ? null : numberIn(values[name]))
            const said = {
              ...changed,
              standard: textOrNull(values.standard),
              format: textOrNull(values.format),
              power_type: textOrNull(values.power_type),
              max_voltage: number('max_voltage'),
              max_amperage: number('max_amperage'),
              max_electric_power: number('max_electric_power'),
              evse_id: textOrNull(values.evse_id),
              physical_reference: textOrNull(values.physical_reference),
            }
            const others = place.connectors.filter((one) => one.connector_id !== changed.connector_id)
            await placed(save({ ...detailsOf(place), connectors: [...others, said] } as never), (path) =>
              path.replace(`/connectors/${others.length}`, ''),
            )
          }}
        />
      )}
    </Panel>
  )
}
