// The organizations of the installation: created by its operator, with their plans, and a key for one that has lost its own.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { dateText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { FormDialog, type FormField, type FormValues, numberIn, textIn } from '../../parts/form.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { ShownOnce } from '../../parts/shown-once.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

const perPage = 50

const read = (page: number, signal: AbortSignal) =>
  ask(api.GET('/api/v1/organizations', { params: { query: { page, per_page: perPage } }, signal }))

type Organization = Awaited<ReturnType<typeof read>>['data'][number]

const plans = [
  { value: 'free', name: 'Free' },
  { value: 'pro', name: 'Pro' },
  { value: 'enterprise', name: 'Enterprise' },
]

const columns: readonly Column<Organization>[] = [
  { id: 'name', name: 'Organization', width: 'minmax(130px, 1.4fr)', cell: ({ name }) => name },
  {
    id: 'id',
    name: 'Id',
    width: 'minmax(120px, 1fr)',
    wideOnly: true,
    cell: ({ id }) => <span class="mono">{id}</span>,
  },
  { id: 'country', name: 'Country', width: '80px', wideOnly: true, cell: ({ country }) => country },
  { id: 'plan', name: 'Plan', width: '100px', cell: ({ plan }) => <Tag>{plan}</Tag> },
  {
    id: 'quota',
    name: 'Requests an hour',
    width: '130px',
    align: 'end',
    wideOnly: true,
    cell: ({ requests_per_hour: most }) =>
      most === null ? <span class="dim">without a limit</span> : numberText(most),
  },
  { id: 'since', name: 'Since', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
]

const newFields: readonly FormField[] = [
  { name: 'name', label: 'Name' },
  { name: 'country', label: 'Country', placeholder: 'NL', mono: true, hint: 'Two letters.' },
  { name: 'contact_email', label: 'Email address', type: 'email' },
  { name: 'timezone', label: 'Time zone', optional: true, placeholder: 'Europe/Amsterdam' },
  { name: 'plan', label: 'Plan', options: plans },
]

const planFields = ({ plan }: FormValues): readonly FormField[] => [
  { name: 'plan', label: 'Plan', options: plans },
  ...(plan === 'enterprise'
    ? [
        {
          name: 'requests_per_hour',
          label: 'Requests an hour',
          isNumber: true,
          optional: true,
          hint: 'Empty: what the plan allows.',
        },
      ]
    : []),
]

type Open = { readonly is: 'new' } | { readonly is: 'plan' | 'key'; readonly organization: Organization }

export function Page() {
  const [page] = usePage()
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<{ readonly name: string; readonly key: string }>()
  const organizations = useResource((signal) => read(page, signal), [page])
  const mayChange = may('write:organisations')
  const close = () => setOpen(undefined)
  const actions: Column<Organization> = {
    id: 'change',
    name: 'Change',
    hideName: true,
    width: '150px',
    align: 'end',
    buttons: true,
    cell: (organization) => (
      <>
        <Button
          small
          onClick={() => setOpen({ is: 'plan', organization })}
          label={`Change the plan of ${organization.name}`}
        >
          Plan
        </Button>{' '}
        <Button small onClick={() => setOpen({ is: 'key', organization })} label={`New key for ${organization.name}`}>
          New key
        </Button>
      </>
    ),
  }
  return (
    <>
      <PageHead
        title="Organizations"
        about="Those that share this installation, each with charge points of its own"
        actions={
          mayChange && (
            <Button kind="primary" icon="plus" onClick={() => setOpen({ is: 'new' })}>
              New organization
            </Button>
          )
        }
      />
      <Panel class="fills">
        <List
          label="Organizations"
          of={organizations}
          perPage={perPage}
          columns={mayChange ? [...columns, actions] : columns}
          keyOf={({ id }) => id}
          empty={<EmptyState icon="building" title="There is no organization" />}
        />
      </Panel>
      {open?.is === 'new' && (
        <FormDialog
          title="Create an organization"
          does="Create it"
          fields={newFields}
          begin={{ plan: 'free' }}
          close={close}
          run={async (values) => {
            const body = {
              name: textIn(values.name),
              country: textIn(values.country).toUpperCase() as 'NL',
              contact_email: textIn(values.contact_email),
              plan: values.plan as Organization['plan'],
              ...(textIn(values.timezone) !== '' && { timezone: textIn(values.timezone) }),
            }
            const { name, api_key } = await ask(api.POST('/api/v1/organizations', { body }))
            setMade({ name, key: api_key })
            organizations.reload()
          }}
        >
          <p class="sub">It gets an API key, with which its first administrator signs in here.</p>
        </FormDialog>
      )}
      {open?.is === 'plan' && (
        <FormDialog
          title={`The plan of ${open.organization.name}`}
          does="Save"
          said={`The plan of ${open.organization.name} is changed.`}
          fields={planFields}
          begin={{
            plan: open.organization.plan,
            requests_per_hour: String(open.organization.requests_per_hour ?? ''),
          }}
          close={close}
          run={async (values) => {
            const params = { path: { org_id: open.organization.id } }
            const isLimited = values.plan === 'enterprise' && textIn(values.requests_per_hour) !== ''
            const body = {
              plan: values.plan as Organization['plan'],
              ...(isLimited && { requests_per_hour: numberIn(values.requests_per_hour) }),
            }
            await ask(api.PUT('/api/v1/organizations/{org_id}/plan', { params, body }))
            organizations.reload()
          }}
        >
          <p class="sub">It says how many requests its API keys may make in an hour.</p>
        </FormDialog>
      )}
      {open?.is === 'key' && (
        <Ask
          title={`Create a key for ${open.organization.name}?`}
          does="Create the key"
          danger
          word={open.organization.name.trim()}
          close={close}
          run={async () => {
            const { id, name } = open.organization
            const params = { path: { org_id: id } }
            const { key } = await ask(api.POST('/api/v1/organizations/{org_id}/api-keys', { params, body: {} }))
            setMade({ name, key })
          }}
        >
          <p>
            The key may do everything in {open.organization.name}. It is for an organization that has no key and no
            administrator any more. Its audit log shows who has created it.
          </p>
        </Ask>
      )}
      {made !== undefined && (
        <ShownOnce title={`The key of ${made.name}`} secret={made.key} close={() => setMade(undefined)}>
          <p>
            Hand it over to the administrator of the organization. It is shown this once and stored nowhere: whoever
            loses it needs another one.
          </p>
        </ShownOnce>
      )}
    </>
  )
}
