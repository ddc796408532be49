// The fields of a command: those that it names, and those of a schema, one below the other with what belongs together under its name.

import { type ApiError, api, ask, type Schema } from '../client/api.js'
import { type CommandField, triggerable } from '../client/command-list.js'
import { actions, doesOf } from '../client/command-messages.js'
import type { CommandTarget, ConnectorStatus } from '../client/command-target.js'
import { exampleOf, type FormSchema, kindOf, type Texts } from '../client/command-texts.js'
import { delay } from '../client/delay.js'
import { nameOfField } from '../client/explained.js'
import { useResource } from '../client/resource.js'
import { may } from '../client/session.js'
import { Field } from './field.js'
import { numberIn } from './form.js'
import { stateNames } from './state-glyph.js'

/** Where a session can be started, the best first: a car is plugged in, or there is room for one. */
const startable: readonly ConnectorStatus[] = ['Preparing', 'Available', 'Finishing']

function firstToStart({ connectors, statuses }: CommandTarget): number | undefined {
  const found = startable.map((status) => connectors.find((id) => statuses?.get(id) === status))
  return found.find((id) => id !== undefined)
}

export function firstOf(field: CommandField, target: CommandTarget): string {
  const { connectors, sessions } = target
  switch (field.kind) {
    case 'connector':
      return String(sessions[0]?.connectorId ?? connectors[0] ?? 1)
    case 'connector-to-start':
      return String(firstToStart(target) ?? connectors[0] ?? 1)
    case 'connector-or-all':
      return '0'
    case 'session':
      return String(sessions[0]?.transactionId ?? '')
    case 'message':
      return triggerable[0][0]
    default:
      return ''
  }
}

/** Zero is none, and less there is not. */
export const isPower = (text: string): boolean => numberIn(text) >= 0

interface InputProps {
  readonly field: CommandField
  readonly target: CommandTarget
  readonly value: string
  readonly onChange: (value: string) => void
}

export function CommandFieldInput({ field, target, value, onChange }: InputProps) {
  const { connectors, statuses, sessions } = target
  const common = { label: field.label, value, onChange, ...(field.hint !== undefined && { hint: field.hint }) }
  const one = (connectors.length === 0 ? [1] : connectors).map((id) => {
    const status = statuses?.get(id) ?? undefined
    return {
      value: String(id),
      name: status === undefined ? `Connector ${id}` : `Connector ${id}: ${stateNames[status]}`,
    }
  })
  switch (field.kind) {
    case 'connector':
    case 'connector-to-start':
      return <Field {...common} options={one} />
    case 'connector-or-all':
      return (
        <Field
          {...common}
          options={[{ value: '0', name: 'The whole charger' }, ...(connectors.length === 0 ? [] : one)]}
        />
      )
    case 'session': {
      const running = sessions.map(({ connectorId, transactionId }) => ({
        value: String(transactionId),
        name: `Connector ${connectorId}, transaction ${transactionId}`,
      }))
      const isOver = value !== '' && running.every((one) => one.value !== value)
      const over = isOver ? [{ value, name: `Transaction ${value}, which has ended` }] : []
      const options = [...over, ...running]
      return (
        <Field {...common} options={options.length === 0 ? [{ value: '', name: 'No session is running' }] : options} />
      )
    }
    case 'message':
      return (
        <Field
          {...common}
          options={triggerable.map(([action, name]) => ({ value: action, name: `${name} (${action})` }))}
        />
      )
    case 'action': {
      const does = doesOf(value)
      return (
        <Field
          {...common}
          options={[{ value: '', name: 'Choose…' }, ...actions.map((action) => ({ value: action, name: action }))]}
          {...(does !== undefined && { hint: does })}
        />
      )
    }
    case 'id-tag':
      return <IdTagField {...common} />
    case 'kilowatts':
      return (
        <Field
          {...common}
          inputmode="decimal"
          required
          {...(value !== '' && !isPower(value) && { error: 'This is not a number of kilowatts.' })}
        />
      )
    case 'time':
      return <Field {...common} type="datetime-local" />
    default:
      return <Field {...common} mono required autocomplete="off" />
  }
}

const lookAfterMs = 300

/** With whose card it is, or that it is none of one's own: a charge point that is told to start with a card that nobody has registered does so. */
function IdTagField(common: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}) {
  const idTag = common.value.trim()
  const known = useResource(
    async (signal) => {
      await delay(lookAfterMs)
      return ask(api.GET('/api/v1/id-tags/{id_tag}', { params: { path: { id_tag: idTag } }, signal }))
    },
    [idTag],
    { enabled: idTag !== '' && may('read:charge_points') },
  )
  const hint = idTag === '' ? undefined : known.data === undefined ? unknownTagWords(known.error) : tagWords(known.data)
  return <Field {...common} mono required autocomplete="off" {...(hint !== undefined && { hint })} />
}

const unknownTagWords = (error: ApiError | undefined): string | undefined =>
  error?.status === 404 ? 'None of your own id tags.' : undefined

function tagWords({ label, status: kept, expiry_date: end }: Schema<'IdTag'>): string {
  const whose = label ?? 'One of your id tags'
  const status = kept === 'Accepted' && end !== null && Date.parse(end) <= Date.now() ? 'Expired' : kept
  return status === 'Accepted' ? `${whose}.` : `${whose} (${status}): the charger is told to refuse it.`
}

interface SchemaFieldsProps {
  readonly schema: FormSchema
  readonly texts: Texts
  readonly faults: Texts
  readonly set: (place: string, text: string) => void
  /** Of the fields, in the value. */
  readonly at?: string
}

export function SchemaFields({ schema: { properties = {}, required = [] }, at = '', ...rest }: SchemaFieldsProps) {
  const names = Object.keys(properties)
  // What has to be there comes first.
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ]
  return (
    <>
      {ordered.map((name) => (
        <SchemaField
          key={name}
          label={`${nameOfField(name)}${required.includes(name) ? '' : ' (optional)'}`}
          schema={properties[name] ?? {}}
          required={required.includes(name)}
          at={`${at}/${name}`}
          {...rest}
        />
      ))}
    </>
  )
}

interface SchemaFieldProps extends Required<SchemaFieldsProps> {
  readonly label: string
  readonly required: boolean
}

function SchemaField({ label, required, schema, at, texts, faults, set }: SchemaFieldProps) {
  const common = {
    label,
    required,
    // Where the service finds it in the request.
    path: `/payload${at}`,
    value: texts[at] ?? '',
    onChange: (text: string) => set(at, text),
    ...(faults[at] !== undefined && { error: faults[at] }),
  }
  switch (kindOf(schema)) {
    case 'group':
      return (
        <fieldset class="part">
          <legend>{label}</legend>
          <SchemaFields schema={schema} at={at} texts={texts} faults={faults} set={set} />
        </fieldset>
      )
    case 'choice': {
      const choices = (schema.enum ?? []).map((one) => ({ value: String(one), name: String(one) }))
      return <Field {...common} options={[{ value: '', name: required ? 'Choose…' : 'Not given' }, ...choices]} />
    }
    case 'number':
      return <Field {...common} inputmode="decimal" />
    case 'time':
      return <Field {...common} type="datetime-local" />
    case 'words':
      return <Field {...common} mono hint="Several stand with blanks between them." />
    case 'json':
      return <Field {...common} lines={4} mono hint={`JSON, for instance ${JSON.stringify(exampleOf(schema))}`} />
    case 'lines':
      return <Field {...common} lines={3} mono />
    default:
      return <Field {...common} mono autocomplete="off" />
  }
}
