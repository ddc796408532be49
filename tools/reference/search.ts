// What the search of the reference looks through: what is found, under which title, and by which further words. An operation is found by all that a
// caller writes (parameters, fields, values of enums, examples, the names of commands), and by what else people call these things.

import { type Operation, type Place, type Reference, resolved, type Schema } from './document.js'

export interface Found {
  /** What is found. */
  readonly t: string
  /** Its kind, as it is shown beside it. */
  readonly k: string
  /** Its path or code, which is looked through as well. */
  readonly p?: string
  /** Words by which it is found, and that are not shown. */
  readonly w?: string
  /** The commands that an operation carries out. */
  readonly c?: string
  readonly u: string
}

/** As the field says it, and as others do. */
const alsoCalled: readonly (readonly [RegExp, string])[] = [
  [/charge point/, 'charger station evse'],
  [/id[ _]tag/, 'rfid card'],
  [/member/, 'user person colleague'],
  [/reset/, 'reboot restart'],
  [/tariff/, 'price rate fee'],
  [/session/, 'transaction'],
  [/start_session/, 'remote start'],
  [/stop_session/, 'remote stop'],
  [/set_unavailable/, 'maintenance out of service disable'],
  [/smart charging|power limit/, 'load balancing'],
  [/per_page/, 'pagination paging'],
  [/firmware/, 'upgrade'],
]

const deepest = 6

/** What stands in a value: the names of its fields, and its texts. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsOf)
  return Object.entries(value).flatMap(([name, part]) => [name, ...textsOf(part)])
}

/** The names, the fixed values and the descriptions of what is sent. */
function textsOfSchema(document: Reference, schema: Schema, depth = 0): readonly string[] {
  if (depth > deepest) return []
  const {
    anyOf = [],
    oneOf = [],
    allOf = [],
    items,
    properties = {},
    description = '',
    ...own
  } = resolved(document, schema)
  const parts = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])]
  return [
    description,
    ...textsOf([own.const, own.enum]),
    ...parts.flatMap((part) => textsOfSchema(document, part, depth + 1)),
    ...Object.entries(properties).flatMap(([name, part]) => [name, ...textsOfSchema(document, part, depth + 1)]),
  ]
}

function textsOfOperation(document: Reference, { description = '', tags, parameters = [], requestBody }: Operation) {
  const given = parameters.map((parameter) => resolved(document, parameter)).filter((one) => one.in !== 'header')
  const sent = Object.values(requestBody?.content ?? {})
  return [
    description,
    ...tags,
    ...given.flatMap(({ name, schema }) => [name, ...textsOfSchema(document, schema)]),
    ...sent.flatMap(({ schema, examples = {} }) => [
      ...textsOfSchema(document, schema),
      ...Object.entries(examples).flatMap(([name, example]) => [name, ...textsOf(resolved(document, example))]),
    ]),
  ]
}

/** What its description has a table of: `| \`unlock_connector\` | ... |`. */
export const commandNames = ({ description = '' }: Operation): string =>
  [...description.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name).join(' ')

/** Each once, without those that stand in the title or the path. */
export function furtherWords(document: Reference, { path, operation }: Place): string {
  const shown = `${operation.summary} ${path} ${operation.operationId}`.toLowerCase()
  const text = textsOfOperation(document, operation).join(' ').toLowerCase()
  const others = alsoCalled.filter(([named]) => named.test(`${shown} ${text}`)).map(([, words]) => words)
  const words = `${text} ${others.join(' ')}`.match(/[\p{Letter}\d][\p{Letter}\d_.-]*[\p{Letter}\d]/gu) ?? []
  // A link, an id or a secret of an example is nothing that somebody looks for.
  const kept = words.filter((word) => word.length < 32 && !shown.includes(word) && !/^[\d.:tz-]+$/.test(word))
  return [...new Set(kept)].join(' ')
}
