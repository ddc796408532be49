// The installers of the installation, whom its operator approves.

import { api, ask, type Schema } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

type Installer = Schema<'ReviewedInstaller'>

const kinds: Readonly<Record<string, TagKind>> = { approved: 'ok', rejected: 'bad', pending: 'warn' }

const columns: readonly Column<Installer>[] = [
  {
    id: 'name',
    name: 'Name',
    width: 'minmax(120px, 1fr)',
    cell: ({ first_name: first, last_name: last }) => `${first} ${last}`,
  },
  { id: 'company', name: 'Company', width: 'minmax(120px, 1fr)', wideOnly: true, cell: ({ company }) => company },
  { id: 'email', name: 'Email address', width: 'minmax(140px, 1.2fr)', wideOnly: true, cell: ({ email }) => email },
  {
    id: 'identity',
    name: 'Identity',
    width: '120px',
    cell: ({ verification_status: status }) => <Tag kind={kinds[status] ?? 'plain'}>{status.replaceAll('_', ' ')}</Tag>,
  },
  { id: 'since', name: 'Since', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
]

export function Installers() {
  const installers = useResource(
    async (signal) => ask(api.GET('/api/v1/installers', { params: { query: { per_page: 200 } }, signal })),
    [],
  )
  return (
    <Panel title="Installers" hint={installers.data === undefined ? '' : `${installers.data.total} accounts`}>
      <Loaded of={installers} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState icon="wrench" title="No installer has an account">
              <span>Installers sign up themselves; you look at who they are before they register charge points.</span>
            </EmptyState>
          ) : (
            <Table
              label="Installers"
              fits
              columns={columns}
              count={data.length}
              rowAt={(at) => data[at] as Installer}
              keyOf={({ installer_id: id }) => id}
              rowHeight={36}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
