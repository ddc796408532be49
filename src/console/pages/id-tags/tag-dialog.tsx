// What is said of an id tag: when it is registered, and when it changes.

import { api, ask, type Schema } from '../../client/api.js'
import { fieldTextOf, instantText } from '../../client/zone.js'
import type { TagKind } from '../../parts/chip.js'
import { FormDialog, type FormField, textIn, textOrNull } from '../../parts/form.js'

export type IdTag = Schema<'IdTag'>
type Status = IdTag['status']

export const statuses: readonly { readonly value: Status; readonly name: string; readonly kind: TagKind }[] = [
  { value: 'Accepted', name: 'May charge', kind: 'ok' },
  { value: 'Blocked', name: 'Blocked', kind: 'bad' },
  { value: 'Expired', name: 'Expired', kind: 'warn' },
  { value: 'Invalid', name: 'Invalid', kind: 'bad' },
]

const changeable: readonly FormField[] = [
  { name: 'label', label: 'Your name for it', optional: true, placeholder: 'Fleet card 7' },
  {
    name: 'status',
    label: 'What charge points are answered',
    options: statuses.map(({ value, name }) => ({ value, name: name === value ? name : `${name} (${value})` })),
  },
  {
    name: 'parent_id_tag',
    label: 'Group',
    optional: true,
    mono: true,
    hint: 'Tags of a group may stop the sessions of each other, and use the reservations of each other.',
  },
  {
    name: 'expiry_date',
    label: 'May charge until',
    optional: true,
    type: 'datetime-local',
    hint: 'Empty: for ever.',
  },
]

interface TagDialogProps {
  /** The one that changes; without it, one is registered. */
  readonly tag?: IdTag
  /** The text of one that is registered because it was seen. */
  readonly seen?: string
  readonly close: () => void
  readonly done: (tag: IdTag) => void
}

export function TagDialog({ tag, seen, close, done }: TagDialogProps) {
  const fields: readonly FormField[] = [
    ...(tag === undefined
      ? [
          {
            name: 'id_tag',
            label: 'Id tag',
            mono: true,
            hint: 'As charge points send it when it is presented: up to 20 characters, in upper or lower case.',
          },
        ]
      : []),
    ...changeable,
  ]
  return (
    <FormDialog
      title={tag === undefined ? 'Register an id tag' : `Change ${tag.id_tag}`}
      does={tag === undefined ? 'Register it' : 'Save'}
      said={tag === undefined ? 'The id tag is registered.' : `${tag.id_tag} is changed.`}
      fields={fields}
      begin={{
        id_tag: seen ?? '',
        label: tag?.label ?? '',
        status: tag?.status ?? 'Accepted',
        parent_id_tag: tag?.parent_id_tag ?? '',
        expiry_date: tag?.expiry_date == null ? '' : fieldTextOf(tag.expiry_date),
      }}
      close={close}
      run={async (values) => {
        const body = {
          label: textOrNull(values.label),
          status: values.status as Status,
          parent_id_tag: textOrNull(values.parent_id_tag),
          expiry_date: instantText(values.expiry_date) ?? null,
        }
        done(
          tag === undefined
            ? await ask(api.POST('/api/v1/id-tags', { body: { id_tag: textIn(values.id_tag), ...body } }))
            : await ask(api.PATCH('/api/v1/id-tags/{id_tag}', { params: { path: { id_tag: tag.id_tag } }, body })),
        )
      }}
    />
  )
}
