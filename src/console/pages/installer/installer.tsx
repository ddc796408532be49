// One installer: who it is, the documents that prove it, approving or rejecting them, and the charge points that no organization has claimed.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { ApiError, api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { FormDialog, textIn } from '../../parts/form.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { Review } from '../installers/installers.js'
import { Unclaimed } from './unclaimed.js'

type Installer = Schema<'ReviewedInstaller'>

export function Page({ params: { installer_id = '' } }: PageProps) {
  const installer = useResource(
    (signal) => ask(api.GET('/api/v1/installers/{installer_id}', { params: { path: { installer_id } }, signal })),
    [installer_id],
  )
  return <Loaded of={installer}>{(data) => <Shown installer={data} reload={installer.reload} />}</Loaded>
}

type Dialog = 'approve' | 'reject' | 'remove'

function Shown({ installer, reload }: { readonly installer: Installer; readonly reload: () => void }) {
  const [, navigate] = useLocation()
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  const { verification_submitted_at: submitted, verification_status: status } = installer
  const params = { path: { installer_id: installer.installer_id } }
  const name = `${installer.first_name} ${installer.last_name}`
  const mayChange = may('write:organisations')

  async function decide(approved: boolean, reason?: string): Promise<void> {
    const body = { approved, submitted_at: submitted ?? '', ...(reason !== undefined && { reason }) }
    await ask(api.POST('/api/v1/installers/{installer_id}/verification', { params, body }))
    reload()
  }

  return (
    <>
      <PageHead
        title={name}
        about={<Review of={status} />}
        actions={
          mayChange && (
            <>
              {submitted !== null && status !== 'approved' && (
                <Button kind="primary" icon="check" onClick={() => setDialog('approve')}>
                  Approve
                </Button>
              )}
              {submitted !== null && status !== 'rejected' && (
                <Button icon="ban" onClick={() => setDialog('reject')}>
                  {status === 'approved' ? 'Take the approval back' : 'Reject'}
                </Button>
              )}
              <Button icon="trash" onClick={() => setDialog('remove')}>
                Delete the account
              </Button>
            </>
          )
        }
      />
      <Panel title="Account" padded>
        <Facts
          of={[
            { name: 'Company', value: installer.company },
            { name: 'Email address', value: installer.email },
            { name: 'Phone', value: installer.phone },
            { name: 'Account', value: installer.status === 'active' ? 'active' : 'the email address is not confirmed' },
            {
              name: 'Terms',
              value:
                installer.terms_accepted_at === null
                  ? 'not accepted yet'
                  : `accepted ${momentText(installer.terms_accepted_at)}`,
            },
            { name: 'Since', value: momentText(installer.created_at) },
            { name: 'Documents', value: submitted === null ? 'not submitted' : `submitted ${momentText(submitted)}` },
            { name: 'Rejected because', value: installer.rejection_reason },
          ]}
        />
      </Panel>
      {mayChange && submitted !== null && <Identity id={installer.installer_id} submitted={submitted} />}
      <Unclaimed installerId={installer.installer_id} />
      {dialog === 'approve' && (
        <Ask
          title={`Approve ${name}?`}
          does="Approve"
          said={`${name} is approved, and is sent a mail.`}
          close={close}
          run={() => decide(true)}
        >
          <p>{name} may register and commission charge points in this installation from then on.</p>
        </Ask>
      )}
      {dialog === 'reject' && (
        <FormDialog
          title={status === 'approved' ? `Take the approval of ${name} back?` : `Reject ${name}?`}
          does={status === 'approved' ? 'Take it back' : 'Reject'}
          said={`${name} is sent a mail with the reason.`}
          danger
          fields={[{ name: 'reason', label: 'Why', lines: 4, hint: 'The installer reads it.' }]}
          close={close}
          run={({ reason }) => decide(false, textIn(reason))}
        >
          <p>{name} may not install until other documents are submitted and approved.</p>
        </FormDialog>
      )}
      {dialog === 'remove' && (
        <Ask
          title={`Delete the account of ${name}?`}
          does="Delete the account"
          said={`The account of ${name} is deleted.`}
          danger
          word={installer.last_name.trim()}
          close={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/installers/{installer_id}', { params }))
            navigate('/installers')
          }}
        >
          <p>
            The installer is signed out and sent a mail, and its documents are removed. Charge points that it has
            registered and that no organization has claimed are removed within the hour.
          </p>
        </Ask>
      )}
    </>
  )
}

const documentTypes: Readonly<Record<string, string>> = {
  passport: 'Passport',
  national_id: 'Identity card',
  drivers_license: 'Driving licence',
}

/** null where what was submitted is not there any more. */
async function readIdentity(installer_id: string, signal: AbortSignal) {
  try {
    return await ask(
      api.GET('/api/v1/installers/{installer_id}/identity', { params: { path: { installer_id } }, signal }),
    )
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

const document = (url: string | null) =>
  url && (
    <a class="link" href={url} target="_blank" rel="noreferrer noopener">
      {url}
    </a>
  )

function Identity({ id, submitted }: { readonly id: string; readonly submitted: string }) {
  const identity = useResource(async (signal) => ({ found: await readIdentity(id, signal) }), [id, submitted])
  return (
    <Panel title="Documents" hint="They are elsewhere: the service does not know what is behind the links" padded>
      <Loaded of={identity} rows={2}>
        {({ found }) =>
          found === null ? (
            <EmptyState icon="file-text" title="There are no documents" />
          ) : (
            <Facts
              of={[
                { name: 'Kind', value: documentTypes[found.document_type] ?? found.document_type },
                { name: 'Number', value: <span class="mono">{found.document_number}</span> },
                { name: 'Valid until', value: found.document_expiry },
                { name: 'Front', value: document(found.document_front_url) },
                { name: 'Back', value: document(found.document_back_url) },
                { name: 'Selfie', value: document(found.selfie_url) },
              ]}
            />
          )
        }
      </Loaded>
    </Panel>
  )
}
