// What is known of a model as rows, and its correction as fields of a form. A field that is left as it was learned is no part of the correction.

import type { Schema } from '../../client/api.js'
import { type FormField, type FormValues, wordsIn } from '../../parts/form.js'

export type Model = Schema<'ChargePointModel'>
type Traits = Model['traits']
type Corrections = Schema<'ModelTraitsCorrections'>

export interface TraitRow {
  readonly name: string
  readonly applies: string
  readonly learned: string
  readonly isCorrected: boolean
}

const actions = ['TriggerMessage', 'RemoteStartTransaction', 'RemoteStopTransaction']
const triggers = ['Heartbeat', 'StatusNotification', 'MeterValues']

/** One thing that is known of a model, or not: where it stands, and how it is written in a field. */
interface Trait {
  readonly name: string
  readonly field: string
  readonly kind: 'flag' | 'words'
  readonly hint?: string
  readonly read: (traits: Partial<Traits> | Corrections) => unknown
}

const traits: readonly Trait[] = [
  { name: 'Answers pings', field: 'answers_pings', kind: 'flag', read: (of) => of.answers_pings },
  ...actions.map(
    (action): Trait => ({
      name: `Implements ${action}`,
      field: `actions.${action}`,
      kind: 'flag',
      read: (of) => of.actions?.[action],
    }),
  ),
  ...triggers.map(
    (message): Trait => ({
      name: `Sends ${message} when asked`,
      field: `triggers.${message}`,
      kind: 'flag',
      read: (of) => of.triggers?.[message],
    }),
  ),
  {
    name: 'Units of limits',
    field: 'charging_rate_units',
    kind: 'words',
    hint: 'A, W, or both.',
    read: (of) => of.charging_rate_units,
  },
  {
    name: 'Charging profiles',
    field: 'profile_purposes',
    kind: 'words',
    hint: 'ChargePointMaxProfile, TxDefaultProfile, TxProfile.',
    read: (of) => of.profile_purposes,
  },
  { name: 'Holds its limits over a boot', field: 'keeps_profiles', kind: 'flag', read: (of) => of.keeps_profiles },
  { name: 'Cars draw no more than its limits', field: 'obeys_limits', kind: 'flag', read: (of) => of.obeys_limits },
  {
    name: 'Configuration keys that it refuses',
    field: 'refused_keys',
    kind: 'words',
    read: (of) => of.refused_keys,
  },
]

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return 'not known'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === true ? 'yes' : 'no'
}

export const rowsOf = ({ learned, traits: applied, correction }: Model): readonly TraitRow[] =>
  traits.map(({ name, read }) => ({
    name,
    applies: shown(read(applied)),
    learned: shown(read(learned)),
    isCorrected: correction !== null && read(correction as Corrections) !== undefined,
  }))

/** As it was learned, one of two values, or not known. */
const ways = ['learned', 'unknown'] as const

const choices = [
  { value: ways[0], name: 'As it was learned' },
  { value: 'true', name: 'Yes' },
  { value: 'false', name: 'No' },
  { value: ways[1], name: 'Not known: find it out again' },
]
const listChoices = [
  { value: ways[0], name: 'As it was learned' },
  { value: 'these', name: 'These' },
  { value: ways[1], name: 'Not known: find it out again' },
]

export const fieldsOf = (values: FormValues): readonly FormField[] =>
  traits.flatMap(({ name, field, kind, hint }): readonly FormField[] => {
    const path = `/${field.replace('.', '/')}`
    if (kind === 'flag') return [{ name: field, path, label: name, options: choices }]
    const about = hint === undefined ? {} : { hint }
    return [
      // What is refused is among these.
      { name: field, path: `${path}/way`, label: name, options: listChoices },
      ...(values[field] === 'these'
        ? [{ name: `${field}.these`, path, label: name, mono: true, optional: true, ...about }]
        : []),
    ]
  })

export function textsOf({ correction, traits: applied }: Model): FormValues {
  const texts = traits.flatMap(({ field, kind, read }): readonly (readonly [string, string])[] => {
    const now = correction === null ? undefined : read(correction as Corrections)
    const way = now === undefined ? ways[0] : now === null ? ways[1] : kind === 'flag' ? String(now) : 'these'
    const words = (now ?? read(applied)) as readonly string[] | null
    return kind === 'flag'
      ? [[field, way]]
      : [
          [field, way],
          [`${field}.these`, words?.join(', ') ?? ''],
        ]
  })
  return Object.fromEntries(texts)
}

export function correctionOf(values: FormValues): Corrections {
  const said: Record<string, unknown> = {}
  for (const { field, kind } of traits) {
    const way = values[field]
    if (way === undefined || way === ways[0]) continue
    const value = way === ways[1] ? null : kind === 'flag' ? way === 'true' : wordsIn(values[`${field}.these`])
    const [group = '', inner] = field.split('.')
    said[group] = inner === undefined ? value : { ...(said[group] as object | undefined), [inner]: value }
  }
  return said as Corrections
}
