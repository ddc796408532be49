// The sites: where they are, how many charge points they have, and what these may draw together.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { numberText, powerText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { SiteDialog } from '../site/site-dialog.js'
import { FleetPower } from './fleet-power.js'

type Site = Schema<'Site'>

const perPage = 50

const columns: readonly Column<Site>[] = [
  { id: 'name', name: 'Site', width: 'minmax(140px, 1fr)', cell: ({ name }) => name },
  { id: 'address', name: 'Address', width: 'minmax(160px, 1.5fr)', wideOnly: true, cell: ({ address }) => address },
  {
    id: 'chargers',
    name: 'Charge points',
    width: '110px',
    align: 'end',
    cell: ({ charger_count: count }) => numberText(count),
  },
  {
    id: 'grid',
    name: 'Grid connection',
    width: '120px',
    align: 'end',
    wideOnly: true,
    cell: ({ max_grid_power_kw: kw }) => powerText(kw * 1_000),
  },
  {
    id: 'budget',
    name: 'Limit now',
    width: '120px',
    align: 'end',
    cell: ({ budget_kw: kw }) => (kw === null ? <span class="dim">not shared</span> : powerText(kw * 1_000)),
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const [q, setQ] = useFilter('q')
  const [page] = usePage()
  const [isMaking, setMaking] = useState(false)
  const sites = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/sites', {
          params: { query: { page, per_page: perPage, ...(q !== undefined && { q: q.slice(0, 100) }) } },
          signal,
        }),
      ),
    [q, page],
    { everySeconds: 30 },
  )
  const open = ({ site_id }: Pick<Site, 'site_id'>) => navigate(`/sites/${encodeURIComponent(site_id)}`)
  return (
    <>
      <PageHead
        title="Sites"
        about="Charge points that share a grid connection"
        actions={
          may('write:charge_points') && (
            <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
              New site
            </Button>
          )
        }
      >
        <Fields>
          <Field
            label="Name, address or id"
            hideLabel
            placeholder="Name, address or id"
            type="search"
            value={q ?? ''}
            onChange={setQ}
          />
        </Fields>
      </PageHead>
      <FleetPower isShared={sites.data?.data.some(({ is_managed }) => is_managed) === true} />
      <Panel class="fills">
        <List
          label="Sites"
          of={sites}
          perPage={perPage}
          columns={columns}
          keyOf={({ site_id }) => site_id}
          open={open}
          empty={
            q === undefined ? (
              <EmptyState icon="map-pin" title="There is no site yet">
                <span>Create one, and link the charge points that share its grid connection.</span>
              </EmptyState>
            ) : (
              <EmptyState icon="search" title="No site has this in its name, address or id" />
            )
          }
        />
      </Panel>
      {isMaking && <SiteDialog close={() => setMaking(false)} done={open} />}
    </>
  )
}
