// A key is made: what it is called, what it may do, when it ends, and its text, which is shown once.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { me } from '../../client/session.js'
import { instantText } from '../../client/zone.js'
import { Ask } from '../../parts/ask.js'
import { Field, type FieldProps } from '../../parts/field.js'
import { Choices } from '../../parts/fields.js'
import { ShownOnce } from '../../parts/shown-once.js'
import { scopeWords } from './scope-words.js'

type Key = Schema<'ApiKey'>

export function NewKey({ close, made }: { readonly close: () => void; readonly made: () => void }) {
  const own = me.value?.scopes ?? []
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [ends, setEnds] = useState('')
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined) return <Secret of={secret} close={close} />
  return (
    <Ask
      title="Make an API key"
      does="Make the key"
      whyNot={
        name.trim() === '' ? 'Give the key a name.' : chosen.length === 0 ? 'Choose what the key may do.' : undefined
      }
      close={close}
      done={made}
      run={async () => {
        const expires_at = instantText(ends)
        const scopes = chosen as Key['scopes']
        const body = { name: name.trim(), scopes, ...(expires_at !== undefined && { expires_at }) }
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
      <Choices name="What it may do" path="/scopes" value={chosen.length}>
        {own.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              aria-label={scope}
              aria-describedby={`about-${scope}`}
              checked={chosen.includes(scope)}
              onChange={({ currentTarget }) =>
                setChosen(currentTarget.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
            <span>
              <span class="mono">{scope}</span>
              <span class="dim" id={`about-${scope}`}>
                {scopeWords[scope as Key['scopes'][number]]}
              </span>
            </span>
          </label>
        ))}
      </Choices>
      <EndField value={ends} onChange={setEnds} />
    </Ask>
  )
}

export function EndField(props: Pick<FieldProps, 'value' | 'onChange'>) {
  return (
    <Field {...props} label="Ends (optional)" path="/expires_at" type="datetime-local" hint="Empty: it does not end." />
  )
}

export function Secret({ of, close }: { readonly of: string; readonly close: () => void }) {
  return (
    <ShownOnce title="Keep this key now" secret={of} close={close}>
      <p>It is shown this once and stored nowhere. If it is lost, give the key a new secret.</p>
    </ShownOnce>
  )
}
