// Which tariffs roaming partners are offered, and why they are not offered the others.

import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

type Tariff = Schema<'RoamingTariff'>

const perPage = 50

const columns: readonly Column<Tariff>[] = [
  {
    id: 'name',
    name: 'Tariff',
    width: 'minmax(120px, 1fr)',
    cell: ({ tariff_id: id, name }) => (
      <Link class="link" href={`/tariffs/${encodeURIComponent(id)}`}>
        {name}
      </Link>
    ),
  },
  {
    id: 'offered',
    name: 'Offered',
    width: '90px',
    cell: ({ offered }) => <Tag kind={offered ? 'ok' : 'warn'}>{offered ? 'yes' : 'no'}</Tag>,
  },
  {
    id: 'reason',
    name: 'Why not',
    width: 'minmax(160px, 3fr)',
    wraps: 'on a phone',
    cell: ({ reason }) => <span title={reason ?? ''}>{reason}</span>,
  },
]

export function Page() {
  const [page] = usePage()
  const tariffs = useResource(
    (signal) => ask(api.GET('/api/v1/ocpi/tariffs', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
  )
  return (
    <Panel
      title="Tariffs"
      hint="A tariff is offered if partners compute from it what you charge; charges at the others are billed all the same"
      class="fills"
    >
      <List
        label="Tariffs"
        of={tariffs}
        perPage={perPage}
        columns={columns}
        keyOf={({ tariff_id }) => tariff_id}
        empty={
          <EmptyState icon="tag" title="There is no tariff yet">
            <span>Create one under Tariffs: charging costs nothing without one.</span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
