// Who is signed in, their passkeys, and the sessions that they have open.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, dateText } from '../../client/format.js'
import { canUsePasskeys, makePasskey } from '../../client/passkeys.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, me } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Field } from '../../parts/field.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'
import { SessionTable } from './session-table.js'

type Passkey = Schema<'Passkey'>

export function Page() {
  const now = me.value
  if (now === undefined) return null
  const { member, key, organization } = now
  return (
    <>
      <PageHead title="Account" about="Who you are here, and where you are signed in" />
      <Panel title="You" padded>
        <Facts
          of={[
            { name: 'Name', value: member?.name },
            { name: 'Email address', value: member?.email },
            { name: 'Role', value: member?.role },
            { name: 'API key', value: key?.name },
            { name: 'Organization', value: organization.name },
            { name: 'In the audit log as', value: <span class="mono">{now.name}</span> },
          ]}
        />
      </Panel>
      {key === null && member !== null && <Passkeys />}
      <Sessions />
    </>
  )
}

/** A code by mail, or an identity provider. */
const hasOtherWay = (): boolean => hasFeature('mail') || hasFeature('single_sign_on')

function Passkeys() {
  const [isAdding, setAdding] = useState(false)
  const passkeys = useResource(
    async (signal) => (await ask(api.GET('/api/v1/console/passkeys', { params: { query: {} }, signal }))).data,
    [],
  )
  async function remove({ id, name }: Passkey): Promise<void> {
    await attempt(
      () => ask(api.DELETE('/api/v1/console/passkeys/{passkey_id}', { params: { path: { passkey_id: id } } })),
      `The passkey ${name} is removed, and the sessions that it opened have ended.`,
    )
    passkeys.reload()
  }
  const columns: readonly Column<Passkey>[] = [
    { id: 'name', name: 'Name', width: 'minmax(120px, 1fr)', cell: ({ name }) => name },
    { id: 'host', name: 'For', width: 'minmax(120px, 1fr)', wideOnly: true, cell: ({ host }) => host },
    {
      id: 'kept',
      name: 'Kept',
      width: '150px',
      wideOnly: true,
      cell: ({ is_synced: isSynced }) => (isSynced ? 'in a password manager' : 'on one device'),
    },
    { id: 'made', name: 'Made', width: '110px', wideOnly: true, cell: ({ created_at: at }) => dateText(at) },
    {
      id: 'used',
      name: 'Last used',
      width: '120px',
      cell: ({ last_used_at: at }) => (at === null ? <span class="dim">never</span> : agoText(at)),
    },
    {
      id: 'remove',
      name: 'Remove',
      width: '90px',
      align: 'end',
      buttons: true,
      cell: (row) => (
        <Button small onClick={() => void remove(row)} label={`Remove the passkey ${row.name}`}>
          Remove
        </Button>
      ),
    },
  ]
  return (
    <Panel
      title="Passkeys"
      hint="Sign in with a finger, a face or the PIN of this device"
      actions={
        canUsePasskeys() && (
          <Button small icon="plus" onClick={() => setAdding(true)}>
            Add a passkey
          </Button>
        )
      }
    >
      <Loaded of={passkeys} rows={2}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState
              icon="fingerprint-pattern"
              title={
                hasOtherWay() ? 'You have no passkey yet' : 'Make a passkey now: without one you cannot sign in again'
              }
            >
              {!hasOtherWay() && (
                <span>
                  This installation sends no mails and has no identity provider. Once this session ends, an admin has to
                  remove you from the team and invite you again.
                </span>
              )}
              {canUsePasskeys()
                ? hasOtherWay() && 'With one, you sign in without waiting for a mail.'
                : 'Browsers have passkeys for names alone: open the console under a name, such as localhost, and with https from elsewhere.'}
            </EmptyState>
          ) : (
            <Table
              label="Passkeys"
              fits
              columns={columns}
              count={rows.length}
              rowAt={(at) => rows[at] as Passkey}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {isAdding && (
        <AddPasskey
          close={() => setAdding(false)}
          added={() => {
            setAdding(false)
            passkeys.reload()
          }}
        />
      )}
    </Panel>
  )
}

function AddPasskey({ close, added }: { readonly close: () => void; readonly added: () => void }) {
  const [name, setName] = useState('')
  return (
    <Ask
      title="Add a passkey"
      does="Continue"
      said={`The passkey ${name.trim()} is there.`}
      disabled={name.trim() === ''}
      close={close}
      done={added}
      run={() => makePasskey(name.trim())}
    >
      <Field
        label="Name"
        path="/name"
        value={name}
        onChange={setName}
        placeholder="Laptop, phone, security key"
        hint="As you will know it by."
        required
        autofocus
      />
    </Ask>
  )
}

function Sessions() {
  const sessions = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/console/sessions', { params: { query: { per_page: 50 } }, signal }))).data,
    [],
  )
  return (
    <Panel title="Your sessions" hint="Where you are signed in">
      <Loaded of={sessions} rows={2}>
        {(rows) => <SessionTable rows={rows.filter(({ status }) => status === 'open')} ended={sessions.reload} />}
      </Loaded>
    </Panel>
  )
}
