// The charge points that an installer has registered and that no organization has claimed.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

const perPage = 50

const read = (installer_id: string, page: number, signal: AbortSignal) =>
  ask(
    api.GET('/api/v1/installers/{installer_id}/charge-points', {
      params: { path: { installer_id }, query: { page, per_page: perPage } },
      signal,
    }),
  )

type Row = Awaited<ReturnType<typeof read>>['data'][number]

const columns: readonly Column<Row>[] = [
  {
    id: 'id',
    name: 'Charge point',
    width: 'minmax(120px, 1fr)',
    cell: ({ charge_point_id: id }) => <span class="mono">{id}</span>,
  },
  {
    id: 'model',
    name: 'Model',
    width: 'minmax(120px, 1fr)',
    wideOnly: true,
    cell: ({ vendor, model }) => `${vendor} ${model}`,
  },
  { id: 'status', name: 'State', width: '130px', cell: ({ status }) => <Tag>{status.replaceAll('_', ' ')}</Tag> },
  {
    id: 'seen',
    name: 'Last heard',
    width: '130px',
    wideOnly: true,
    cell: ({ last_seen_at: at }) => (at === null ? <span class="dim">never</span> : agoText(at)),
  },
]

export function Unclaimed({ installerId }: { readonly installerId: string }) {
  const [page] = usePage()
  const [removed, setRemoved] = useState<Row>()
  const all = useResource((signal) => read(installerId, page, signal), [installerId, page])
  const remove: Column<Row> = {
    id: 'remove',
    name: 'Delete it',
    hideName: true,
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => setRemoved(row)} label={`Delete ${row.charge_point_id}`}>
        Delete
      </Button>
    ),
  }
  return (
    <Panel title="Charge points that nobody has claimed" hint="Those that are claimed belong to their organizations">
      <List
        label="Charge points"
        of={all}
        perPage={perPage}
        columns={may('write:organisations') ? [...columns, remove] : columns}
        keyOf={({ charge_point_id: id }) => id}
        empty={
          <EmptyState icon="plug" title="There is none">
            <span>What an organization does not claim and does not connect for 30 days is removed.</span>
          </EmptyState>
        }
      />
      {removed !== undefined && (
        <Ask
          title={`Delete ${removed.charge_point_id}?`}
          does="Delete it"
          said={`${removed.charge_point_id} is deleted.`}
          danger
          close={() => setRemoved(undefined)}
          run={async () => {
            const path = { installer_id: installerId, charge_point_id: removed.charge_point_id }
            await ask(
              api.DELETE('/api/v1/installers/{installer_id}/charge-points/{charge_point_id}', { params: { path } }),
            )
            all.reload()
          }}
        >
          <p>It is refused from then on. The issues that the installer has reported of it are deleted as well.</p>
        </Ask>
      )}
    </Panel>
  )
}
