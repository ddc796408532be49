// Fields and parameters that no schema knows: taken, named in the answer, and refused where the caller prefers it.

import fc from 'fast-check'
import { test } from 'tap'
import { type TSchema, Type } from 'typebox'
import { exampleOf } from '../../src/api/openapi/example.js'
import { knownFieldsOf } from '../../src/api/pipeline/known-fields.js'
import { limits } from '../../src/api/pipeline/limits.js'
import type { ApiRequest } from '../../src/api/pipeline/message.js'
import type { Route } from '../../src/api/pipeline/route.js'
import { nullable } from '../../src/api/pipeline/schemas.js'
import { jsonBody } from '../../src/api/pipeline/steps/read-body.js'
import { createUnknownFields } from '../../src/api/pipeline/steps/unknown-fields.js'
import { createTestApi, routes } from './fixture.js'

const header = 'X-Ampshard-Unknown-Fields'

const pointers = (schema: TSchema, value: unknown) =>
  knownFieldsOf(schema)(value, 50).unknown.map((path) => `/${path.join('/')}`)

const point = Type.Object({ x: Type.Number() })

test('unknown fields - are found in objects and lists at any depth', (t) => {
  const schema = Type.Object({ name: Type.String(), at: point, path: Type.Array(point) })
  t.same(pointers(schema, { name: 'a', at: { x: 1 }, path: [{ x: 1 }] }), [])
  t.same(pointers(schema, { nmae: 'a', at: { y: 1 }, path: [{ x: 1 }, { x: 1, y: { z: 1 } }] }), [
    '/nmae',
    '/at/y',
    '/path/1/y',
  ])
  t.same(pointers(Type.Array(point), [{ x: 1 }, { y: 1 }]), ['/1/y'])
  t.same(pointers(Type.Object({}), { a: 1 }), ['/a'])
  t.same(pointers(Type.Object({ pair: Type.Tuple([point, Type.Number()]) }), { pair: [{ x: 1, y: 1 }, 2] }), [
    '/pair/0/y',
  ])
  t.same(pointers(Type.Object({ a: Type.Number() }, { additionalProperties: false }), { b: 1 }), ['/b'])
  t.end()
})

test('unknown fields - a value of another kind than its schema has none, and names of Object.prototype are names', (t) => {
  const schema = Type.Object({ at: point, path: Type.Array(point) })
  for (const value of [null, 1, 'a', [], { at: 1, path: {} }, { at: [{ y: 1 }], path: { 0: { y: 1 } } }])
    t.same(pointers(schema, value), [], JSON.stringify(value))
  const odd = JSON.parse('{"__proto__":{"x":1},"constructor":1,"at":{"toString":1}}')
  t.same(pointers(schema, odd), ['/__proto__', '/constructor', '/at/toString'])
  t.end()
})

test('unknown fields - free objects take any field; records only names of their pattern, and look at their values', (t) => {
  const free = Type.Object({
    metadata: Type.Record(Type.String(), Type.Unknown()),
    payload: Type.Unsafe<object>({ type: 'object' }),
    anything: Type.Unknown(),
    open: Type.Object({ a: Type.Number() }, { additionalProperties: true }),
  })
  const value = { metadata: { a: { b: 1 } }, payload: { c: [{ d: 1 }] }, anything: { e: 1 }, open: { f: { g: 1 } } }
  t.same(pointers(free, value), [])
  const record = Type.Record(Type.String({ pattern: '^[a-z]+$' }), point)
  t.same(pointers(record, { one: { x: 1 }, two: { y: 1 }, Three: { x: 1 } }), ['/two/y', '/Three'])
  const others = Type.Object({ a: Type.Number() }, { additionalProperties: point })
  t.same(pointers(others, { a: 1, b: { x: 1, y: 1 } }), ['/b/y'])
  t.end()
})

