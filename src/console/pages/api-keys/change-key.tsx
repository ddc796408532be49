// A key is changed: its name and its end, a new secret in the place of the old one, or its end at once.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { me } from '../../client/session.js'
import { fieldTextOf, instantText } from '../../client/zone.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { EndField, Secret } from './new-key.js'

type Key = Schema<'ApiKey'>

interface ChangeProps {
  readonly of: Key
  readonly close: () => void
  readonly changed: () => void
}

export function ChangeKey(props: ChangeProps) {
  const { of, close, changed } = props
  const before = of.expires_at === null ? '' : fieldTextOf(of.expires_at)
  const [isRotating, setRotating] = useState(false)
  const [name, setName] = useState(of.name)
  const [ends, setEnds] = useState(before)
  const params = { path: { key_id: of.id } }
  const isOwn = me.value?.key?.id === of.id

  async function save(): Promise<void> {
    const body = {
      ...(name.trim() !== of.name && { name: name.trim() }),
      ...(ends !== before && { expires_at: instantText(ends) ?? null }),
    }
    await ask(api.PATCH('/api/v1/org/api-keys/{key_id}', { params, body }))
    close()
  }

  async function revoke(): Promise<void> {
    await ask(api.DELETE('/api/v1/org/api-keys/{key_id}', { params }))
    close()
  }

  if (isRotating) return <NewSecret {...props} />
  return (
    <Ask
      key="change"
      title={of.name}
      does="Save"
      said="The key is changed."
      disabled={of.status !== 'active' || name.trim() === '' || (name.trim() === of.name && ends === before)}
      run={save}
      others={[{ does: 'Revoke at once', danger: true, run: revoke, said: `The key ${of.name} is revoked.` }]}
      close={close}
      done={changed}
    >
      {of.status === 'active' && (
        <>
          <Field label="Name" path="/name" value={name} onChange={setName} required />
          <EndField value={ends} onChange={setEnds} />
          {isOwn && <p>You are signed in with this key: when it ends, so does your session.</p>}
          <div class="row-of">
            <Button icon="rotate-ccw" onClick={() => setRotating(true)}>
              Give it a new secret
            </Button>
          </div>
        </>
      )}
    </Ask>
  )
}

const overlaps = [
  { value: '0', name: 'No: the old secret ends at once' },
  { value: '3600', name: 'Yes, for an hour' },
  { value: '86400', name: 'Yes, for a day' },
]

function NewSecret({ of, close, changed }: ChangeProps) {
  const [overlap, setOverlap] = useState('3600')
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <Secret of={secret} close={close} />
  return (
    <Ask
      key="secret"
      title={`A new secret for ${of.name}`}
      does="Make the new secret"
      run={async () => {
        const body = { overlap_seconds: Number(overlap) }
        const params = { path: { key_id: of.id } }
        setSecret((await ask(api.POST('/api/v1/org/api-keys/{key_id}/rotate', { params, body }))).key)
      }}
      close={close}
      done={changed}
    >
      {me.value?.key?.id === of.id && <p>You are signed in with this key: with its old secret, your session ends.</p>}
      <Field
        label="Does the old secret stay good for a while?"
        path="/overlap_seconds"
        value={overlap}
        onChange={setOverlap}
        options={overlaps}
        hint="So that what uses the key can be changed without a gap."
      />
    </Ask>
  )
}
