// A schema as a list of fields: the name of each, its type, what it may be, and what it means. What is inside a field folds.

import { type Reference, resolved, type Schema, schemaHref } from './document.js'
import { block, escaped } from './html.js'

/** Fields within fields are written out as far as this; beyond it, the type is named. */
const depthOfFields = 6

const nameOf = ($ref: string): string => $ref.split('/').at(-1) as string
const value = (one: unknown): string => `<code>${escaped(JSON.stringify(one))}</code>`

function alternativesOf(schema: Schema): readonly Schema[] | undefined {
  return schema.anyOf ?? schema.oneOf
}

/** `string or null`, with a link where the type has a name. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return `<a href="${schemaHref(name)}">${escaped(name)}</a>`
  }
  const alternatives = alternativesOf(schema)
  if (alternatives !== undefined) return [...new Set(alternatives.map(typeOf))].join(' or ')
  if (schema.const !== undefined) return value(schema.const)
  if (schema.enum !== undefined) return schema.enum.length === 1 ? value(schema.enum[0]) : 'one of a list'
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  if (schema.type === 'array') return 'list'
  if (schema.format === 'date-time') return 'time'
  if (schema.format === 'date') return 'date'
  if (schema.format === 'uri') return 'address'
  return escaped([schema.type ?? 'any JSON'].flat().join(' or '))
}

function boundsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems } = schema
  const bounds: string[] = []
  const number = (one: number): string => one.toLocaleString('en')
  if (exclusiveMinimum !== undefined) bounds.push(`more than ${number(exclusiveMinimum)}`)
  if (minimum !== undefined && maximum !== undefined) bounds.push(`${number(minimum)} to ${number(maximum)}`)
  else if (minimum !== undefined) bounds.push(`at least ${number(minimum)}`)
  else if (maximum !== undefined) bounds.push(`at most ${number(maximum)}`)
  if (exclusiveMaximum !== undefined) bounds.push(`less than ${number(exclusiveMaximum)}`)
  if (maxLength !== undefined && minLength !== undefined)
    bounds.push(
      minLength === maxLength
        ? `${number(minLength)} characters`
        : `${number(minLength)} to ${number(maxLength)} characters`,
    )
  else if (maxLength !== undefined) bounds.push(`at most ${number(maxLength)} characters`)
  else if (minLength !== undefined && minLength > 0) bounds.push(`at least ${number(minLength)} characters`)
  if (minItems !== undefined && minItems > 0) bounds.push(`at least ${number(minItems)} of them`)
  if (maxItems !== undefined) bounds.push(`at most ${number(maxItems)} of them`)
  if (schema['x-meaning'] !== undefined) bounds.push(escaped(schema['x-meaning']))
  else if (schema.pattern !== undefined) bounds.push(`<code>${escaped(schema.pattern)}</code>`)
  return bounds
}

/** The parts that are not null: a field that may be null is described by what it is otherwise. */
function partsOf(schema: Schema): readonly Schema[] {
  const alternatives = alternativesOf(schema)
  return alternatives === undefined ? [schema] : alternatives.filter(({ type }) => type !== 'null')
}

/** What is known of a value: its bounds, the words that it may be, and what it means. */
export function aboutOf(schema: Schema, description = schema.description): string {
  const parts = partsOf(schema)
  const words = parts.flatMap((part) => part.enum ?? (part.items?.enum ? part.items.enum : []))
  const bounds = [...new Set([schema, ...parts].flatMap((part) => [...boundsOf(part), ...boundsOf(part.items ?? {})]))]
  const said = [...new Set([description, ...parts.map((part) => part.description)])].filter((one) => one !== undefined)
  return [
    block(said.join('\n\n')),
    words.length > 1 ? `<p class="words">${words.map(value).join(' ')}</p>` : '',
    bounds.length > 0 ? `<p class="bounds">${bounds.join('; ')}</p>` : '',
    schema.default !== undefined ? `<p class="bounds">default ${value(schema.default)}</p>` : '',
  ].join('')
}

/** The objects in a schema whose fields are to be seen: itself, what a list has, or each of its alternatives. */
function objectsIn(schema: Schema): readonly Schema[] {
  if (schema.properties !== undefined) return [schema]
  if (schema.items !== undefined) return objectsIn(schema.items)
  return (alternativesOf(schema) ?? []).flatMap(objectsIn)
}

function field(name: string, schema: Schema, required: boolean, depth: number): string {
  const objects = depth < depthOfFields ? objectsIn(schema) : []
  const inside = objects.map((object, at) => {
    const title = objects.length > 1 ? `Fields, ${object.title ?? `form ${at + 1}`}` : 'Fields'
    return `<details><summary>${escaped(title)}</summary>${list(object, depth + 1)}</details>`
  })
  return `<li><p class="field"><b>${escaped(name)}</b> <span class="type">${typeOf(schema)}</span>${required ? '' : ' <span class="optional">optional</span>'}</p>${aboutOf(schema)}${inside.join('')}</li>`
}

function list(schema: Schema, depth: number): string {
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).map(([name, part]) =>
    field(name, part, required.has(name), depth),
  )
  return fields.length === 0 ? '<p class="bounds">no fields</p>' : `<ul class="fields">${fields.join('')}</ul>`
}

/** The fields of a body; a schema with a name of its own is opened, so that its fields stand where they are looked for. */
export function fieldsOf(document: Reference, schema: Schema): string {
  const name = schema.$ref === undefined ? undefined : nameOf(schema.$ref)
  const opened = resolved(document, schema)
  const objects = objectsIn(opened)
  const head = name === undefined ? '' : `<p class="bounds">Schema ${typeOf(schema)}</p>`
  if (objects.length === 0)
    return `${head}<p class="field"><span class="type">${typeOf(opened)}</span></p>${aboutOf(opened)}`
  const lists = objects.map((object, at) =>
    objects.length === 1
      ? list(object, 0)
      : `<h5>${escaped(object.title ?? `Form ${at + 1}`)}</h5>${block(object.description)}${list(object, 0)}`,
  )
  return `${head}${opened.items !== undefined ? '<p class="bounds">A list of</p>' : ''}${lists.join('')}`
}
