// What a JSON schema says of fields, for people: what may stand in each, and what it means.

export interface Described {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
}

/** Of what may be null, what it is otherwise. */
export interface Explained {
  readonly description: string
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'group' | 'other'
  /** It may be left empty. */
  readonly nullable: boolean
  readonly choices: readonly string[]
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly fields: Readonly<Record<string, Explained>>
}

const kinds: Readonly<Record<string, Explained['kind']>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  string: 'text',
  object: 'group',
}

/** Whoever reads it has a field before them that is empty, and no null. */
const forReaders = (description: string): string =>
  description.replace(/(^|\. )null /g, '$1Empty ').replace(/\bnull\b/g, 'an empty field')

export function explained(schema: Described): Explained {
  const { anyOf = [], type = [], properties = {}, description } = schema
  const main = anyOf.find((one) => one.type !== 'null')
  if (main !== undefined) {
    const inner = explained(main)
    return {
      ...inner,
      description: description === undefined ? inner.description : forReaders(description),
      nullable: inner.nullable || anyOf.some((one) => one.type === 'null'),
    }
  }
  const types = [type].flat()
  const named = types.find((one) => one !== 'null') ?? ''
  return {
    description: forReaders(description ?? ''),
    kind: schema.enum !== undefined ? 'choice' : (kinds[named] ?? 'other'),
    nullable: types.includes('null'),
    choices: (schema.enum ?? []).map(String),
    minimum: schema.minimum,
    maximum: schema.maximum,
    fields: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, explained(inner)])),
  }
}

/** `charge_point_id` and `chargePointId` are `Charge point id`. */
export function nameOfField(name: string): string {
  const words = name
    .replace(/_/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