test('unknown fields - of a union, what any branch knows that the value is one of', (t) => {
  const circle = Type.Object({ type: Type.Literal('circle'), radius: Type.Number() })
  const square = Type.Object({ type: Type.Literal('square'), side: Type.Number() })
  const shape = Type.Union([circle, square])
  t.same(pointers(shape, { type: 'circle', radius: 1 }), [])
  t.same(pointers(shape, { type: 'circle', radius: 1, side: 1 }), ['/side'])
  t.same(pointers(shape, { type: 'square', side: 1, colour: 1 }), ['/colour'])
  t.same(pointers(shape, { type: 'oval', radius: 1, side: 1, colour: 1 }), ['/colour'], 'none matches')
  const either = Type.Union([Type.Object({ a: Type.Number() }), Type.Object({ b: Type.Optional(Type.Number()) })])
  t.same(pointers(either, { a: 1, b: 1, c: 1 }), ['/c'], 'both match')
  t.same(pointers(Type.Array(shape), [{ type: 'square', side: 1, radius: 1 }]), ['/0/radius'])
  t.same(pointers(nullable(point), { y: 1 }), ['/y'])
  t.same(pointers(nullable(point), null), [])
  t.same(pointers(Type.Union([Type.String(), Type.Array(point)]), [{ y: 1 }]), ['/0/y'])
  t.same(pointers(Type.Union([Type.Number(), Type.Unknown()]), { y: 1 }), [])
  t.same(pointers(Type.Union([circle, Type.Record(Type.String(), Type.Unknown())]), { type: 'other', y: 1 }), [])
  t.end()
})

test('unknown fields - of schemas that hold together, what any of them knows', (t) => {
  const both = Type.Intersect([point, Type.Object({ y: Type.Number(), at: point })])
  t.same(pointers(both, { x: 1, y: 1, z: 1, at: { x: 1, y: 1 } }), ['/z', '/at/y'])
  const overlapping = Type.Intersect([
    Type.Object({ at: Type.Object({ x: Type.Number() }) }),
    Type.Object({ at: Type.Object({ y: Type.Number() }) }),
  ])
  t.same(pointers(overlapping, { at: { x: 1, y: 1, z: 1 } }), ['/at/z'])
  const oneOf = Type.Unsafe<object>({
    type: 'object',
    properties: { a: {}, b: {}, c: {} },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  })
  t.same(pointers(oneOf, { a: 1, c: 1, d: 1 }), ['/d'], 'branches that only require name nothing')
  t.end()
})

test('unknown fields - what is known is copied only where something is not, and nothing is taken out of what was sent', (t) => {
  const open = Type.Object({ at: point, path: Type.Array(point), free: Type.Record(Type.String(), point) })
  const sound = Object.freeze({ at: { x: 1 }, path: [{ x: 1 }], free: {} })
  t.equal(knownFieldsOf(open)(sound, 50).known, sound)
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, index]))
  const free = Object.freeze(JSON.parse('{"__proto__":{"x":1,"y":1},"a":{"x":2}}'))
  const at = Object.freeze({ ...many, x: 1 })
  const first = Object.freeze({ x: 1 })
  const path = Object.freeze([first, Object.freeze({ y: 1, x: 2 }), 3])
  const { unknown, known } = knownFieldsOf(open)(Object.freeze({ a: 1, at, path, free, ...many }), 3)
  t.equal(unknown.length, 3)
  t.equal(JSON.stringify(known), '{"at":{"x":1},"path":[{"x":1},{"x":2},3],"free":{"__proto__":{"x":1},"a":{"x":2}}}')
  t.equal((known as { path: unknown[] }).path[0], first)
  t.end()
})

interface Asked {
  readonly body?: unknown
  readonly query?: string
}

/** The path is the route's own. */
function requestOf(route: Route, { body, query = '' }: Asked): ApiRequest {
  return {
    method: route.method,
    path: route.path,
    query,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  }
}

/** What a handler sees of a body. */
function left(route: Route, body: unknown): unknown {
  const request = requestOf(route, { body })
  const json = jsonBody(request, route)
  createUnknownFields(route).check(request, json, {})
  return json.read()
}

/** What the step names of a request. */
function named(route: Route, asked: Asked): string[] {
  const request = requestOf(route, asked)
  const headers: Record<string, string> = {}
  createUnknownFields(route).name(request, jsonBody(request, route), headers)
  const names = headers[header]
  return names === undefined ? [] : names.split(', ').map(decodeURIComponent)
}

interface Shape {
  readonly properties?: Record<string, Shape>
  readonly patternProperties?: object
  readonly additionalProperties?: boolean
  readonly items?: Shape
  readonly anyOf?: Shape[]
}

