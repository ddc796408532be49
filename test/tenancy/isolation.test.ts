// Tenants never see each other: generated from the route table, so that a new route is covered by being one.

import { isDeepStrictEqual } from 'node:util'
import { t as file, type Test, test } from 'tap'
import { Type } from 'typebox'
import { defineArea } from '../../src/api/pipeline/area.js'
import type { Route } from '../../src/api/pipeline/route.js'
import { anyone } from '../../src/api/surfaces/anyone.js'
import { operator } from '../../src/api/surfaces/operator.js'
import { sample } from '../runner/sample.js'
import { readEvents } from '../support/event-stream.js'
import { until } from '../support/until.js'
import { declaredAt, identifiers, isDeclared, kindsOf, operatorOperations } from './identifiers.js'
import { createKit, everyIdOf, hasten, type Id, type Kit, kitsFor } from './kit.js'
import { looksLikeIdentifier, type Place, placesOf } from './places.js'
import { ask, type Comparable, comparable, requestOf, textOf } from './requests.js'
import { startTenants, type Tenant } from './tenants.js'
import { changesOf, keyRoutes, lastingOf, otherStatus, routes, tracesIn, tracesOf, viewOf } from './views.js'

const [installation, another, third] = await startTenants(file)
const streams = await Promise.all([installation, another].map(({ service, key }) => readEvents(service, { key })))

/** What is wrong with the identifiers of a route, in words that say what to do. */
function undeclared(route: Route): string[] {
  return placesOf(route)
    .filter((place) => looksLikeIdentifier(place) && !isDeclared(place))
    .map(
      ({ operationId, in: kind, at }) =>
        `${operationId} takes ${at.join('.')} in its ${kind}: add to test/tenancy/identifiers.ts how a tenant makes one and one that is absent, or to its notIdentifiers why it names nothing that organizations have`,
    )
}

test('isolation - every identifier that a route takes is declared', (t) => {
  t.same(keyRoutes.flatMap(undeclared), [])
  const area = defineArea(operator, { tag: 'Widgets', path: '/api/v1/widgets', read: 'read:ocpi', write: 'write:ocpi' })
  const unheard = area.route({
    method: 'POST',
    path: '/{widget}',
    operationId: 'turnWidget',
    summary: '',
    params: { widget: Type.String() },
    query: Type.Object({ gadget_id: Type.Optional(Type.String()) }),
    body: Type.Object({ parts: Type.Array(Type.Object({ part_ids: Type.Array(Type.String()) })) }),
    responses: { 204: null },
    handle: () => ({ status: 204 }),
  })
  t.match(undeclared(unheard), [
    /turnWidget takes widget in its path/,
    /gadget_id/,
    /parts\.\[\]\.part_ids in its body/,
  ])
  t.end()
})

interface Case {
  readonly route: Route
  /** The places that have another's identifier, or an absent one. */
  readonly places: readonly Place[]
}

/** Each identifier of a route by itself, and all of them together. */
function casesOf(route: Route): Case[] {
  const places = placesOf(route).filter((place) => declaredAt(place) !== undefined)
  const single = places.map((place) => ({ route, places: [place] }))
  return places.length > 1 ? [...single, { route, places }] : single
}

async function varied(places: readonly Place[], idOf: (kind: string) => Promise<Id> | Id): Promise<Map<string, Id>> {
  const ids = new Map<string, Id>()
  for (const place of places) ids.set(place.at.join('.'), await idOf(declaredAt(place)?.kind ?? ''))
  return ids
}

const nameOf = ({ route, places }: Case): string =>
  `${route.operationId} ${places.map(({ at }) => at.join('.')).join(' and ')}`

