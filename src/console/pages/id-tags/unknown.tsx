// Id tags that charge points have reported in the last 30 days, and that nobody has registered.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { TagDialog } from './tag-dialog.js'

type Unknown = Schema<'UnknownIdTag'>

const perPage = 100

const columns: readonly Column<Unknown>[] = [
  {
    id: 'tag',
    name: 'Id tag',
    width: 'minmax(150px, 1fr)',
    cell: ({ id_tag: tag }) => <span class="mono">{tag}</span>,
  },
  {
    id: 'where',
    name: 'Seen last at',
    width: 'minmax(120px, 1fr)',
    cell: ({ charge_point_id: id }) => (
      <Link class="link mono" href={`/charge-points/${encodeURIComponent(id)}`}>
        {id}
      </Link>
    ),
  },
  { id: 'last', name: 'When', width: '130px', wideOnly: true, cell: ({ last_seen_at: at }) => agoText(at) },
  { id: 'first', name: 'First', width: '130px', wideOnly: true, cell: ({ first_seen_at: at }) => agoText(at) },
  { id: 'count', name: 'Minutes', width: '80px', align: 'end', wideOnly: true, cell: ({ count }) => count },
]

export function Page() {
  const [page] = usePage()
  const [registered, setRegistered] = useState<Unknown>()
  const tags = useResource(
    (signal) => ask(api.GET('/api/v1/id-tags/unknown', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
    { everySeconds: 15 },
  )
  const register: Column<Unknown> = {
    id: 'register',
    name: 'Register',
    hideName: true,
    width: '100px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => setRegistered(row)} label={`Register ${row.id_tag}`}>
        Register
      </Button>
    ),
  }
  return (
    <>
      <Panel title="Unknown" hint="Seen in the last 30 days, the latest first" class="fills">
        <List
          label="Unknown id tags"
          of={tags}
          perPage={perPage}
          columns={may('write:charge_points') ? [...columns, register] : columns}
          keyOf={({ id_tag: tag }) => tag}
          empty={
            <EmptyState icon="credit-card" title="No unknown id tag was seen">
              <span>A tag that nobody has registered comes here when it is presented at a charge point.</span>
            </EmptyState>
          }
        />
      </Panel>
      {registered !== undefined && (
        <TagDialog seen={registered.id_tag} close={() => setRegistered(undefined)} done={tags.reload} />
      )}
    </>
  )
}
