// Fields and parameters that no schema of the route knows: every answer names them in a header, and no handler sees them: what a handler stores of
// a body is what its schema allows. A caller that prefers strict handling (RFC 7240) has its request refused instead.

import { Type } from 'typebox'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { type FieldPath, type KnownFields, knownFieldsOf, pointerOf } from '../known-fields.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import type { Route } from '../route.js'
import type { JsonBody } from './read-body.js'
import { invalid } from './validate.js'

export const unknownFieldsHeader = 'X-Ampshard-Unknown-Fields'

export interface UnknownFieldsStep {
  /** Names them in the answer's headers. */
  name(request: ApiRequest, body: JsonBody, headers: Record<string, string>): void
  /** Also takes the fields out of the body; throws `validation_error` where there are any and the caller prefers strict handling. */
  check(request: ApiRequest, body: JsonBody, headers: Record<string, string>): void
}

const nothing = Type.Object({})

export function createUnknownFields(route: Route): UnknownFieldsStep {
  const names: ReadonlySet<string> = new Set(Object.keys(route.query.properties))
  // Whoever sends a body where none is wanted means something by it; a GET has none.
  const schema = route.body ?? (route.method === 'GET' ? undefined : nothing)
  let ofBody: KnownFields | undefined

  function find(request: ApiRequest, body: JsonBody): { readonly found: readonly ErrorDetail[]; known?: unknown } {
    const parameters = unknownParameters(request.query, names)
    const parsed = schema === undefined ? undefined : body.peek()
    if (schema === undefined || parsed === undefined) return { found: parameters }
    ofBody ??= knownFieldsOf(schema)
    const { unknown, known } = ofBody(parsed, limits.unknownFields)
    if (unknown.length === 0) return { found: parameters }
    return { found: [...unknown.map(unknownField), ...parameters], known }
  }

  return {
    name(request, body, headers) {
      const { found } = find(request, body)
      if (found.length > 0) headers[unknownFieldsHeader] = headerOf(found)
    },
    check(request, body, headers) {
      const { found, known } = find(request, body)
      if (found.length > 0) headers[unknownFieldsHeader] = headerOf(found)
      if (prefersStrict(request.headers.prefer)) {
        headers['Preference-Applied'] = 'handling=strict'
        if (found.length > 0) throw invalid(found)
      }
      // However many of them are named.
      if (known !== undefined) body.replace(known)
    },
  }
}

function unknownParameters(query: string, known: ReadonlySet<string>): readonly ErrorDetail[] {
  if (query === '') return []
  const names = new Set<string>()
  for (const name of new URLSearchParams(query).keys()) if (!known.has(name)) names.add(name)
  return [...names].slice(0, limits.unknownFields).map((name) => ({
    path: shortened(name),
    message: 'is not a parameter of this operation',
  }))
}

function unknownField(path: FieldPath): ErrorDetail {
  return { path: shortened(pointerOf(path)), message: 'is not a field of this request' }
}

export function shortened(path: string): string {
  if (path.length <= limits.unknownFieldCharacters) return path
  return `${path.slice(0, limits.unknownFieldCharacters)}...`
}

/** As many as there is room for, and the first in any case; encoded, so that a comma only stands between them. */
function headerOf(found: readonly ErrorDetail[]): string {
  let header = ''
  for (const { path } of found) {
    const encoded = encodeURIComponent(wellFormed(path)).replaceAll('%2F', '/')
    if (header !== '' && header.length + encoded.length + 2 > limits.unknownFieldsHeaderCharacters) break
    header += header === '' ? encoded : `, ${encoded}`
  }
  return header
}

/** Without halves of characters, which no encoding has. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8')
}

// A quotation that nobody ends goes on to the end: it is read once, and not once from each of its marks.
const preference = /(?:[^,"]|"(?:\\.|[^"\\])*(?:"|\\?$))+/g

/** RFC 7240: the first instance of a preference counts; its name has no case, and its value may be quoted. */
function prefersStrict(prefer: string | undefined): boolean {
  for (const part of prefer?.match(preference) ?? []) {
    const [name = '', value = ''] = (part.split(';', 1)[0] as string).split('=', 2)
    if (name.trim().toLowerCase() === 'handling') return /^\s*"?strict"?\s*$/i.test(value)
  }
  return false
}
