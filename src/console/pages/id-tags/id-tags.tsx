// The id tags that are registered, and another one.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag } from '../../parts/chip.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { type IdTag, statuses, TagDialog } from './tag-dialog.js'

const perPage = 100

const columns: readonly Column<IdTag>[] = [
  {
    id: 'tag',
    name: 'Id tag',
    width: 'minmax(150px, 1fr)',
    cell: ({ id_tag: tag }) => <span class="mono">{tag}</span>,
  },
  { id: 'label', name: 'Your name for it', width: 'minmax(120px, 1.4fr)', cell: ({ label }) => label },
  {
    id: 'status',
    name: 'State',
    width: '110px',
    cell: ({ status }) => {
      const found = statuses.find(({ value }) => value === status)
      return <Tag kind={found?.kind ?? 'plain'}>{found?.name ?? status}</Tag>
    },
  },
  {
    id: 'group',
    name: 'Group',
    width: '140px',
    wideOnly: true,
    cell: ({ parent_id_tag: parent }) => <span class="mono">{parent}</span>,
  },
  {
    id: 'until',
    name: 'May charge until',
    width: '170px',
    wideOnly: true,
    cell: ({ expiry_date: at }) => (at === null ? <span class="dim">for ever</span> : momentText(at)),
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const [status, setStatus] = useFilter('status')
  const [page] = usePage()
  const [isMaking, setMaking] = useState(false)
  const known = statuses.find(({ value }) => value === status)?.value
  const tags = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/id-tags', {
          params: { query: { page, per_page: perPage, ...(known !== undefined && { status: known }) } },
          signal,
        }),
      ),
    [known, page],
  )
  const open = ({ id_tag }: Pick<IdTag, 'id_tag'>) => navigate(`/id-tags/${encodeURIComponent(id_tag)}`)
  return (
    <>
      <Panel
        title="Registered"
        class="fills"
        actions={
          <>
            <Segmented
              label="State"
              value={known ?? 'all'}
              options={[{ value: 'all', name: 'All' }, ...statuses.map(({ value, name }) => ({ value, name }))]}
              onChange={(value) => setStatus(value === 'all' ? '' : value)}
            />
            {may('write:charge_points') && (
              <Button small kind="primary" icon="plus" onClick={() => setMaking(true)}>
                Register a tag
              </Button>
            )}
          </>
        }
      >
        <List
          label="Id tags"
          of={tags}
          perPage={perPage}
          columns={columns}
          keyOf={({ id_tag: tag }) => tag}
          open={open}
          empty={
            known === undefined ? (
              <EmptyState icon="credit-card" title="No id tag is registered">
                <span>
                  Register the cards of your drivers. What others are answered is a setting of your organization.
                </span>
              </EmptyState>
            ) : (
              <EmptyState icon="credit-card" title="No id tag has this state" />
            )
          }
        />
      </Panel>
      {isMaking && <TagDialog close={() => setMaking(false)} done={open} />}
    </>
  )
}
