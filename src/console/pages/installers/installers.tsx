// The installers of the installation: who they are, whose identity waits for a review, and ending the access of all.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { dateText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { Fields } from '../../parts/fields.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

type Installer = Schema<'ReviewedInstaller'>
type Status = Installer['verification_status']

const perPage = 50

export const reviews: readonly { readonly value: Status; readonly name: string; readonly kind: TagKind }[] = [
  { value: 'under_review', name: 'To be reviewed', kind: 'info' },
  { value: 'approved', name: 'Approved', kind: 'ok' },
  { value: 'rejected', name: 'Rejected', kind: 'bad' },
  { value: 'not_submitted', name: 'Not submitted', kind: 'plain' },
]

export function Review({ of }: { readonly of: Status }) {
  const found = reviews.find(({ value }) => value === of)
  return <Tag kind={found?.kind ?? 'plain'}>{found?.name ?? of}</Tag>
}

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
    width: '130px',
    cell: ({ verification_status: status }) => <Review of={status} />,
  },
  { id: 'since', name: 'Since', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
]

export function Page() {
  const [, navigate] = useLocation()
  const [status, setStatus] = useFilter('status')
  const [page] = usePage()
  const [isEnding, setEnding] = useState(false)
  const known = reviews.find(({ value }) => value === status)?.value
  const installers = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/installers', {
          params: { query: { page, per_page: perPage, ...(known !== undefined && { verification_status: known }) } },
          signal,
        }),
      ),
    [known, page],
    { everySeconds: 30 },
  )
  return (
    <>
      <PageHead
        title="Installers"
        about="They sign up themselves, and install after you have approved who they are"
        actions={
          may('write:organisations') && (
            <Button icon="log-out" onClick={() => setEnding(true)}>
              Sign all out
            </Button>
          )
        }
      >
        <Fields>
          <Segmented
            label="Identity"
            value={known ?? 'all'}
            options={[{ value: 'all', name: 'All' }, ...reviews.map(({ value, name }) => ({ value, name }))]}
            onChange={(value) => setStatus(value === 'all' ? '' : value)}
          />
        </Fields>
      </PageHead>
      <Panel class="fills">
        <List
          label="Installers"
          of={installers}
          perPage={perPage}
          columns={columns}
          keyOf={({ installer_id: id }) => id}
          open={({ installer_id: id }) => navigate(`/installers/${encodeURIComponent(id)}`)}
          empty={
            known === undefined ? (
              <EmptyState icon="wrench" title="No installer has an account">
                <span>Installers sign up in their app. You find them here then, and look at who they are.</span>
              </EmptyState>
            ) : (
              <EmptyState icon="wrench" title="No installer is like this" />
            )
          }
        />
      </Panel>
      {isEnding && (
        <Ask
          title="Sign all installers out?"
          does="Sign all out"
          said="Every installer has to log in again."
          danger
          word="sign out"
          close={() => setEnding(false)}
          run={() => ask(api.DELETE('/api/v1/installers/access-tokens', {}))}
        >
          <p>
            The access tokens of all installers end at once. Do this if somebody may have read the data directory or a
            backup.
          </p>
        </Ask>
      )}
    </>
  )
}
