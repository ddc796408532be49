// Path, query and body against the route's schemas. What passes has the types that the route's handler sees.

import type { TObject } from 'typebox'
import {
  type AmpshardError,
  type ErrorDetail,
  type ErrorExtras,
  notFound,
  validationError,
} from '../../../runtime/errors.js'
import { limits } from '../limits.js'
import type { ApiRequest } from '../message.js'
import type { Route } from '../route.js'
import type { Settle } from '../surface.js'
import { bodyCheck, type Check, textCheck } from '../validator.js'

/** Parsed when it is first read; absent and unreadable bodies are refused. */
interface ReadableBody {
  read(): unknown
}

export interface Validated {
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
}

export interface RequestValidator {
  /** Throws `not_found` for a path that no resource can have, else `validation_error`, 413 or 415. */
  validate(request: ApiRequest, params: Record<string, string>, body: ReadableBody): Validated
}

export function requestValidator(route: Route): RequestValidator {
  const params = textCheck(route.params)
  const query = textCheck(route.query)
  const lists = listsOf(route.query)
  const headers = textCheck(route.headers)
  const headerNames = Object.keys(route.headers.properties)
  const body = route.body === undefined ? undefined : bodyCheck(route.body)
  return {
    validate(request, given, json) {
      // An id of another form is the id of nothing.
      if (params(given) !== undefined) throw notFound('there is no such resource')
      return {
        params: given,
        query: checkQuery(readQuery(request.query, lists), query, route.settleQuery),
        headers: checkNamed(readHeaders(request, headerNames), headers),
        body: checkBody(json, body, route),
      }
    },
  }
}

/** Parameters that are lists: given more than once, or with commas, or both. */
function listsOf(query: TObject): ReadonlySet<string> {
  const properties = Object.entries(query.properties as Record<string, { readonly type?: unknown }>)
  return new Set(properties.filter(([, { type }]) => type === 'array').map(([name]) => name))
}

function readQuery(query: string, lists: ReadonlySet<string>): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  if (query === '') return values
  for (const [name, value] of new URLSearchParams(query)) {
    // An empty value is as good as none: forms send them.
    if (value === '') continue
    if (!lists.has(name)) values[name] = value
    else values[name] = [...(values[name] ?? []), ...value.split(',').filter((part) => part !== '')]
  }
  return values
}

function readHeaders({ headers }: ApiRequest, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {}
  for (const name of names) {
    const value = headers[name.toLowerCase()]
    if (value !== undefined && value !== '') values[name] = value
  }
  return values
}

function checkQuery(given: Record<string, string | string[]>, check: Check, settle: Settle | undefined): object {
  if (settle === undefined) return checkNamed(given, check)
  const sent = Object.keys(given)
  const values = checkNamed(given, check)
  const fault = settle(values, sent)
  if (fault !== undefined) throw invalid([fault])
  return values
}

function checkNamed<Values extends object>(values: Values, check: Check): Values {
  const details = check(values)
  if (details !== undefined) throw invalid(details.map(({ path, message }) => ({ path: path.slice(1), message })))
  return values
}

function checkBody(json: ReadableBody, check: Check | undefined, { surface, method }: Route): unknown {
  if (check === undefined) return undefined
  const sent = json.read()
  const parsed = surface.readBody === undefined ? sent : surface.readBody(sent, method)
  const details = check(parsed)
  if (details !== undefined) throw invalid(details)
  return parsed
}

/** What a request with these faults is refused with, the first of them listed; also for what a schema cannot say. */
export function invalid(details: readonly ErrorDetail[], extras: ErrorExtras = {}): AmpshardError {
  const [first] = details
  const where = first === undefined || first.path === '' ? 'the request' : first.path
  return validationError(`${where} ${first?.message ?? 'is invalid'}`, {
    ...extras,
    details: details.slice(0, limits.errorDetails),
  })
}
