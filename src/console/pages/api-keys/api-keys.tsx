// The keys of the organization: which there are, what each may do, and when it was last used.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, dateText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { ChangeKey } from './change-key.js'
import { NewKey } from './new-key.js'

type Key = Schema<'ApiKey'>

const columnsWith = (change: (key: Key) => void): readonly Column<Key>[] => [
  { id: 'name', name: 'Name', width: 'minmax(140px, 1fr)', cell: ({ name }) => name },
  {
    id: 'status',
    name: 'State',
    width: '90px',
    cell: ({ status }) => <Tag kind={status === 'active' ? 'ok' : 'plain'}>{status}</Tag>,
  },
  {
    id: 'scopes',
    name: 'What it may do',
    width: 'minmax(160px, 2fr)',
    wideOnly: true,
    cell: ({ effective_scopes: scopes }) => <span title={scopes.join('\n')}>{scopes.join(', ')}</span>,
  },
  { id: 'created', name: 'Made', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
  {
    id: 'used',
    name: 'Last used',
    width: '120px',
    cell: ({ last_used_at: at }) => (at === null ? <span class="dim">never</span> : agoText(at)),
  },
  {
    id: 'ends',
    name: 'Ends',
    width: '110px',
    wideOnly: true,
    cell: ({ expires_at: at }) => (at === null ? <span class="dim">never</span> : dateText(at)),
  },
  {
    id: 'change',
    name: 'Change',
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => change(row)} label={`Change the key ${row.name}`}>
        Change
      </Button>
    ),
  },
]

export function Page() {
  const [isMaking, setMaking] = useState(false)
  const [changing, setChanging] = useState<Key>()
  const keys = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/org/api-keys', { params: { query: { per_page: 200 } }, signal }))).data,
    [],
  )
  return (
    <>
      <PageHead
        title="API keys"
        about="Machines call the API with them"
        actions={
          <Button icon="plus" onClick={() => setMaking(true)}>
            Make a key
          </Button>
        }
      />
      <Panel class="fills">
        <Loaded of={keys}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState icon="key-round" title="No key has been made">
                <span>Make one for each program that calls the API, with no more scopes than it needs.</span>
              </EmptyState>
            ) : (
              <Table
                label="API keys"
                columns={columnsWith(setChanging)}
                count={rows.length}
                rowAt={(at) => rows[at] as Key}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
      {isMaking && <NewKey close={() => setMaking(false)} made={keys.reload} />}
      {changing !== undefined && <ChangeKey of={changing} close={() => setChanging(undefined)} changed={keys.reload} />}
    </>
  )
}
