// The owners of the ground on which charge points stand: who they are, how far their onboarding is, and inviting them.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { FormDialog, type FormField, textIn } from '../../parts/form.js'
import { invitationColumns } from '../../parts/invitation-columns.js'
import { InvitationNote } from '../../parts/invitation-note.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { type SiteOwner, StageTag, stages } from './stages.js'

type Invitation = Schema<'SiteOwnerInvitation'>

const perPage = 50

const columns: readonly Column<SiteOwner>[] = [
  { id: 'name', name: 'Name', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
  {
    id: 'company',
    name: 'Company',
    width: 'minmax(120px, 1fr)',
    wideOnly: true,
    cell: ({ company_name: company }) => company,
  },
  { id: 'email', name: 'Email address', width: 'minmax(140px, 1.2fr)', wideOnly: true, cell: ({ email }) => email },
  { id: 'stage', name: 'Onboarding', width: '160px', cell: (row) => <StageTag of={row} /> },
  { id: 'since', name: 'Since', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
]

export function Page() {
  const [, navigate] = useLocation()
  const [stage, setStage] = useFilter('stage')
  const [page] = usePage()
  const known = stages.find(({ value }) => value === stage)?.value
  const owners = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/site-owners', {
          params: { query: { page, per_page: perPage, ...(known !== undefined && { stage: known }) } },
          signal,
        }),
      ),
    [known, page],
    { everySeconds: 30 },
  )
  return (
    <>
      <PageHead title="Site owners" about="Those on whose ground your charge points stand">
        <Fields>
          <Field
            label="Onboarding"
            hideLabel
            value={known ?? ''}
            onChange={setStage}
            options={[{ value: '', name: 'All' }, ...stages.map(({ value, name }) => ({ value, name }))]}
          />
        </Fields>
      </PageHead>
      <Panel title="Site owners">
        <List
          label="Site owners"
          of={owners}
          perPage={perPage}
          columns={columns}
          keyOf={({ site_owner_id: id }) => id}
          open={({ site_owner_id: id }) => navigate(`/site-owners/${encodeURIComponent(id)}`)}
          empty={
            known === undefined ? (
              <EmptyState icon="award" title="There is no site owner yet">
                <span>Invite one: they give their profile, bank details and documents, and you approve them.</span>
              </EmptyState>
            ) : (
              <EmptyState icon="award" title="No site owner is at this stage" />
            )
          }
        />
      </Panel>
      <Invitations />
    </>
  )
}

const columnsOfInvitations: readonly Column<Invitation>[] = [
  { id: 'name', name: 'Name', width: 'minmax(110px, 1fr)', cell: ({ name }) => name },
  { id: 'email', name: 'Email address', width: 'minmax(140px, 1.2fr)', cell: ({ email }) => email },
  {
    id: 'site',
    name: 'Site',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ project_name: project }) => project,
  },
  ...invitationColumns,
]

const fieldsWith = (sites: readonly { readonly value: string; readonly name: string }[]): readonly FormField[] => [
  { name: 'email', label: 'Email address', type: 'email' },
  { name: 'name', label: 'Name' },
  { name: 'project_id', label: 'Site', optional: true, options: [{ value: '', name: 'None yet' }, ...sites] },
]

function Invitations() {
  const [page] = usePage()
  const [isInviting, setInviting] = useState(false)
  const [revoked, setRevoked] = useState<Invitation>()
  const mayChange = may('write:organisations')
  const invitations = useResource(
    (signal) =>
      ask(api.GET('/api/v1/site-owner/invitations', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
  )
  const sites = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/sites', { params: { query: { per_page: 200 } }, signal }))).data.map(
        ({ site_id, name }) => ({ value: site_id, name }),
      ),
    [],
    { enabled: isInviting && may('read:charge_points') },
  )
  const revoke: Column<Invitation> = {
    id: 'revoke',
    name: 'Revoke',
    hideName: true,
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => setRevoked(row)} label={`Revoke the invitation of ${row.email}`}>
        Revoke
      </Button>
    ),
  }
  return (
    <Panel
      title="Invitations"
      hint="Each is a mail with a token that is good once, for a week"
      actions={
        mayChange && (
          <Button small icon="user-plus" onClick={() => setInviting(true)}>
            Invite a site owner
          </Button>
        )
      }
    >
      {mayChange && <InvitationNote />}
      <List
        label="Invitations"
        of={invitations}
        perPage={perPage}
        columns={mayChange ? [...columnsOfInvitations, revoke] : columnsOfInvitations}
        keyOf={({ id }) => id}
        empty={<EmptyState icon="mail" title="No invitation is open" />}
      />
      {isInviting && (
        <FormDialog
          title="Invite a site owner"
          does="Send the invitation"
          said={
            hasFeature('mail')
              ? 'The invitation is on its way.'
              : 'The invitation was written to a file. No mail was sent.'
          }
          fields={fieldsWith(sites.data ?? [])}
          close={() => setInviting(false)}
          run={async (values) => {
            const site = sites.data?.find(({ value }) => value === values.project_id)
            const body = {
              email: textIn(values.email),
              name: textIn(values.name),
              ...(site !== undefined && { project_id: site.value, project_name: site.name }),
            }
            await ask(api.POST('/api/v1/site-owner/invitations', { body }))
            invitations.reload()
          }}
        />
      )}
      {revoked !== undefined && (
        <Ask
          title={`Revoke the invitation of ${revoked.email}?`}
          does="Revoke it"
          said="The invitation is revoked."
          danger
          close={() => setRevoked(undefined)}
          run={async () => {
            const params = { path: { invitation_id: revoked.id } }
            await ask(api.DELETE('/api/v1/site-owner/invitations/{invitation_id}', { params }))
            invitations.reload()
          }}
        >
          <p>The token in the mail is not valid any more.</p>
        </Ask>
      )}
    </Panel>
  )
}
