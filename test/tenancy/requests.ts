// Valid requests of every route, made from its declaration: the example of its body, or a value of its schema, with the
// identifiers of a kit in their places; and what of an answer can be compared.

import type { Route } from '../../src/api/pipeline/route.js'
import { type JsonSchema, valueFor } from '../fuzz/schema-values.js'
import type { Answer } from '../support/service.js'
import { declaredAt } from './identifiers.js'
import type { Id, Kit } from './kit.js'
import { type Place, placesOf } from './places.js'
import { unique } from './tenants.js'

export interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
  /** Texts in it that stand for nothing yet: they differ from request to request. */
  readonly fresh: readonly string[]
}

const day = 24 * 3_600_000
const around = {
  from: new Date(Date.now() - 90 * day).toISOString(),
  to: new Date(Date.now() + day).toISOString(),
}

/** Where the route's example is of another time or place than what kits have, or needs what a kit has not made yet. */
const bodies: Readonly<Record<string, (kit: Kit) => Promise<unknown>>> = {
  async simulateBillingRules(kit) {
    await kit.id('session_id')
    return { ...around, rules: [] }
  },
  async simulateTariff(kit) {
    await kit.id('session_id')
    return { ...around, tariff_id: await kit.id('tariff_id') }
  },
  priceSessionOtherwise: async (kit) => ({ variants: [{ tariff_id: await kit.id('tariff_id') }] }),
  createWebhookEndpoint: async ({ tenant }) => ({ url: tenant.receiverUrl, events: ['session.ended'] }),
  async createReservation(kit) {
    const { id } = await kit.charger()
    const { data } = (await kit.tenant.make('GET', `/api/v1/reservations?charge_point_id=${id}&status=active`)).body
    for (const { reservation_id } of data) await kit.tenant.make('DELETE', `/api/v1/reservations/${reservation_id}`)
    return { charge_point_id: id, connector_id: 1, expiry_date: '2099-01-01T00:00:00Z', id_tag: 'TAG-1' }
  },
}
/** As much as series of charge points have at once. */
const lately = { ...around, from: new Date(Date.now() - 20 * day).toISOString() }
const queries: Readonly<Record<string, Record<string, string>>> = {
  searchChargePoints: { latitude: '52.5', longitude: '13.4' },
  getRevenue: { ...around, group_by: 'charge_point' },
  getChargePointSeries: lately,
  getChargePointUptime: lately,
}

const middle = (): number => 0.5
const unknown = (): undefined => undefined

/** `varied` takes the place of the kit's own identifiers. */
export async function requestOf(route: Route, kit: Kit, varied: ReadonlyMap<string, Id> = new Map()): Promise<Request> {
  const fresh: string[] = []
  async function idAt(place: Place): Promise<Id | undefined> {
    const declared = declaredAt(place)
    if (declared === undefined) return undefined
    const given = varied.get(place.at.join('.'))
    if (given !== undefined) return given
    if (declared.exception?.chosen !== true) return kit.id(declared.kind)
    const chosen = unique(kit.tenant)
    fresh.push(chosen)
    return chosen
  }

  const places = placesOf(route)
  let path: string = route.path
  const query = new URLSearchParams(queries[route.operationId])
  let body = route.body === undefined ? undefined : structuredClone(await baseBody(route, kit))
  for (const place of places) {
    const isVaried = varied.has(place.at.join('.'))
    if (place.in === 'path') path = path.replace(`{${place.name}}`, encodeURIComponent(`${await idAt(place)}`))
    else if (place.in === 'query') {
      if (isVaried || (place.required && !place.filled && !query.has(place.name)))
        query.set(place.name, `${(await idAt(place)) ?? sampleOf(route.query.properties[place.name])}`)
    } else if (isVaried || has(body, place.at)) {
      const id = await idAt(place)
      const declared = declaredAt(place)
      if (id === undefined || declared === undefined) continue
      const own = place.many && isVaried ? [await kit.id(declared.kind), id] : [id]
      body = withValue(body, place.at, place.many ? own : id)
    }
  }
  for (const size of ['per_page', 'limit']) {
    const most = (route.query.properties[size] as JsonSchema | undefined)?.maximum
    if (most !== undefined) query.set(size, `${most}`)
  }
  return { method: route.method, path: query.size === 0 ? path : `${path}?${query}`, body, fresh }
}

async function baseBody(route: Route, kit: Kit): Promise<unknown> {
  const given = (await bodies[route.operationId]?.(kit)) ?? Object.values(route.examples ?? {})[0]
  return given ?? sampleOf(route.body)
}

function sampleOf(schema: unknown): unknown {
  return valueFor(schema as JsonSchema, middle, unknown)
}

function has(value: unknown, at: readonly string[]): boolean {
  const [step, ...rest] = at
  if (step === undefined) return true
  if (step === '[]') return Array.isArray(value) && value.some((entry) => has(entry, rest))
  return typeof value === 'object' && value !== null && step in value && has(value[step as keyof typeof value], rest)
}

function withValue(value: unknown, at: readonly string[], put: unknown): unknown {
  const [step, ...rest] = at
  if (step === undefined) return put
  if (step === '[]') return (Array.isArray(value) ? value : [{}]).map((entry) => withValue(entry, rest, put))
  const object = (value ?? {}) as Readonly<Record<string, unknown>>
  return { ...object, [step]: withValue(object[step], rest, put) }
}

const requestId = 'the-same-for-all'

export function ask(
  { tenant }: Kit,
  { method, path, body }: Request,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return tenant.request(method, path, body, { 'x-request-id': requestId, ...headers })
}

export function textOf({ body }: Answer): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const incomparable = /^(date|content-length|x-ratelimit-.*|connection|keep-alive|uwebsockets)$/
const madeId = /\b[a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26}\b/g
const timestamp = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

export interface Comparable {
  readonly status: number
  readonly headers: string
  readonly body: string
}

/** Status, headers and body, `ids` and what is new in every answer (its own ids, times) taken out. */
export function comparable(answer: Answer, ids: readonly Id[]): Comparable {
  const without = (text: string): string =>
    ids
      .reduce<string>((left, id) => left.replaceAll(encodeURIComponent(id), 'ID').replaceAll(`${id}`, 'ID'), text)
      .replaceAll(madeId, 'NEW')
      .replaceAll(timestamp, 'TIME')
      .replaceAll(/"(response_time_ms|ocpp_reservation_id)":\d+/g, '"$1":0')
  const headers = [...answer.headers].filter(([name]) => !incomparable.test(name))
  return { status: answer.status, headers: without(JSON.stringify(headers)), body: without(textOf(answer)) }
}