/** Another's identifiers and absent ones are answered the same. Resolves with the answer to absent ones. */
async function compare(t: Test, entry: Case, own: Kit, other: Kit, traces: readonly string[]): Promise<Comparable> {
  const { route, places } = entry
  const name = nameOf(entry)
  const declared = places.map((place) => declaredAt(place))
  const answerOf = async (ids: Map<string, Id>): Promise<Comparable> => {
    const request = await requestOf(route, own, ids)
    const answer = await ask(own, request)
    const found = tracesIn(textOf(answer), traces, [...ids.values()].map(String))
    t.same(found, [], `${name} shows nothing of the other organization`)
    return comparable(answer, [...ids.values(), ...request.fresh])
  }
  const foreign = await answerOf(await varied(places, (kind) => other.id(kind)))
  const absent = await answerOf(await varied(places, (kind) => identifiers[kind]?.absent() ?? ''))
  if (!declared.some((entry) => entry?.exception?.tells)) t.same(foreign, absent, `${name}: another's is an absent one`)
  if (places.some(({ in: kind }) => kind === 'path'))
    t.equal(absent.status, 404, `${name}: what is absent is not found`)
  return absent
}

async function answerToOwn({ route, places }: Case, own: Kit): Promise<Comparable> {
  const ids = await varied(places, (kind) => own.id(kind))
  const request = await requestOf(route, own, ids)
  return comparable(await ask(own, request), [...ids.values(), ...request.fresh])
}

const isIndifferent = ({ places }: Case): boolean =>
  places.every((place) => declaredAt(place)?.exception?.indifferent === true)

/** One's own identifiers are answered otherwise. Without this the two could be equal for any reason. */
async function control(t: Test, entry: Case, own: Kit, absent: Comparable): Promise<void> {
  if (isIndifferent(entry)) return
  const answer = await answerToOwn(entry, own)
  t.not(answer.status, 404, `${nameOf(entry)}: one's own is there`)
  t.notSame(answer, absent, `${nameOf(entry)}: one's own is no absent one`)
}

/** Operations that show figures, times and choices of an organization, but nothing by which it is known. */
const nameless = new Set([
  'getFleetSummary',
  'getFleetSeries',
  'getFleetPower',
  'getOrganizationSettings',
  'getOnboardingStatus',
  'listConformance',
  // Nothing has been exchanged with the partners of kits, and they have sent no tokens.
  'listRoamingExchanges',
  'listRoamingTokens',
  // None of them is a hub.
  'listHubParties',
  'listChargePointModels',
  // None waits for an answer: test/service/commands.test.ts has some that do.
  'getWaitingCommands',
])

/** A look reads everything that the other organization sees. */
const routesPerLook = 8

/** Locations follow what they show in the order of its commits: once a charge point that is new is one, none is behind. */
async function locationsSettle(kit: Kit): Promise<void> {
  const id = await identifiers.charge_point_id?.make(kit)
  await until(async () => {
    for (let page = 1; ; page++) {
      const { body } = await kit.tenant.make('GET', `/api/v1/ocpi/locations?per_page=100&page=${page}`)
      const { last_updated } = body.locations.find(({ charge_point_id = '' }) => charge_point_id === id) ?? {}
      if (last_updated !== undefined || body.locations.length < 100) return typeof last_updated === 'string'
    }
  })
}

/** Of its charge point alone, which is not refused any more. */
async function attemptsOf(kit: Kit): Promise<readonly string[]> {
  const id = await kit.id('charge_point_id')
  const { body } = await kit.tenant.make('GET', `/api/v1/cpo/connection-attempts?charge_point_id=${id}&per_page=200`)
  return body.data.map(({ attempt_id = '' }) => attempt_id).sort()
}

