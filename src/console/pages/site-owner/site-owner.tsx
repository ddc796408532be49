// One site owner: what they have given, approving it or sending it back, and their bank details for a payment.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { Facts } from '../../parts/facts.js'
import { FormDialog, textIn } from '../../parts/form.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { type SiteOwner, StageTag } from '../site-owners/stages.js'

type OwnerDocument = SiteOwner['documents'][number]

export function Page({ params: { site_owner_id = '' } }: PageProps) {
  const owner = useResource(
    (signal) => ask(api.GET('/api/v1/site-owners/{site_owner_id}', { params: { path: { site_owner_id } }, signal })),
    [site_owner_id],
  )
  return <Loaded of={owner}>{(data) => <Shown owner={data} reload={owner.reload} />}</Loaded>
}

const columns: readonly Column<OwnerDocument>[] = [
  { id: 'name', name: 'Document', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
  { id: 'type', name: 'Kind', width: '150px', wideOnly: true, cell: ({ type }) => type.replaceAll('_', ' ') },
  {
    id: 'url',
    name: 'Where it is',
    width: 'minmax(140px, 2fr)',
    cell: ({ url }) => (
      <a class="link" href={url} target="_blank" rel="noreferrer noopener">
        {url}
      </a>
    ),
  },
]

type Dialogs = 'approve' | 'back' | 'remove' | 'bank'

function Shown({ owner, reload }: { readonly owner: SiteOwner; readonly reload: () => void }) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<Dialogs>()
  const close = () => setDialog(undefined)
  const { name, submitted_at: submitted, documents, bank_details: bank } = owner
  const params = { path: { site_owner_id: owner.site_owner_id } }
  const mayChange = may('write:organisations')

  async function decide(approved: boolean, reason?: string): Promise<void> {
    const body = { approved, submitted_at: submitted ?? '', ...(reason !== undefined && { reason }) }
    await ask(api.POST('/api/v1/site-owners/{site_owner_id}/approval', { params, body }))
    reload()
  }

  return (
    <>
      <PageHead
        title={name}
        about={<StageTag of={owner} />}
        actions={
          mayChange && (
            <>
              {submitted !== null && owner.approved_at === null && (
                <Button kind="primary" icon="check" onClick={() => setDialog('approve')}>
                  Approve
                </Button>
              )}
              {submitted !== null && (
                <Button icon="undo-2" onClick={() => setDialog('back')}>
                  Send back
                </Button>
              )}
              <Button icon="trash" onClick={() => setDialog('remove')}>
                Delete
              </Button>
            </>
          )
        }
      />
      <Panel title="Profile" padded>
        <Facts
          of={[
            { name: 'Email address', value: owner.email },
            { name: 'Company', value: owner.company_name },
            { name: 'Phone', value: owner.phone },
            {
              name: 'Address',
              value: [owner.street, owner.postal_code, owner.city, owner.country].filter(Boolean).join(', '),
            },
            { name: 'Tax number', value: owner.tax_number },
            { name: 'Still missing', value: owner.pending_steps.map((step) => step.replaceAll('_', ' ')).join(', ') },
            { name: 'Submitted', value: submitted && momentText(submitted) },
            { name: 'Approved', value: owner.approved_at && momentText(owner.approved_at) },
            { name: 'Sent back because', value: owner.rejection_reason },
          ]}
        />
      </Panel>
      <Panel
        title="Bank details"
        padded
        actions={
          bank !== null &&
          may('write:billing') && (
            <Button small icon="eye" onClick={() => setDialog('bank')}>
              Show in full
            </Button>
          )
        }
      >
        {bank === null ? (
          <p class="dim">They have not given any yet.</p>
        ) : (
          <Facts
            of={[
              { name: 'Account holder', value: bank.account_holder },
              { name: 'IBAN', value: <span class="mono">{bank.iban}</span> },
              { name: 'BIC', value: bank.bic },
            ]}
          />
        )}
      </Panel>
      <Panel title="Documents" hint="They are elsewhere: the service does not know what is behind the links">
        {documents.length === 0 ? (
          <EmptyState icon="file-text" title="There are no documents yet" />
        ) : (
          <Table
            label="Documents"
            columns={columns}
            count={documents.length}
            rowAt={(at) => documents[at] as OwnerDocument}
            keyOf={({ document_id: id }) => id}
          />
        )}
      </Panel>
      {dialog === 'approve' && (
        <Ask
          title={`Approve ${name}?`}
          does="Approve"
          said={`${name} is approved.`}
          close={close}
          run={() => decide(true)}
        >
          <p>
            You approve what was submitted {submitted && momentText(submitted)}. What changes later is submitted again.
          </p>
        </Ask>
      )}
      {dialog === 'back' && (
        <FormDialog
          title={`Send the onboarding of ${name} back?`}
          does="Send it back"
          said={`${name} is sent a mail with the reason.`}
          danger
          fields={[{ name: 'reason', label: 'Why', lines: 4, hint: 'The site owner reads it.' }]}
          close={close}
          run={({ reason }) => decide(false, textIn(reason))}
        />
      )}
      {dialog === 'remove' && (
        <Ask
          title={`Delete ${name}?`}
          does="Delete the site owner"
          said={`${name} is deleted.`}
          danger
          word={name.trim()}
          close={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/site-owners/{site_owner_id}', { params }))
            navigate('/site-owners')
          }}
        >
          <p>
            The profile, the bank details and the documents are deleted. The key that acts for them stays, without
            effect.
          </p>
        </Ask>
      )}
      {dialog === 'bank' && <Bank id={owner.site_owner_id} name={name} close={close} />}
    </>
  )
}

function Bank({ id, name, close }: { readonly id: string; readonly name: string; readonly close: () => void }) {
  const details = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/site-owners/{site_owner_id}/bank-details', {
          params: { path: { site_owner_id: id } },
          signal,
        }),
      ),
    [id],
  )
  return (
    <Dialog title={`Bank details of ${name}`} close={close}>
      <Loaded of={details} rows={2}>
        {({ account_holder, iban, bic }) => (
          <Facts
            of={[
              { name: 'Account holder', value: account_holder },
              { name: 'IBAN', value: <span class="mono">{iban}</span> },
              { name: 'BIC', value: bic },
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
