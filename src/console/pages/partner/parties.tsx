// The parties that a hub connects, as the hub has sent them.

import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { usePartner } from './here.js'

type Party = Schema<'HubParty'>

const perPage = 100

const columns: readonly Column<Party>[] = [
  {
    id: 'party',
    name: 'Party',
    width: 'minmax(90px, 1fr)',
    cell: ({ country_code, party_id }) => <span class="mono">{`${country_code}-${party_id}`}</span>,
  },
  { id: 'role', name: 'Role', width: '90px', cell: ({ role }) => role },
  {
    id: 'status',
    name: 'State',
    width: '120px',
    cell: ({ status }) => <Tag kind={status === 'CONNECTED' ? 'ok' : 'warn'}>{status.toLowerCase()}</Tag>,
  },
  {
    id: 'changed',
    name: 'Changed at the hub',
    width: '150px',
    wideOnly: true,
    cell: ({ last_updated: at }) => agoText(at),
  },
  { id: 'received', name: 'Received', width: '120px', wideOnly: true, cell: ({ received_at: at }) => agoText(at) },
]

export function Page() {
  const { id, roles } = usePartner()
  const [page] = usePage()
  const isHub = roles.some(({ role }) => role === 'HUB')
  const parties = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/ocpi/partners/{partner_id}/parties', {
          params: { path: { partner_id: id }, query: { page, per_page: perPage } },
          signal,
        }),
      ),
    [id, page],
    { everySeconds: 15 },
  )
  return (
    <Panel title="Parties of the hub" hint="What is for a party that is not connected waits until it is" class="fills">
      <List
        label="Parties"
        of={parties}
        perPage={perPage}
        columns={columns}
        keyOf={(row) => `${row.country_code} ${row.party_id} ${row.role}`}
        empty={
          <EmptyState icon="network" title={isHub ? 'The hub has sent no party' : 'This partner is not a hub'}>
            <span>
              {isHub
                ? 'A party that the hub has not sent counts as connected.'
                : 'Only hubs connect other parties. What this partner speaks for stands under Overview.'}
            </span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