async function walk(t: Test, actor: Tenant, victim: Tenant): Promise<void> {
  const [other, copied, shared] = [createKit(victim), createKit(victim), createKit(actor)]
  await Promise.all([copied, other, shared].map((kit) => hasten(kit)))
  const traces = [...(await tracesOf(copied)), ...(await tracesOf(other))]
  await everyIdOf(shared)
  const { calls } = await other.charger()
  const asked = calls.length
  await locationsSettle(other)
  // The charge point of each kit has been refused once, which is noted as soon as there is room for it.
  const attemptsBefore = await until(async () => {
    const noted = await attemptsOf(other)
    return noted.length > 0 && noted
  })
  const before = await lastingOf(other)
  for (const [operationId, { status, text }] of Object.entries(await viewOf(other))) {
    t.equal(status, otherStatus[operationId] ?? 200, operationId)
    if (status === 200 && text.startsWith('{') && !nameless.has(operationId))
      t.not(tracesIn(text, traces).length, 0, `${operationId} shows one's own`)
  }
  // It has made the other organization.
  const known = actor.isOperator ? [victim.organizationId] : []
  const isOwn = (operationId: string): boolean => !actor.isOperator || !operatorOperations.has(operationId)
  for (const [operationId, { text }] of Object.entries(await viewOf(shared)))
    if (isOwn(operationId))
      t.same(tracesIn(text, traces, known), [], `${operationId} shows nothing of the other organization`)
  let compared = 0
  const routesOf = keyRoutes.filter(({ operationId }) => isOwn(operationId))
  const reading = routesOf.filter(({ method }) => method === 'GET')
  const changing = routesOf.filter(({ method }) => method !== 'GET')
  // What one route leaves of a kit is enough for the next that takes no more than one identifier, or it is given a kit of its own.
  let left = createKit(actor)
  const tried = changing.map((route) =>
    casesOf(route).map((entry) => ({ entry, own: placesOf(route).length > 1 ? createKit(actor) : undefined })),
  )
  await Promise.all(tried.flat().map(async ({ entry, own }) => own && (await hasten(own, kindsOf(entry.route)))))
  async function tryOut(entry: Case, given?: Kit): Promise<void> {
    const chosen = entry.places.some((place) => declaredAt(place)?.exception?.chosen)
    const own = given ?? left
    const absent = await compare(t, entry, own, chosen ? copied : other, traces)
    compared++
    if (given !== undefined || isIndifferent(entry)) return await control(t, entry, own, absent)
    const answer = await answerToOwn(entry, left)
    if (answer.status !== 404 && !isDeepStrictEqual(answer, absent)) return
    left = createKit(actor)
    await control(t, entry, left, absent)
  }
  // Those that read come first: what the others leave is the actor's own, under the identifiers that it gave.
  for (const entry of reading.flatMap(casesOf)) await tryOut(entry, shared)
  for (let at = 0; at < tried.length; at += routesPerLook) {
    const group = tried.slice(at, at + routesPerLook).flat()
    for (const { entry, own } of group) await tryOut(entry, own)
    const names = [...new Set(group.map(({ entry }) => entry.route.operationId))]
    const changes = changesOf(before, await lastingOf(other))
    t.same(changes, [], `what is the other's is as it was, after ${names.join(', ')}`)
  }
  t.same(await attemptsOf(other), attemptsBefore, "the refused attempts of the other's charge point are there")
  t.equal(calls.length, asked, "nothing was sent to the other's charge point")
  t.ok(compared > 80, `${compared} cases`)
}

test('isolation - whatever a route is given, another tenant is absent', { timeout: 300_000 }, async (t) => {
  const pairs = [
    { actor: installation, victim: another },
    { actor: another, victim: installation },
  ]
  const comment = (text: string) => t.comment(text)
  for (const { actor, victim } of sample('directions', pairs, { comment })) await walk(t, actor, victim)
})

test('isolation - what needs no key shows no organization', async (t) => {
  for (const { path } of routes.filter(({ surface, method }) => surface === anyone && method === 'GET')) {
    const answer = await installation.service.request('GET', path, undefined, { authorization: '' })
    t.same(tracesIn(textOf(answer), [installation.mark, another.mark]), [], path)
  }
  t.end()
})

