// Who belongs to the organization and in which role, who is invited, who is signed in, and which installers there are.

import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, may, organizationId } from '../../client/session.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { SessionTable } from '../account/session-table.js'
import { Installers } from './installers.js'
import { Invitations } from './invitations.js'
import { type Member, Members } from './members.js'

export function Page() {
  const isAdmin = may('write:organisations')
  const members = useResource(async (signal) => {
    const params = { path: { org_id: organizationId() }, query: { per_page: 200 } }
    return (await ask(api.GET('/api/v1/organizations/{org_id}/members', { params, signal }))).data as readonly Member[]
  }, [])
  return (
    <>
      <PageHead title="Team" about="The people of your organization, and what they may do" />
      <Members members={members} />
      <Invitations joined={members.reload} />
      {isAdmin && <Sessions />}
      {hasFeature('operates_installation') && <Installers />}
    </>
  )
}

function Sessions() {
  const sessions = useResource(async (signal) => {
    const params = { query: { of: 'organization', per_page: 200 } } as const
    return (await ask(api.GET('/api/v1/console/sessions', { params, signal }))).data
  }, [])
  return (
    <Panel title="Signed in" hint="Everybody who has the console open">
      <Loaded of={sessions} rows={2}>
        {(rows) => (
          <SessionTable
            rows={rows.filter(({ status }) => status === 'open')}
            ended={sessions.reload}
            who={({ name, user_id: userId, key_id: keyId }) => <span title={userId ?? keyId ?? undefined}>{name}</span>}
          />
        )}
      </Loaded>
    </Panel>
  )
}
