// Bodies of many fields, objects and lists: refused before they are read where no route could take them, and counted where it may.

import { test } from 'tap'
import { limits } from '../../src/api/http/limits.js'
import { limits as pipelineLimits } from '../../src/api/pipeline/limits.js'
import { roomForParts } from '../../src/api/pipeline/room-for-parts.js'
import { createTestApi, routes } from './fixture.js'
import { listenFor } from './listening.js'

const fieldsOf = (count: number): string => Array.from({ length: count }, (_, at) => `"f${at}":${at}`).join()

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly maxItems?: number
  readonly anyOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

/** Lists are this long where the schema takes any number. */
const longList = 10

/** As much as the schema takes, whatever the values are. */
function fullest(shape: Shape): unknown {
  const { properties, items, maxItems = longList, anyOf = [], allOf = [] } = shape
  if (allOf.length > 0) return Object.assign({}, ...allOf.map(fullest))
  if (anyOf.length > 0) return anyOf.map(fullest).reduce((one, other) => (parts(one) > parts(other) ? one : other))
  if (items !== undefined && !Array.isArray(items)) return Array(maxItems).fill(fullest(items))
  if (properties === undefined) return 0
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, fullest(field)]))
}

/** Its fields, objects and lists. */
function parts(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce((sum: number, part) => sum + parts(part), 1 + (Array.isArray(value) ? 0 : inner.length))
}

test('body parts - every route has room for all that its schema takes, and for fields that it does not know', (t) => {
  let most = 0
  for (const { body, operationId } of routes) {
    if (body === undefined) continue
    // What the longest takes does not fit into a body: a field has five bytes.
    const needed = Math.min(parts(fullest(body as Shape)), pipelineLimits.requestBodyBytes / 5)
    t.ok(needed + 5_000 <= roomForParts(body), `${operationId}: ${needed} of ${roomForParts(body)}`)
    most = Math.max(most, needed)
  }
  t.ok(most > 20_000, 'some take many rules at once')
  t.end()
})

test('body parts - a body with more is refused before it is read, by whoever it is', async (t) => {
  const service = await createTestApi()
  const post = (path: string, body: string, headers = {}) =>
    service.call('POST', path, body, { key: service.operator.key, headers })
  // It is not JSON at its end: whoever reads it says so.
  const broken = (count: number): string => `{${fieldsOf(count)}`
  const page = { 'sec-fetch-site': 'same-origin', 'x-ampshard': 'console' }
  for (const path of ['/api/v1/id-tags', '/api/v1/console/session', '/api/v1/installer/login']) {
    const few = await post(path, broken(5_000), page)
    t.match(few.body.error, { code: 'validation_error', details: [{ path: '', message: /^is not JSON/ }] }, path)
    const many = await post(path, broken(7_000), page)
    t.equal(many.status, 400)
    const [detail] = many.body.error.details
    t.equal(detail.path, '')
    t.match(detail.message, /^has more than 6\d\d\d fields, objects and lists$/)
  }
  const empty = await post('/api/v1/id-tags', `[${'{},'.repeat(7_000)}`)
  t.match(empty.body.error.details, [{ message: /^has more than/ }])
  const text = await post('/api/v1/id-tags', JSON.stringify({ id_tag: 'A', note: '{"a":'.repeat(7_000) }))
  t.equal(text.status, 201, 'what stands in a text is not counted')
})

test('body parts - what reading a body costs counts, however short it is', async (t) => {
  const service = await createTestApi()
  const { port, refused } = await listenFor(t, service.api)
  const { key } = service.operator
  const post = async (body: string) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/id-tags`, { method: 'POST', body, headers })
    await answer.arrayBuffer()
    return answer.status
  }
  const fields = `{${fieldsOf(5_000)}}`
  t.ok(fields.length < limits.smallBodyBytes)
  const text = JSON.stringify({ text: 'x'.repeat(fields.length - 11) })
  t.equal(text.length, fields.length)
  const atOnce = limits.parsedBodyBytesAtOnce / (5_000 * limits.parsedBytesOfPart)
  for (let count = 0; count < 2 * atOnce; count++) t.equal(await post(text), 400)
  let taken = 0
  while (taken < 4 * atOnce && (await post(fields)) === 400) taken++
  t.ok(taken >= Math.floor(atOnce / 2) && taken < 4 * atOnce, `${taken} were taken`)
  t.equal(refused.get('rate_of_bodies'), 1)
  t.equal(await post('{"id_tag":"SMALL"}'), 201)
})
