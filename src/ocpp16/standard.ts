// What the standard says of what a charge point has done otherwise: which section has it, and what it expects there. For people who have to mend it.

import { type ConformanceRule, conformanceRules } from './conformance-rules.js'
import { messages } from './messages.js'
import type { JsonSchema } from './repair-values.js'
import type { MessageDefinition } from './schemas/define-message.js'

export interface Standard {
  /** Of edition 2 of OCPP 1.6, of OCPP-J 1.6, or of the whitepaper on security. */
  readonly section: string
  /** In words that go on after "it expects"; absent where there is nothing to name. */
  readonly expects?: string
}

/** `action`, `path`: of the deviation; '' where it has none. An element of an array is `*` or a number in the path. */
export function standardOf(rule: ConformanceRule, action: string, path: string): Standard {
  const definition = messages.get(action)
  const own = conformanceRules[rule].section
  const ofMessage = definition?.section === undefined ? undefined : sectionOf(definition, definition.section)
  // Where both say it, the fields of the message are what a maker looks for first.
  const isOfMessage = own === undefined || rule === 'timestamp-format'
  const sections = isOfMessage ? [ofMessage, own] : [own]
  const section = sections.filter((one) => one !== undefined).join(' and ') || 'OCPP 1.6, 6'
  const expects = isOfMessage && definition !== undefined ? expectedAt(definition, rule, path) : undefined
  return { section, ...(expects !== undefined && { expects }) }
}

function sectionOf({ action, profile }: MessageDefinition, section: string): string {
  const document = profile === 'Security' ? 'Improved security for OCPP 1.6-J' : 'OCPP 1.6'
  return `${document}, ${section} (${action}.req)`
}

function expectedAt({ request }: MessageDefinition, rule: ConformanceRule, path: string): string | undefined {
  if (rule === 'unknown-field') return 'no field of this name'
  if (path === '') return 'an object with the fields of the message'
  const found = schemaAt(request as JsonSchema, path.split('/').slice(1))
  if (found === undefined) return undefined
  const words = wordsOf(found.schema)
  return found.isRequired ? `${words}, which is required` : words
}

interface Found {
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

function schemaAt(root: JsonSchema, parts: readonly string[]): Found | undefined {
  let found: Found = { schema: root, isRequired: false }
  for (const part of parts) {
    const { items, properties, required = [] } = found.schema
    const isElement = items !== undefined && /^(?:\*|\d+)$/.test(part)
    // A single value in the place of an array was taken as an array of one.
    const fields = items !== undefined && !isElement ? items.properties : properties
    const schema = isElement ? items : fields?.[part]
    if (schema === undefined) return undefined
    found = { schema, isRequired: !isElement && required.includes(part) }
  }
  return found
}

/** Values of an enumeration that are named one by one. */
const namedValues = 12

function wordsOf(schema: JsonSchema): string {
  const { type, minimum = Number.MIN_SAFE_INTEGER, maxLength, minItems = 0, format } = schema
  if (schema.enum !== undefined)
    return schema.enum.length > namedValues
      ? `one of the ${schema.enum.length} values of the enumeration, such as ${schema.enum[0]}`
      : `one of ${schema.enum.join(', ')}`
  switch (type) {
    case 'integer':
      return minimum === Number.MIN_SAFE_INTEGER ? 'an integer' : `an integer of at least ${minimum}`
    case 'number':
      return 'a number'
    case 'boolean':
      return 'true or false'
    case 'array':
      return minItems === 0 ? 'an array' : `an array of at least ${minItems} element${minItems === 1 ? '' : 's'}`
    case 'object':
      return 'an object'
    default:
      if (format === 'date-time') return 'a date and time as ISO 8601'
      return maxLength === undefined ? 'text' : `text of at most ${maxLength} characters`
  }
}
