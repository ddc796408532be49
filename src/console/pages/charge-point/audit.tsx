// Who has changed the charge point, or sent it commands, the newest first.

import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { EmptyState } from '../../parts/states.js'
import type { Column, NarrowRow } from '../../parts/table.js'
import { useHere } from './here.js'
import { PagedTable, perPage } from './paged-table.js'
import { actionText } from './words.js'

type Entry = Schema<'AuditEntry'>

const columns: readonly Column<Entry>[] = [
  { id: 'at', name: 'When', width: '170px', cell: ({ occurred_at }) => momentText(occurred_at) },
  {
    id: 'action',
    name: 'What',
    width: 'minmax(180px, 1.2fr)',
    cell: ({ action }) => <span title={action}>{actionText(action)}</span>,
  },
  {
    id: 'by',
    name: 'By',
    width: 'minmax(110px, 1fr)',
    cell: ({ key_name, user_id, installer_id }) =>
      key_name ?? user_id ?? installer_id ?? <span class="dim">the service</span>,
  },
  {
    id: 'from',
    name: 'From',
    width: '130px',
    wideOnly: true,
    cell: ({ remote_address }) => <span class="mono dim">{remote_address}</span>,
  },
  {
    id: 'outcome',
    name: 'Outcome',
    width: '120px',
    cell: ({ status, error }) => (
      <Tag kind={status < 400 ? 'ok' : 'bad'}>{error ?? (status < 400 ? 'done' : status)}</Tag>
    ),
  },
  {
    id: 'body',
    name: 'With',
    width: 'minmax(140px, 1.6fr)',
    wideOnly: true,
    cell: ({ request_body }) =>
      request_body === null ? '' : <span class="mono dim">{JSON.stringify(request_body)}</span>,
  },
]

const narrow: NarrowRow<Entry> = {
  title: ({ action }) => actionText(action),
  about: ({ occurred_at, key_name, user_id }) => `${momentText(occurred_at)}, ${key_name ?? user_id ?? ''}`,
  end: ({ status, error }) => <Tag kind={status < 400 ? 'ok' : 'bad'}>{error ?? 'done'}</Tag>,
}

export function Page() {
  const { id } = useHere()
  const [page] = useQuery('page')
  const entries = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/org/audit-log', {
          params: { query: { charge_point_id: id, page: Number(page ?? 1), per_page: perPage } },
          signal,
        }),
      ),
    [id, page],
    { everySeconds: 15 },
  )
  return (
    <PagedTable
      label="Audit log"
      of={entries}
      columns={columns}
      narrow={narrow}
      keyOf={(entry) => entry.id}
      empty={<EmptyState icon="scroll-text" title="Nobody has changed it" />}
    />
  )
}
