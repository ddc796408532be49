// What charge points do against the standard, by model or by firmware; and of one of these, what its maker has to know, to be sent to them.

import './deviations.css'
import { useLocation } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Segmented } from '../../parts/chip.js'
import { Pager, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { OneGroup } from './group.js'
import { type Group, placeWords, shareWords, whatWords } from './words.js'

const perPage = 50

const columns: readonly Column<Group>[] = [
  {
    id: 'model',
    name: 'Model',
    width: 'minmax(150px, 1.2fr)',
    cell: ({ vendor, model }) =>
      [vendor, model].filter((part) => part !== null).join(' ') || <span class="dim">not said</span>,
  },
  {
    id: 'firmware',
    name: 'Firmware',
    width: 'minmax(90px, 0.7fr)',
    cell: ({ firmware_version }) => <span class="mono">{firmware_version}</span>,
  },
  {
    id: 'deviating',
    name: 'Deviate',
    width: '110px',
    align: 'end',
    cell: ({ deviating, charge_points }) => shareWords(deviating, charge_points),
  },
  {
    id: 'violations',
    name: 'Times',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ violations }) => numberText(violations),
  },
  {
    id: 'most',
    name: 'What most of them do',
    width: 'minmax(200px, 2.4fr)',
    wideOnly: true,
    cell: ({ deviations: [most] }) =>
      most === undefined ? (
        ''
      ) : (
        <>
          {whatWords(most.meaning)} <span class="mono dim">{placeWords(most)}</span>
        </>
      ),
  },
]

export function Page() {
  const [model] = useQuery('model')
  const [vendor] = useQuery('vendor')
  return model === undefined && vendor === undefined ? <Groups /> : <OneGroup />
}

function Groups() {
  const [, navigate] = useLocation()
  const [by, setBy] = useQuery('by')
  const [page, setPage] = usePage()
  const groupBy = by === 'model' ? 'model' : 'firmware'
  const groups = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/cpo/conformance', {
          params: { query: { group_by: groupBy, deviations: 1, page, per_page: perPage } },
          signal,
        }),
      ),
    [groupBy, page],
    { everySeconds: 60 },
  )
  const open = ({ vendor, model, firmware_version }: Group) => {
    const query = new URLSearchParams({ vendor: vendor ?? '', model: model ?? '' })
    if (groupBy === 'model') query.set('by', 'model')
    else query.set('firmware', firmware_version ?? '')
    navigate(`/conformance?${query}`)
  }
  return (
    <>
      <PageHead
        title="Conformance"
        about="What charge points do against OCPP 1.6, from the messages that they send"
        actions={
          <Segmented
            label="Summed up by"
            value={groupBy}
            options={[
              { value: 'firmware', name: 'Model and firmware' },
              { value: 'model', name: 'Model' },
            ]}
            onChange={(value) => {
              setPage(1)
              setBy(value === 'model' ? value : undefined)
            }}
          />
        }
      />
      <Panel class="fills">
        <Loaded of={groups}>
          {({ data, total }) =>
            data.length === 0 ? (
              <EmptyState icon="circle-check" title="All charge points keep to the standard">
                <span>What they do against OCPP 1.6 is here a minute after they have done it.</span>
              </EmptyState>
            ) : (
              <>
                <Table
                  label="Models that deviate"
                  columns={columns}
                  count={data.length}
                  rowAt={(row) => data[row] as Group}
                  keyOf={({ vendor, model, firmware_version }) => JSON.stringify([vendor, model, firmware_version])}
                  open={open}
                />
                {total > perPage && <Pager total={total} perPage={perPage} of="models" />}
              </>
            )
          }
        </Loaded>
      </Panel>
    </>
  )
}