interface Place {
  readonly pointer: string
  readonly known: readonly string[]
  with(name: string): unknown
}

/** Every object in a value whose schema says by name what belongs into it. */
function placesIn(value: unknown, shape: Shape, pointer = ''): Place[] {
  const { properties, items, anyOf = [] } = shape
  const branches = anyOf.flatMap((branch) => placesIn(value, branch, pointer))
  if (Array.isArray(value) && items !== undefined)
    return value.flatMap((entry, at) =>
      placesIn(entry, items, `${pointer}/${at}`).map((place) => ({
        ...place,
        with: (name: string) => value.with(at, place.with(name)),
      })),
    )
  if (typeof value !== 'object' || value === null || Array.isArray(value) || properties === undefined) return branches
  const inner = Object.entries(properties)
    .filter(([name]) => name in value)
    .flatMap(([field, schema]) =>
      placesIn((value as Record<string, unknown>)[field], schema, `${pointer}/${field}`).map((place) => ({
        ...place,
        with: (name: string) => ({ ...value, [field]: place.with(name) }),
      })),
    )
  const own = { pointer, known: Object.keys(properties), with: (name: string) => ({ ...value, [name]: { any: 1 } }) }
  return [own, ...inner]
}

test('unknown fields - a field that is added to a body, wherever it is unknown, is named, and no handler sees it', (t) => {
  const withBodies = routes.filter(({ body }) => body !== undefined)
  const places = withBodies.flatMap((route) => {
    const examples = [exampleOf(route.body as TSchema), ...Object.values(route.examples ?? {})]
    for (const body of examples) t.same(named(route, { body }), [], route.operationId)
    return examples.flatMap((body) => placesIn(body, route.body as Shape).map((place) => ({ route, body, place })))
  })
  t.ok(places.length > withBodies.length, `${places.length} places`)
  const property = fc.property(fc.constantFrom(...places), fc.string({ unit: 'binary', maxLength: 20 }), (at, name) => {
    const { route, body, place } = at
    fc.pre(!place.known.includes(name))
    const pointer = `${place.pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    t.strictSame(named(route, { body: place.with(name) }), [pointer])
    t.strictSame(left(route, place.with(name)), JSON.parse(JSON.stringify(body)))
  })
  fc.assert(property, { numRuns: 300 })
  t.end()
})

test('unknown fields - a parameter that is added to a query is named, and nothing else', (t) => {
  const names = fc.string({ unit: 'binary', maxLength: 20 })
  const property = fc.property(fc.constantFrom(...routes), names, fc.string(), (route, name, value) => {
    fc.pre(!(name in route.query.properties))
    const query = new URLSearchParams(
      Object.fromEntries(Object.keys(route.query.properties).map((known) => [known, '1'])),
    )
    t.strictSame(named(route, { query: query.toString() }), [])
    query.append(name, value)
    query.append(name, value)
    t.strictSame(named(route, { query: query.toString() }), [name])
  })
  fc.assert(property, { numRuns: 200 })
  t.end()
})

const tag = (extra: object) => ({ id_tag: 'TAG-1', ...extra })

test('unknown fields - answers name them, successes and errors alike, and the request counts without them', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/id-tags?dry=1', tag({ colour: 'blue', 'a,b/c': { d: 1 } }))
  t.match(made, { status: 201, headers: { [header]: '/colour, /a%2Cb~1c, dry' } })
  t.notOk('colour' in made.body)
  t.notOk('Preference-Applied' in made.headers)
  const again = await service.call('POST', '/api/v1/id-tags', tag({ colour: 'blue' }))
  t.match(again, { status: 409, headers: { [header]: '/colour' } })
  const wrong = await service.call('POST', '/api/v1/id-tags', { id_tga: 'TAG-2' })
  t.match(wrong, { status: 400, headers: { [header]: '/id_tga' } })
  const absent = await service.call('PATCH', '/api/v1/id-tags/NONE', { colour: 'blue' })
  t.match(absent, { status: 404, headers: { [header]: '/colour' } })
  const list = await service.call('GET', '/api/v1/ocpp16/charge_points/status?charge_point_id=X&page=1')
  t.match(list, { status: 200, headers: { [header]: 'charge_point_id' } })
  const bodiless = await service.call('POST', '/api/v1/alerts/none/acknowledge', { note: 'seen' })
  t.match(bodiless, { status: 404, headers: { [header]: '/note' } })
  const known = await service.call('GET', '/api/v1/id-tags?page=1&limit=')
  t.notOk(header in known.headers)
  const unread = await service.call('POST', '/api/v1/id-tags', '{"colour":')
  t.notOk(header in unread.headers)
})

test('unknown fields - an answer that is given again names them, too', async (t) => {
  const service = await createTestApi()
  const { key } = service.operator
  const post = () =>
    service.call('POST', '/api/v1/id-tags', tag({ colour: 'blue' }), { key, headers: { 'idempotency-key': 'one' } })
  const [first, repeat] = [await post(), await post()]
  t.notOk('Idempotent-Replayed' in first.headers)
  t.match(repeat, { status: 201, headers: { 'Idempotent-Replayed': 'true', [header]: '/colour' } })
})

test('unknown fields - Prefer: handling=strict refuses them with the path of each, and nothing is done', async (t) => {
  const service = await createTestApi()
  const { key } = service.operator
  const post = (body: unknown, prefer: string, query = '') =>
    service.call('POST', `/api/v1/id-tags${query}`, body, { key, headers: { prefer } })
  const refused = await post(tag({ colour: 'blue', size: 1 }), 'handling=strict', '?dry=1')
  t.match(refused, { status: 400, headers: { 'Preference-Applied': 'handling=strict' } })
  t.equal(refused.body.error.code, 'validation_error')
  t.same(
    refused.body.error.details.map(({ path }: { path: string }) => path),
    ['/colour', '/size', 'dry'],
  )
  t.equal(refused.headers[header], '/colour, /size, dry')
  for (const prefer of ['respond-async, Handling="strict"; x=1', 'foo="a, b", handling=strict,handling=lenient'])
    t.equal((await post(tag({ colour: 'blue' }), prefer)).status, 400, prefer)
  const { body } = await service.call('GET', '/api/v1/id-tags')
  t.equal(body.total, 0)
  for (const prefer of [
    'handling=lenient',
    'handling=lenient, handling=strict',
    'x="handling=strict"',
    '"',
    'strict',
  ]) {
    const lenient = await post(tag({ id_tag: prefer.slice(0, 20), colour: 'blue' }), prefer)
    t.equal(lenient.status, 201, prefer)
    t.notOk('Preference-Applied' in lenient.headers, prefer)
  }
  const sound = await post(tag({}), 'handling=strict')
  t.match(sound, { status: 201, headers: { 'Preference-Applied': 'handling=strict' } })
  t.notOk(header in sound.headers)
  const read = await service.call('GET', '/api/v1/id-tags?colour=blue', undefined, {
    key,
    headers: { prefer: 'handling=strict' },
  })
  t.match(read, { status: 400, body: { error: { details: [{ path: 'colour' }] } } })
})

test('unknown fields - what is named is bounded, and safe in a header', async (t) => {
  const service = await createTestApi()
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, index]))
  const long = { ['x'.repeat(100_000)]: 1 }
  const odd = '{"id_tag":"TAG-1","line\\r\\nX-Injected: 1":1,"\\ud83d\\ude00":1,"é":1,"\\u0000":1}'
  for (const body of [tag(many), tag(long), tag({ [`${'é'.repeat(5_000)}`]: 1 }), odd]) {
    const { headers } = await service.call('POST', '/api/v1/id-tags', body)
    const names = headers[header] as string
    t.match(names, /^[\x21-\x7e]+(, [\x21-\x7e]+)*$/)
    t.ok(names.length <= limits.unknownFieldsHeaderCharacters, `${names.length} characters`)
  }
  const strict = { key: service.operator.key, headers: { prefer: 'handling=strict' } }
  const { body } = await service.call('POST', '/api/v1/id-tags', tag({ ...many }), strict)
  t.equal(body.error.details.length, limits.errorDetails)
  const cut = await service.call('POST', '/api/v1/id-tags', tag(long), strict)
  t.ok(cut.body.error.details[0].path.length < 300)
})
