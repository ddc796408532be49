// The parts of an OpenAPI document that its pages show, as types; and looking things up in it.

export type Json = { readonly [name: string]: unknown }

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly 'x-meaning'?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
}

export interface Example {
  readonly $ref?: string
  readonly summary?: string
  readonly value?: unknown
}

export interface Content {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, Example>>
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

export interface Response {
  readonly $ref?: string
  readonly description: string
  readonly content?: Readonly<Record<string, Content>>
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security: readonly Json[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, Response>>
}

export interface Reference {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly [kind: string]: Readonly<Record<string, unknown>>
  }
}

/** An operation with its method and path. */
export interface Place {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function placesOf(document: Reference): readonly Place[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

/** The component that is meant, where there is a reference in its place. */
export function resolved<Part extends { readonly $ref?: string }>(document: Reference, part: Part): Part {
  if (part.$ref === undefined) return part
  const [, , kind, name] = part.$ref.split('/') as [string, string, string, string]
  return document.components[kind]?.[name] as Part
}

export function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}

export const operationHref = ({ operationId, tags }: Operation): string =>
  `/docs/api/${slugOf(tags[0] as string)}#${operationId}`

export const schemaHref = (name: string): string => `/docs/api/schemas#${name}`