test('isolation - a charge point that changes hands tells its new owner nothing of the one before', async (t) => {
  const id = 'HANDED-OVER'
  const registration = { latitude: 52.5, longitude: 13.4, connector_count: 2, max_power_kw: 22 }
  async function takenBy(tenant: Tenant, registered: (kit: Kit) => Promise<void> = async () => undefined) {
    const named = { charge_point_id: id, name: tenant.mark, address: tenant.mark }
    await tenant.make('POST', '/api/v1/chargepoints', { ...registration, ...named })
    const kit = createKit(tenant, { charge_point_id: id })
    await registered(kit)
    return { kit, traces: (await tracesOf(kit)).filter((trace) => trace !== id) }
  }
  const before = await takenBy(another)
  const { client, running } = await before.kit.charger()
  for (const transactionId of running)
    await client.call('StopTransaction', { transactionId, meterStop: 9000, timestamp: new Date().toISOString() })
  await another.make('DELETE', `/api/v1/chargepoints/${id}`)
  const ofChargePoint = keyRoutes.filter(
    (route) =>
      route.method === 'GET' &&
      placesOf(route).every((place) => place.in !== 'path' || declaredAt(place)?.kind === 'charge_point_id'),
  )
  const after = await takenBy(third, async (kit) => {
    for (const route of ofChargePoint) {
      const answer = await ask(kit, await requestOf(route, kit, new Map([['charge_point_id', id]])))
      t.same(tracesIn(textOf(answer), before.traces), [], `${route.operationId} shows nothing before it has connected`)
    }
  })
  for (const [operationId, { status, text }] of Object.entries(await viewOf(after.kit))) {
    t.equal(status, otherStatus[operationId] ?? 200, operationId)
    t.same(tracesIn(text, before.traces), [], `${operationId} shows its new owner's alone`)
  }
  // What is of the same charge point is not of the same organization.
  // A charge point takes so many commands a second.
  const tried = ({ route, places }: Case): boolean =>
    route.sheddable !== 'command' &&
    places.every((place) => declaredAt(place)?.kind !== 'charge_point_id' && !declaredAt(place)?.exception?.chosen)
  for (const entry of keyRoutes.flatMap(casesOf).filter(tried))
    await compare(t, entry, after.kit, before.kit, before.traces)
  for (const [operationId, { text }] of Object.entries(await viewOf(before.kit)))
    t.same(tracesIn(text, after.traces), [], `${operationId} shows its former owner's alone`)
})

test('isolation - an Idempotency-Key is of its tenant', async (t) => {
  const posts = keyRoutes.filter(({ method }) => method === 'POST')
  const posting = sample('routes with an Idempotency-Key', posts, {
    count: Math.ceil(posts.length / 3),
    comment: (text) => t.comment(text),
  })
  const firsts = await kitsFor(installation, posting)
  const seconds = await kitsFor(another, posting)
  for (const [at, route] of posting.entries()) {
    const headers = { 'idempotency-key': `of-${route.operationId}` }
    const [first, second] = [firsts[at] as Kit, seconds[at] as Kit]
    const request = await requestOf(route, first)
    const answer = await ask(first, request, headers)
    const others = await ask(second, await requestOf(route, second), headers)
    t.not(others.body.error?.code, 'idempotency_conflict', route.operationId)
    t.equal(others.headers.get('idempotent-replayed'), null, `${route.operationId} is carried out for each`)
    if (answer.status >= 300) continue
    const again = await ask(first, request, headers)
    t.equal(again.headers.get('idempotent-replayed'), 'true', `${route.operationId} is carried out once for each`)
    t.same(again.body, answer.body)
  }
})

test('isolation - streams and receivers of events are sent what is of their organization', (t) => {
  const tenants = [installation, another]
  for (const [at, { mark, received }] of tenants.entries()) {
    const delivered = received().map(({ body }) => body.toString())
    const streamed = streams[at]?.events.map((event) => JSON.stringify(event)) ?? []
    for (const [by, events] of Object.entries({ delivered, streamed })) {
      t.ok(
        events.some((event) => event.includes(mark)),
        `${mark} is told of its own, ${by}`,
      )
      for (const other of [...tenants, third].filter((tenant) => tenant.mark !== mark))
        t.same(
          // Its own may name what it was given of the other.
          events.filter((event) => event.includes(other.mark) && !event.includes(mark)),
          [],
          `${mark} is told nothing of ${other.mark}, ${by}`,
        )
    }
    streams[at]?.cut()
  }
  t.end()
})
