// The roaming partners: who is invited and who is registered, and another one, which either side begins.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { FormDialog, type FormField, type FormValues, textIn } from '../../parts/form.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { type Partner, statusKinds } from '../partner/here.js'
import { type Invitation, RegistrationToken, registrationFields } from '../partner/registration.js'

const perPage = 50

const columns: readonly Column<Partner>[] = [
  { id: 'name', name: 'Partner', width: 'minmax(140px, 1fr)', cell: ({ name }) => name },
  {
    id: 'status',
    name: 'State',
    width: '100px',
    cell: ({ status }) => <Tag kind={statusKinds[status]}>{status}</Tag>,
  },
  {
    id: 'parties',
    name: 'Speaks for',
    width: 'minmax(120px, 1.4fr)',
    wideOnly: true,
    cell: ({ roles }) => (
      <span class="mono">
        {roles.map(({ role, country_code, party_id }) => `${country_code}-${party_id} ${role}`).join(', ')}
      </span>
    ),
  },
  {
    id: 'since',
    name: 'Registered',
    width: '130px',
    wideOnly: true,
    cell: ({ registered_at: at }) => (at === null ? <span class="dim">not yet</span> : agoText(at)),
  },
]

export function Page() {
  const [, navigate] = useLocation()
  const [page] = usePage()
  const [isAdding, setAdding] = useState(false)
  const [invited, setInvited] = useState<Invitation>()
  const partners = useResource(
    (signal) => ask(api.GET('/api/v1/ocpi/partners', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
    { everySeconds: 15 },
  )
  const open = (id: string) => navigate(`/roaming/partners/${encodeURIComponent(id)}`)
  return (
    <>
      <Panel
        title="Partners"
        class="fills"
        actions={
          may('write:ocpi') && (
            <Button small kind="primary" icon="plus" onClick={() => setAdding(true)}>
              New partner
            </Button>
          )
        }
      >
        <List
          label="Partners"
          of={partners}
          perPage={perPage}
          columns={columns}
          keyOf={({ id }) => id}
          open={({ id }) => open(id)}
          empty={
            <EmptyState icon="network" title="No roaming partner is connected">
              <span>Invite a provider or a hub, or register there with a token that it has given you.</span>
            </EmptyState>
          }
        />
      </Panel>
      {isAdding && <NewPartner close={() => setAdding(false)} invited={setInvited} registered={open} />}
      {invited !== undefined && <RegistrationToken of={invited} close={() => open(invited.id)} />}
    </>
  )
}

interface NewPartnerProps {
  readonly close: () => void
  readonly invited: (invitation: Invitation) => void
  readonly registered: (id: string) => void
}

const fieldsOf = ({ way }: FormValues): readonly FormField[] => [
  { name: 'name', label: 'Name', placeholder: 'Example Mobility' },
  {
    name: 'way',
    label: 'How you become connected',
    options: [
      { value: 'invite', name: 'You invite the partner, who registers here' },
      { value: 'register', name: 'The partner has given you a token: you register there' },
    ],
  },
  ...(way === 'register' ? registrationFields : []),
]

function NewPartner({ close, invited, registered }: NewPartnerProps) {
  async function make(values: FormValues): Promise<void> {
    const made = await ask(api.POST('/api/v1/ocpi/partners', { body: { name: textIn(values.name) } }))
    if (values.way === 'invite') {
      invited(made)
      return
    }
    const params = { path: { partner_id: made.id } }
    const body = { versions_url: textIn(values.versions_url), token: textIn(values.token) }
    try {
      await ask(api.POST('/api/v1/ocpi/partners/{partner_id}/register', { params, body }))
    } catch (error) {
      // What is left of it would be a partner that nobody has invited.
      await ask(api.DELETE('/api/v1/ocpi/partners/{partner_id}', { params })).catch(() => undefined)
      throw error
    }
    registered(made.id)
  }
  return (
    <FormDialog
      title="New roaming partner"
      does="Go on"
      fields={fieldsOf}
      begin={{ way: 'invite' }}
      close={close}
      run={make}
    />
  )
}
