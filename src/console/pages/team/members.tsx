// The members, whose roles an admin changes.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import type { Resource } from '../../client/resource.js'
import { may, organizationId } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'

export interface Member {
  readonly user_id: string
  readonly name: string
  readonly email: string
  readonly role: Role
  readonly joined_at: string
}

export type Role = 'admin' | 'member' | 'viewer'

export const roles: readonly { readonly value: Role; readonly name: string }[] = [
  { value: 'viewer', name: 'Viewer: sees everything but raw messages, changes nothing' },
  { value: 'member', name: 'Member: does the daily work' },
  { value: 'admin', name: 'Admin: also people, keys and the organization' },
]

export function Members({ members }: { readonly members: Resource<readonly Member[]> }) {
  const [changing, setChanging] = useState<Member>()
  const isAdmin = may('write:organisations')
  const columns: readonly Column<Member>[] = [
    { id: 'name', name: 'Name', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
    { id: 'email', name: 'Email address', width: 'minmax(160px, 1.4fr)', wideOnly: true, cell: ({ email }) => email },
    { id: 'role', name: 'Role', width: '90px', cell: ({ role }) => role },
    { id: 'joined', name: 'Since', width: '110px', wideOnly: true, cell: ({ joined_at: at }) => dateText(at) },
    ...(isAdmin
      ? [
          {
            id: 'change',
            name: 'Change',
            width: '90px',
            align: 'end' as const,
            buttons: true,
            cell: (row: Member) => (
              <Button small onClick={() => setChanging(row)} label={`Change ${row.name}`}>
                Change
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Panel title="Members" hint={members.data === undefined ? '' : String(members.data.length)}>
      <Loaded of={members} rows={3}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="users" title="Nobody is a member yet">
              {isAdmin && 'Invite yourself first: a key is for machines, a person signs in with a passkey or a code.'}
            </EmptyState>
          ) : (
            <Table
              label="Members"
              fits
              columns={columns}
              count={rows.length}
              rowAt={(at) => rows[at] as Member}
              keyOf={({ user_id: id }) => id}
            />
          )
        }
      </Loaded>
      {changing !== undefined && (
        <ChangeMember
          member={changing}
          close={() => setChanging(undefined)}
          changed={() => {
            setChanging(undefined)
            members.reload()
          }}
        />
      )}
    </Panel>
  )
}

function ChangeMember({
  member,
  close,
  changed,
}: {
  readonly member: Member
  readonly close: () => void
  readonly changed: () => void
}) {
  const [role, setRole] = useState<string>(member.role)
  const params = { path: { org_id: organizationId(), user_id: member.user_id } }
  return (
    <Ask
      title={member.name}
      does="Save the role"
      said={`${member.name} is ${role} now, and signs in anew.`}
      disabled={role === member.role}
      run={() => {
        const body = { role: role as Role }
        return ask(api.PUT('/api/v1/organizations/{org_id}/members/{user_id}/role', { params, body }))
      }}
      others={[
        {
          does: 'Remove from the organization',
          danger: true,
          said: `${member.name} is no member any more, and signed out everywhere.`,
          run: () => ask(api.DELETE('/api/v1/organizations/{org_id}/members/{user_id}', { params })),
        },
      ]}
      close={close}
      done={changed}
    >
      <p>{member.email}</p>
      <Field
        label="Role"
        path="/role"
        value={role}
        onChange={setRole}
        options={roles}
        hint="Another role, and removal, end the sessions of the member at once. Keys that are bound to a member go with them."
      />
    </Ask>
  )
}
