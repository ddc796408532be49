// What was asked of the charge point, and what it has answered, the newest first.

import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import {
  CommandDetails,
  commandColumns,
  narrowCommand,
  withoutWaiting,
  withWaiting,
} from '../../parts/command-history.js'
import { EmptyState } from '../../parts/states.js'
import { useHere } from './here.js'
import { PagedTable, perPage } from './paged-table.js'

export function Page() {
  const { id } = useHere()
  const [page] = useQuery('page')
  const [chosen, choose] = useQuery('command')
  const history = useResource(
    (signal) => {
      const params = { path: { charge_point_id: id }, query: { page: Number(page ?? 1), per_page: perPage } }
      const read = () => ask(api.GET('/api/v1/cpo/commands/{charge_point_id}/history', { params, signal }))
      return page === undefined ? withWaiting(read, id, signal) : read().then(withoutWaiting)
    },
    [id, page],
    { everySeconds: 5 },
  )
  const shown = history.data?.data.find(({ command_id }) => command_id === chosen)
  return (
    <>
      <PagedTable
        label="Commands"
        of={history}
        columns={commandColumns}
        narrow={narrowCommand}
        keyOf={({ command_id }) => command_id}
        open={({ command_id }) => choose(command_id, true)}
        empty={
          <EmptyState icon="terminal" title="Nothing was asked of it yet">
            A command is sent with the buttons above, or with c.
          </EmptyState>
        }
      />
      {shown !== undefined && <CommandDetails of={shown} close={() => choose(undefined)} />}
    </>
  )
}
