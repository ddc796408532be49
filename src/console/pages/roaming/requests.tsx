// What organizations ask the operator of the installation to connect, and what the operator answers.

import { useState } from 'preact/hooks'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { FormDialog, type FormField, textIn } from '../../parts/form.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

type Request = Schema<'IntegrationRequest'>

const perPage = 50

const types: readonly { readonly value: Request['type']; readonly name: string }[] = [
  { value: 'emsp', name: 'E-mobility service provider' },
  { value: 'roaming_hub', name: 'Roaming hub' },
  { value: 'payment', name: 'Payment provider' },
  { value: 'other', name: 'Something else' },
]

const statuses: readonly { readonly value: Request['status']; readonly name: string; readonly kind: TagKind }[] = [
  { value: 'submitted', name: 'submitted', kind: 'info' },
  { value: 'in_review', name: 'in review', kind: 'warn' },
  { value: 'connected', name: 'connected', kind: 'ok' },
  { value: 'declined', name: 'declined', kind: 'bad' },
]

const columns: readonly Column<Request>[] = [
  { id: 'partner', name: 'Partner', width: 'minmax(120px, 1fr)', cell: ({ partner_name: name }) => name },
  {
    id: 'type',
    name: 'What it is',
    width: '180px',
    wideOnly: true,
    cell: ({ type }) => types.find(({ value }) => value === type)?.name,
  },
  {
    id: 'status',
    name: 'State',
    width: '100px',
    cell: ({ status }) => {
      const found = statuses.find(({ value }) => value === status)
      return <Tag kind={found?.kind ?? 'plain'}>{found?.name ?? status}</Tag>
    },
  },
  {
    id: 'note',
    name: 'Answer',
    width: 'minmax(120px, 2fr)',
    cell: ({ note }) => <span title={note ?? ''}>{note}</span>,
  },
  { id: 'made', name: 'Made', width: '110px', wideOnly: true, cell: ({ created_at: at }) => agoText(at) },
]

export function Page() {
  const [page] = usePage()
  const [of, setOf] = useQuery('of')
  const [isAsking, setAsking] = useState(false)
  const [answered, setAnswered] = useState<Request>()
  const operates = hasFeature('operates_installation')
  const isAll = operates && of === 'all'
  const requests = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/integration-requests', {
          params: { query: { page, per_page: perPage, ...(isAll && { all: true }) } },
          signal,
        }),
      ),
    [page, isAll],
    { everySeconds: 30 },
  )
  const mayChange = may('write:ocpi')
  const answer: Column<Request> = {
    id: 'answer',
    name: 'Answer it',
    hideName: true,
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) => (
      <Button small onClick={() => setAnswered(row)} label={`Answer the request for ${row.partner_name}`}>
        Answer
      </Button>
    ),
  }
  return (
    <>
      <Panel
        title="Requests"
        hint="To be connected with a partner or a platform"
        class="fills"
        actions={
          <>
            {operates && (
              <Segmented
                label="Whose requests"
                value={isAll ? 'all' : 'own'}
                options={[
                  { value: 'own', name: 'Yours' },
                  { value: 'all', name: 'Of all organizations' },
                ]}
                onChange={(value) => setOf(value === 'all' ? 'all' : undefined)}
              />
            )}
            {mayChange && (
              <Button small icon="plus" onClick={() => setAsking(true)}>
                New request
              </Button>
            )}
          </>
        }
      >
        <List
          label="Requests"
          of={requests}
          perPage={perPage}
          columns={operates && mayChange ? [...columns, answer] : columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="network" title="Nothing has been asked for">
              <span>Ask the operator of the installation for a provider, a hub or a payment provider.</span>
            </EmptyState>
          }
        />
      </Panel>
      {isAsking && (
        <FormDialog
          title="Ask to be connected"
          does="Send the request"
          said="The operator of the installation has your request."
          fields={newFields}
          begin={{ type: 'emsp' }}
          close={() => setAsking(false)}
          run={async (values) => {
            const body = {
              type: values.type as Request['type'],
              partner_name: textIn(values.partner_name),
              ...(textIn(values.description) !== '' && { description: textIn(values.description) }),
            }
            await ask(api.POST('/api/v1/integration-requests', { body }))
            requests.reload()
          }}
        />
      )}
      {answered !== undefined && (
        <FormDialog
          title={`The request for ${answered.partner_name}`}
          does="Answer"
          said="The request is answered."
          fields={answerFields}
          begin={{ status: answered.status, note: answered.note ?? '' }}
          close={() => setAnswered(undefined)}
          run={async (values) => {
            const params = { path: { request_id: answered.id } }
            const body = { status: values.status as Request['status'], note: textIn(values.note) }
            await ask(api.PATCH('/api/v1/integration-requests/{request_id}', { params, body }))
            requests.reload()
          }}
        >
          <Facts
            of={[
              { name: 'Organization', value: <span class="mono">{answered.organization_id}</span> },
              { name: 'What for', value: answered.description },
            ]}
          />
        </FormDialog>
      )}
    </>
  )
}

const newFields: readonly FormField[] = [
  { name: 'partner_name', label: 'Name of the partner or platform' },
  { name: 'type', label: 'What it is', options: types },
  { name: 'description', label: 'What for', lines: 4, optional: true },
]

const answerFields: readonly FormField[] = [
  { name: 'status', label: 'State', options: statuses },
  { name: 'note', label: 'Note for the organization', lines: 4, optional: true },
]
