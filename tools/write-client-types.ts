// Types of the API for its clients in TypeScript, in the form that openapi-fetch reads, made of our own OpenAPI document: for each path
// and method what it takes, and what it answers when it succeeds. Errors are all of one form (src/console/client/api.ts).

type Json = { readonly [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))
const union = (types: readonly string[]): string => [...new Set(types)].join(' | ') || 'never'
const refNames = /^#\/components\/schemas\/(.+)$/

function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'unknown'
  const { $ref, enum: values, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return `components['schemas'][${JSON.stringify(refNames.exec($ref)?.[1])}]`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)))
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) return `(${union(choices.map(typeOf))})`
  if (Array.isArray(allOf)) return `(${allOf.map(typeOf).join(' & ')})`
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one })))
  if (type === 'string') return 'string'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'null') return 'null'
  if (type === 'array') return `(${typeOf(schema.items)})[]`
  if (type === 'object' || isObject(schema.properties)) return objectType(schema)
  return 'unknown'
}

function objectType(schema: Json): string {
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const open = [
    ...Object.values(isObject(schema.patternProperties) ? schema.patternProperties : {}),
    ...(isObject(schema.additionalProperties) ? [schema.additionalProperties] : []),
  ]
  const named = `{ ${fields.map(([name, field]) => `${keyOf(name)}${required.has(name) ? '' : '?'}: ${typeOf(field)}`).join('; ')} }`
  const others = `{ [name: string]: ${union(open.map(typeOf))} }`
  if (fields.length === 0) return open.length === 0 ? '{ [name: string]: unknown }' : others
  return open.length === 0 ? named : `(${named} & ${others})`
}

function contentOf(holder: unknown): string | undefined {
  if (!isObject(holder) || !isObject(holder.content)) return undefined
  const types = Object.entries(holder.content).map(
    ([mediaType, media]) => `${JSON.stringify(mediaType)}: ${typeOf(isObject(media) ? media.schema : undefined)}`,
  )
  return `{ ${types.join('; ')} }`
}

function parametersOf(operation: Json): string {
  const declared = (Array.isArray(operation.parameters) ? operation.parameters : []).filter(isObject)
  const kinds = ['query', 'path'].map((kind) => {
    const ofKind = declared.filter((one) => one.in === kind)
    if (ofKind.length === 0) return `${kind}?: never`
    const fields = ofKind.map(
      ({ name, required, schema }) => `${keyOf(String(name))}${required === true ? '' : '?'}: ${typeOf(schema)}`,
    )
    const optional = ofKind.every(({ required }) => required !== true)
    return `${kind}${optional ? '?' : ''}: { ${fields.join('; ')} }`
  })
  // Headers are the client's own business.
  return `{ ${kinds.join('; ')}; header?: never; cookie?: never }`
}

function operationType(operation: Json): string {
  const { requestBody: body } = operation
  const content = contentOf(body)
  const optional = isObject(body) && body.required === false ? '?' : ''
  const requestBody = content === undefined ? 'requestBody?: never' : `requestBody${optional}: { content: ${content} }`
  const succeeding = Object.entries(isObject(operation.responses) ? operation.responses : {}).filter(([status]) =>
    /^[23]/.test(status),
  )
  const responses = succeeding.map(([status, response]) => {
    const answer = contentOf(response)
    return `${status}: { headers: {}; ${answer === undefined ? 'content?: never' : `content: ${answer}`} }`
  })
  return `{ parameters: ${parametersOf(operation)}; ${requestBody}; responses: { ${responses.join('; ')}; default: { headers: {}; content: { "application/json": unknown } } } }`
}

/** The text of a file of declarations. */
export function clientTypes(document: Json): string {
  const schemas =
    isObject(document.components) && isObject(document.components.schemas) ? document.components.schemas : {}
  const paths = Object.entries(isObject(document.paths) ? document.paths : {}).map(([path, methods]) => {
    const operations = Object.entries(isObject(methods) ? methods : {})
      .filter((entry): entry is [string, Json] => isObject(entry[1]))
      .map(([method, operation]) => `    ${method}: ${operationType(operation)}`)
    return `  ${JSON.stringify(path)}: {\n    parameters: { query?: never; header?: never; path?: never; cookie?: never }\n${operations.join('\n')}\n  }`
  })
  const named = Object.entries(schemas).map(([name, schema]) => `    ${JSON.stringify(name)}: ${typeOf(schema)}`)
  return [
    '// Written by tools/write-client-types.ts from the OpenAPI document.',
    `export interface paths {\n${paths.join('\n')}\n}`,
    `export interface components {\n  schemas: {\n${named.join('\n')}\n  }\n}`,
    '',
  ].join('\n\n')
}
