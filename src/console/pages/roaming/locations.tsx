// The locations of the organization, and what is missing before roaming partners see them.

import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { Standing } from './standing.js'

type Location = Schema<'RoamingLocation'>

const perPage = 50

const columns: readonly Column<Location>[] = [
  { id: 'name', name: 'Location', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
  {
    id: 'kind',
    name: 'What it is',
    width: '110px',
    wideOnly: true,
    cell: ({ kind }) => (kind === 'site' ? 'site' : 'charge point'),
  },
  { id: 'standing', name: 'Partners', width: '130px', cell: (row) => <Standing of={row} wanted={row.publish} /> },
  {
    id: 'missing',
    name: 'What is missing',
    width: 'minmax(140px, 2fr)',
    cell: ({ missing }) => (
      <span title={missing.map(({ message }) => message).join('\n')}>
        {missing.map(({ field }) => field.replaceAll('_', ' ')).join(', ')}
      </span>
    ),
  },
  {
    id: 'count',
    name: 'Charge points',
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: ({ charge_point_count: count }) => numberText(count),
  },
  {
    id: 'changed',
    name: 'Changed',
    width: '120px',
    wideOnly: true,
    cell: ({ last_updated: at }) => (at === null ? <Tag>never seen</Tag> : agoText(at)),
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const [page] = usePage()
  const locations = useResource(
    (signal) => ask(api.GET('/api/v1/ocpi/locations', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
    { everySeconds: 15 },
  )
  return (
    <Panel
      title="Locations"
      hint="First the sites, then the charge points that are in no site. Choose one to say more of it"
      class="fills"
    >
      <List
        label="Locations"
        of={locations}
        perPage={perPage}
        columns={columns}
        keyOf={({ location_id }) => location_id}
        open={({ site_id, charge_point_id }) =>
          navigate(
            site_id !== null
              ? `/sites/${encodeURIComponent(site_id)}/roaming`
              : `/charge-points/${encodeURIComponent(charge_point_id ?? '')}/roaming`,
          )
        }
        empty={
          <EmptyState icon="map-pin" title="There is no location yet">
            <span>Create a site, or register a charge point.</span>
          </EmptyState>
        }
      />
    </Panel>
  )
}
