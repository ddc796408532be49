// Who a roaming partner is, what it sees and may do here, and which modules it has.

import { momentText } from '../../client/format.js'
import { Facts } from '../../parts/facts.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { type Partner, usePartner } from './here.js'

type Module = Partner['endpoints'][number]

const columns: readonly Column<Module>[] = [
  { id: 'module', name: 'Module', width: '160px', cell: ({ identifier }) => identifier },
  { id: 'role', name: 'It is the', width: '100px', cell: ({ role }) => role.toLowerCase() },
  {
    id: 'url',
    name: 'Address',
    width: 'minmax(160px, 1fr)',
    wideOnly: true,
    cell: ({ url }) => <span class="mono">{url}</span>,
  },
]

const seen = (ids: readonly string[] | null, all: string): string =>
  ids === null ? all : ids.length === 0 ? 'none' : ids.join(', ')

export function Page() {
  const partner = usePartner()
  const { roles, endpoints, registered_at: registered } = partner
  return (
    <>
      <Panel title="What it is told, and may do" padded>
        <Facts
          of={[
            {
              name: 'Speaks for',
              value:
                roles.length === 0
                  ? null
                  : roles.map((one) => `${one.name} (${one.country_code}-${one.party_id}, ${one.role})`).join('; '),
            },
            { name: 'Locations', value: seen(partner.location_ids, 'all that are published') },
            { name: 'Tariffs', value: seen(partner.tariff_ids, 'all that OCPI can express') },
            {
              name: 'Commands',
              value: partner.commands
                ? 'starts and stops charges, reserves, unlocks, sets charging profiles'
                : 'are refused',
            },
            {
              name: 'Unknown tokens',
              value: partner.realtime_unknown_tokens
                ? 'the partner is asked in real time'
                : 'are refused without asking the partner',
            },
            { name: 'Versions', value: partner.versions_url && <span class="mono">{partner.versions_url}</span> },
            { name: 'Token sent', value: partner.token_encoding === 'base64' ? 'in base64' : 'as it is' },
            { name: 'Registered', value: registered && momentText(registered) },
            { name: 'Invited', value: momentText(partner.created_at) },
            { name: 'Id', value: <span class="mono">{partner.id}</span> },
          ]}
        />
      </Panel>
      <Panel title="Modules" hint="What the partner has offered at the registration">
        {endpoints.length === 0 ? (
          <EmptyState icon="network" title="No module is known yet">
            <span>They are known once the partner has registered here, or you have registered there.</span>
          </EmptyState>
        ) : (
          <Table
            label="Modules"
            columns={columns}
            count={endpoints.length}
            rowAt={(at) => endpoints[at] as Module}
            keyOf={({ identifier, role }) => `${identifier} ${role}`}
          />
        )}
      </Panel>
    </>
  )
}
