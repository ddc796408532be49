// Who is invited, and has not come yet.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, may, organizationId } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { invitationColumns } from '../../parts/invitation-columns.js'
import { InvitationNote } from '../../parts/invitation-note.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'
import { type Role, roles } from './members.js'

type Invitation = Schema<'MemberInvitation'>

export function Invitations({ joined }: { readonly joined: () => void }) {
  const [isInviting, setInviting] = useState(false)
  const isAdmin = may('write:organisations')
  const invitations = useResource(async (signal) => {
    const params = { path: { org_id: organizationId() }, query: { per_page: 200 } }
    return (await ask(api.GET('/api/v1/organizations/{org_id}/invitations', { params, signal }))).data
  }, [])
  async function revoke({ id, email }: Invitation): Promise<void> {
    const path = { org_id: organizationId(), invitation_id: id }
    await attempt(
      () => ask(api.DELETE('/api/v1/organizations/{org_id}/invitations/{invitation_id}', { params: { path } })),
      `The invitation of ${email} is revoked.`,
    )
    invitations.reload()
    // Who has come in the meantime is a member.
    joined()
  }
  const columns: readonly Column<Invitation>[] = [
    { id: 'email', name: 'Email address', width: 'minmax(140px, 1fr)', cell: ({ email }) => email },
    { id: 'role', name: 'Role', width: '90px', cell: ({ role }) => role },
    ...invitationColumns,
    ...(isAdmin
      ? [
          {
            id: 'revoke',
            name: 'Revoke',
            width: '90px',
            align: 'end' as const,
            buttons: true,
            cell: (row: Invitation) => (
              <Button small onClick={() => void revoke(row)} label={`Revoke the invitation of ${row.email}`}>
                Revoke
              </Button>
            ),
          },
        ]
      : []),
  ]
  return (
    <Panel
      title="Invitations"
      hint="Each can be accepted once, for a week"
      actions={
        isAdmin && (
          <Button small icon="user-plus" onClick={() => setInviting(true)}>
            Invite somebody
          </Button>
        )
      }
    >
      {isAdmin && <InvitationNote ofMembers />}
      <Loaded of={invitations} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState icon="mail" title="No invitation is open">
              <span>Whoever is invited becomes a member with what is in the mail.</span>
            </EmptyState>
          ) : (
            <Table
              label="Invitations"
              fits
              columns={columns}
              count={rows.length}
              rowAt={(at) => rows[at] as Invitation}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isInviting && (
        <Invite
          close={() => setInviting(false)}
          invited={() => {
            setInviting(false)
            invitations.reload()
          }}
        />
      )}
    </Panel>
  )
}

function Invite({ close, invited }: { readonly close: () => void; readonly invited: () => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string>('member')
  return (
    <Ask
      title="Invite somebody"
      does={hasFeature('mail') ? 'Send the invitation' : 'Write the invitation'}
      said={
        hasFeature('mail')
          ? `${email.trim()} is invited.`
          : `The invitation of ${email.trim()} was written to a file. No mail was sent.`
      }
      whyNot={email.trim() === '' ? 'Say to which address it is sent.' : undefined}
      close={close}
      done={invited}
      run={() => {
        const params = { path: { org_id: organizationId() } }
        const body = { email: email.trim(), role: role as Role }
        return ask(api.POST('/api/v1/organizations/{org_id}/invitations', { params, body }))
      }}
    >
      <InvitationNote ofMembers />
      <Field label="Email address" path="/email" type="email" value={email} onChange={setEmail} required autofocus />
      <Field label="Role" path="/role" value={role} onChange={setRole} options={roles} />
    </Ask>
  )
}
