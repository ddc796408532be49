// A template of configurations in a form: for whom it is, and its keys with their values, one in a line.

import { api, ask, type Schema } from '../../client/api.js'
import { Button } from '../../parts/button.js'
import { FormDialog, type FormField, textIn, textOrNull } from '../../parts/form.js'

export type Template = Schema<'ConfigurationTemplate'>
type Parameters = Template['parameters']

export const parametersText = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([key, value]) => `${key} = ${value}`)
    .join('\n')

/** `true` and `false` and figures are what they look like, as in the answers of the service. */
function valueIn(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return text !== '' && String(Number(text)) === text ? Number(text) : text
}

export function parametersIn(text: string): Parameters {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=')
      return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), valueIn(line.slice(at + 1).trim())]
    }),
  )
}

const pattern = (name: string, label: string, placeholder: string): FormField => ({
  name,
  label,
  placeholder,
  optional: true,
  mono: true,
})

const fields: readonly FormField[] = [
  { name: 'name', label: 'Name' },
  pattern('vendor', 'Vendor', 'Example'),
  pattern('model', 'Model', 'EX-22*'),
  {
    ...pattern('firmware', 'Firmware', '2.*'),
    hint: 'As the charge point reports them when it starts; * stands for any characters, and an empty field for any.',
  },
  {
    name: 'parameters',
    label: 'Keys and values',
    lines: 10,
    mono: true,
    placeholder: 'HeartbeatInterval = 300',
    hint: 'One in a line, as Key = value.',
  },
]

interface TemplateDialogProps {
  /** The one that changes; without it, one is created. */
  readonly template?: Template
  /** What a new one begins with. */
  readonly from?: Template
  readonly close: () => void
  readonly done: () => void
  readonly remove?: () => void
}

export function TemplateDialog({ template, from, close, done, remove }: TemplateDialogProps) {
  const begin = template ?? from
  return (
    <FormDialog
      title={template === undefined ? 'Create a template' : `Change ${template.name}`}
      does={template === undefined ? 'Create it' : 'Save'}
      said={
        template === undefined
          ? 'The template is created.'
          : 'Charge points get it when their configuration is applied again.'
      }
      wide
      fields={fields}
      begin={{
        name: from === undefined ? (begin?.name ?? '') : `${from.name}, own`,
        vendor: begin?.vendor ?? '',
        model: begin?.model ?? '',
        firmware: begin?.firmware ?? '',
        parameters: begin === undefined ? '' : parametersText(begin.parameters),
      }}
      close={close}
      run={async (values) => {
        const body = {
          name: textIn(values.name),
          vendor: textOrNull(values.vendor),
          model: textOrNull(values.model),
          firmware: textOrNull(values.firmware),
          parameters: parametersIn(values.parameters ?? ''),
        }
        if (template === undefined) await ask(api.POST('/api/v1/configuration-templates', { body }))
        else {
          const params = { path: { template_id: template.template_id } }
          await ask(api.PUT('/api/v1/configuration-templates/{template_id}', { params, body }))
        }
        done()
      }}
    >
      {remove !== undefined && (
        <div class="row-of">
          <Button small icon="trash" onClick={remove}>
            Delete this template
          </Button>
        </div>
      )}
    </FormDialog>
  )
}
