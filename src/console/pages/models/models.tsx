// The models of charge points that the organization has, or of which something was learned.

import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

type Model = Schema<'ChargePointModel'>

const perPage = 50

const columns: readonly Column<Model>[] = [
  {
    id: 'model',
    name: 'Model',
    width: 'minmax(140px, 1.4fr)',
    cell: ({ vendor, model }) => `${vendor} ${model}`,
  },
  {
    id: 'firmware',
    name: 'Firmware',
    width: 'minmax(100px, 1fr)',
    cell: ({ firmware_version: version }) => version ?? <span class="dim">not reported</span>,
  },
  {
    id: 'learned',
    name: 'Learned',
    width: '130px',
    wideOnly: true,
    cell: ({ learned_at: at }) => (at === null ? <span class="dim">nothing yet</span> : agoText(at)),
  },
  {
    id: 'corrected',
    name: 'Corrected',
    width: '130px',
    cell: ({ corrected_at: at }) => at !== null && <Tag kind="info">{agoText(at)}</Tag>,
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const [page] = usePage()
  const models = useResource(
    (signal) => ask(api.GET('/api/v1/charge-point-models', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
  )
  return (
    <Panel
      title="Models"
      hint="What commissioning and managed sites have found out, with your corrections"
      class="fills"
    >
      <List
        label="Models"
        of={models}
        perPage={perPage}
        columns={columns}
        keyOf={({ model_id: id }) => id}
        open={({ model_id: id }) => navigate(`/models/${encodeURIComponent(id)}`)}
        empty={
          <EmptyState icon="cpu" title="No model is known yet">
            <span>A model comes here when a charge point of it has connected, and has said what it is.</span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
