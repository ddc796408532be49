// A key is made, or has a new secret: what it is called, what it may do, and its text, which is shown once.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { me } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Field } from '../../parts/field.js'
import { Choices } from '../../parts/fields.js'
import { ShownOnce } from '../../parts/shown-once.js'

type Key = Schema<'ApiKey'>

export function NewKey({ close, made }: { readonly close: () => void; readonly made: () => void }) {
  const own = me.value?.scopes ?? []
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <Secret of={secret} close={close} />
  return (
    <Ask
      title="Make an API key"
      does="Make the key"
      disabled={name.trim() === '' || chosen.length === 0}
      close={close}
      done={made}
      run={async () => {
        const body = { name: name.trim(), scopes: chosen as Key['scopes'] }
        setSecret((await ask(api.POST('/api/v1/org/api-keys', { body }))).key)
      }}
    >
      <Field
        label="Name"
        path="/name"
        value={name}
        onChange={setName}
        placeholder="What uses it: Billing export"
        required
        autofocus
      />
      <Choices name="What it may do">
        {own.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ currentTarget }) =>
                setChosen(currentTarget.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
            <span class="mono">{scope}</span>
          </label>
        ))}
      </Choices>
    </Ask>
  )
}

const overlaps = [
  { value: '0', name: 'No: the old secret ends at once' },
  { value: '3600', name: 'Yes, for an hour' },
  { value: '86400', name: 'Yes, for a day' },
]

export function ChangeKey({
  of,
  close,
  changed,
}: {
  readonly of: Key
  readonly close: () => void
  readonly changed: () => void
}) {
  const [overlap, setOverlap] = useState('3600')
  const [secret, setSecret] = useState<string>()
  const params = { path: { key_id: of.id } }
  const isOwn = me.value?.key?.id === of.id

  async function rotate(): Promise<void> {
    const body = { overlap_seconds: Number(overlap) }
    const rotated = await ask(api.POST('/api/v1/org/api-keys/{key_id}/rotate', { params, body }))
    setSecret(rotated.key)
  }

  async function revoke(): Promise<void> {
    await ask(api.DELETE('/api/v1/org/api-keys/{key_id}', { params }))
    close()
  }

  if (secret !== undefined) return <Secret of={secret} close={close} />
  return (
    <Ask
      title={of.name}
      does="Give it a new secret"
      disabled={of.status !== 'active'}
      run={rotate}
      others={[{ does: 'Revoke at once', danger: true, run: revoke, said: `The key ${of.name} is revoked.` }]}
      close={close}
      done={changed}
    >
      {isOwn && <p>You are signed in with this key: with its old secret, your session ends.</p>}
      <Field
        label="Does the old secret stay good for a while?"
        value={overlap}
        onChange={setOverlap}
        options={overlaps}
        hint="So that what uses the key can be changed without a gap."
      />
    </Ask>
  )
}

function Secret({ of, close }: { readonly of: string; readonly close: () => void }) {
  return (
    <ShownOnce title="Keep this key now" secret={of} close={close}>
      <p>It is shown this once and stored nowhere: whoever loses it gives the key a new secret.</p>
    </ShownOnce>
  )
}
