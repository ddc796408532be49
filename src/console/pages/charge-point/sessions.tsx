// The sessions of the charge point, the newest first.

import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { durationText, energyText, momentText, moneyText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { EmptyState } from '../../parts/states.js'
import type { Column, NarrowRow } from '../../parts/table.js'
import { useHere } from './here.js'
import { PagedTable, perPage } from './paged-table.js'

type Session = Schema<'Session'>

const ended = ({ ended_at }: Session): number => (ended_at === null ? Date.now() : Date.parse(ended_at))

const columns: readonly Column<Session>[] = [
  {
    id: 'start',
    name: 'Began',
    width: 'minmax(150px, 1fr)',
    cell: ({ session_id, started_at }) => (
      <Link class="link" href={`/sessions/${encodeURIComponent(session_id)}`}>
        {momentText(started_at)}
      </Link>
    ),
  },
  { id: 'connector', name: 'Connector', width: '84px', cell: ({ connector_id }) => connector_id },
  {
    id: 'status',
    name: 'State',
    width: '100px',
    cell: ({ status }) => (
      <Tag kind={status === 'active' ? 'ok' : status === 'estimated' ? 'warn' : 'plain'}>{status}</Tag>
    ),
  },
  {
    id: 'tag',
    name: 'Card',
    width: 'minmax(100px, 1fr)',
    wideOnly: true,
    cell: ({ id_tag }) => <span class="mono">{id_tag}</span>,
  },
  {
    id: 'for',
    name: 'For',
    width: '100px',
    wideOnly: true,
    cell: (row) => durationText((ended(row) - Date.parse(row.started_at)) / 1_000),
  },
  {
    id: 'energy',
    name: 'Energy',
    width: '100px',
    align: 'end',
    cell: ({ energy_kwh }) => energyText(energy_kwh * 1_000),
  },
  {
    id: 'cost',
    name: 'Cost',
    width: '100px',
    align: 'end',
    wideOnly: true,
    cell: ({ cost, currency }) =>
      cost === null || currency === null ? <span class="dim">none</span> : moneyText(cost, currency),
  },
  {
    id: 'flags',
    name: 'Unusual',
    width: 'minmax(90px, 1fr)',
    wideOnly: true,
    cell: ({ flags }) => <span class="dim">{flags.join(', ')}</span>,
  },
]

const narrow: NarrowRow<Session> = {
  title: ({ started_at }) => momentText(started_at),
  about: ({ connector_id, energy_kwh, id_tag }) =>
    `connector ${connector_id}, ${energyText(energy_kwh * 1_000)}, card ${id_tag}`,
  end: ({ cost, currency, status }) => (cost === null || currency === null ? status : moneyText(cost, currency)),
}

export function Page() {
  const { id } = useHere()
  const [page] = useQuery('page')
  const sessions = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sessions', {
          params: { query: { charge_point_id: id, page: Number(page ?? 1), per_page: perPage } },
          signal,
        }),
      ),
    [id, page],
    { everySeconds: 10 },
  )
  return (
    <PagedTable
      label="Sessions"
      of={sessions}
      columns={columns}
      narrow={narrow}
      keyOf={({ session_id }) => session_id}
      empty={<EmptyState icon="battery-charging" title="Nobody has charged here yet" />}
    />
  )
}
