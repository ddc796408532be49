// Fields made of what the API says of them. What is a group of fields has its own heading.

import { useState } from 'preact/hooks'
import type { ApiError } from '../../client/api.js'
import { type Explained, nameOfField } from '../../client/explained.js'
import { asApiError } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { useUnsaved } from '../../client/unsaved.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { numberIn } from '../../parts/form.js'
import { Refusal, Refused } from '../../parts/refusal.js'
import { toast } from '../../parts/toast.js'

type Values = Readonly<Record<string, unknown>>

export interface SettingsFormProps {
  readonly explained: Explained
  readonly values: Values
  /** What fields offer whose values say little by themselves, by the path of the field. */
  readonly offers?: Readonly<Record<string, readonly { readonly value: string; readonly name: string }[]>>
  /** Only what was changed. */
  readonly save: (changes: Values) => Promise<void>
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** What is sent for a text of a field; undefined where it cannot be read. */
function readField(text: string, { kind, nullable }: Explained): unknown {
  if (text === '' && nullable) return null
  if (kind === 'boolean') return text === 'true'
  if (kind !== 'number' && kind !== 'integer') return text
  const number = numberIn(text)
  return Number.isNaN(number) || (kind === 'integer' && !Number.isInteger(number)) ? undefined : number
}

const boundsText = ({ minimum, maximum }: Explained): string =>
  minimum !== undefined && maximum !== undefined ? `From ${minimum} to ${maximum}.` : ''

const yesOrNo = [
  { value: 'true', name: 'Yes' },
  { value: 'false', name: 'No' },
]

export function SettingsForm({ explained, values, offers = {}, save }: SettingsFormProps) {
  /** What was typed, by the path of the field. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const [error, setError] = useState<ApiError>()
  const [isSaving, setSaving] = useState(false)
  const isOpen = may('write:organisations')

  const changes = changesOf(explained, values, typed)
  const isUnreadable = Object.entries(typed).some(([path, text]) => {
    const field = fieldAt(explained, path)
    return field !== undefined && readField(text, field) === undefined
  })
  const isChanged = Object.keys(changes).length > 0
  useUnsaved(isChanged || isUnreadable)

  const whyNot = isUnreadable
    ? 'One of the fields cannot be read: it says why.'
    : isChanged
      ? undefined
      : 'Nothing has been changed.'

  async function submit(): Promise<void> {
    setError(undefined)
    if (whyNot !== undefined) return
    setSaving(true)
    try {
      await save(changes)
      setTyped({})
      toast('The settings are saved.')
    } catch (failure) {
      setError(asApiError(failure))
    } finally {
      setSaving(false)
    }
  }

  const fieldOf = (path: string, field: Explained, value: unknown) => {
    const [name = path] = path.split('.').slice(-1)
    const given = field.choices.map((choice) => ({ value: choice, name: nameOfField(choice) }))
    const choices = offers[path] ?? (field.kind === 'boolean' ? yesOrNo : field.kind === 'choice' ? given : undefined)
    const isUnset = field.nullable || value === null || value === undefined
    const options = choices && (isUnset ? [{ value: '', name: 'Not set' }, ...choices] : choices)
    return (
      <Field
        key={path}
        name={path}
        path={`/${path.replaceAll('.', '/')}`}
        label={nameOfField(name)}
        value={typed[path] ?? textOf(value)}
        onChange={(text) => setTyped({ ...typed, [path]: text })}
        hint={`${field.description} ${boundsText(field)}`.trim()}
        disabled={!isOpen}
        {...(field.kind === 'number' && { inputmode: 'decimal' as const })}
        {...(field.kind === 'integer' && { inputmode: 'numeric' as const })}
        {...(options !== undefined && { options })}
        {...(typed[path] !== undefined &&
          readField(typed[path], field) === undefined && {
            error: `This is not a ${field.kind === 'integer' ? 'whole number' : 'number'}.`,
          })}
      />
    )
  }

  return (
    <form
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Refused error={error}>
        {Object.entries(explained.fields).map(([name, field]) =>
          field.kind === 'group' ? (
            <fieldset key={name}>
              <legend>{nameOfField(name)}</legend>
              {field.description !== '' && <p class="dim">{field.description}</p>}
              {Object.entries(field.fields).map(([inner, one]) =>
                fieldOf(`${name}.${inner}`, one, (values[name] as Values | undefined)?.[inner]),
              )}
            </fieldset>
          ) : (
            field.kind !== 'other' && fieldOf(name, field, values[name])
          ),
        )}
        <Refusal error={error} />
      </Refused>
      {isOpen && (
        <div class="foot">
          <Button type="submit" kind="primary" icon="save" whyNot={whyNot} busy={isSaving}>
            Save
          </Button>
          {isChanged && (
            <Button onClick={() => setTyped({})} disabled={isSaving}>
              Leave it as it was
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

function fieldAt(explained: Explained, path: string): Explained | undefined {
  return path.split('.').reduce<Explained | undefined>((at, name) => at?.fields[name], explained)
}

/** What was typed and is another value than the one that holds. */
function changesOf(explained: Explained, values: Values, typed: Readonly<Record<string, string>>): Values {
  const changes: Record<string, unknown> = {}
  for (const [path, text] of Object.entries(typed)) {
    const field = fieldAt(explained, path)
    const [name = '', inner] = path.split('.')
    const before = inner === undefined ? values[name] : (values[name] as Values | undefined)?.[inner]
    if (field === undefined || text === textOf(before)) continue
    const value = readField(text, field)
    if (value === undefined) continue
    changes[name] = inner === undefined ? value : { ...(changes[name] as Values | undefined), [inner]: value }
  }
  return changes
}
