import { test } from 'tap'
import { limits } from '../../src/api/pipeline/limits.js'
import { routes } from './declared.js'
import { createTestApi } from './fixture.js'

test('requests - unknown paths, methods and broken ids', async (t) => {
  const service = await createTestApi()
  t.equal((await service.call('GET', '/api/v1/nothing')).body.error.code, 'not_found')
  t.equal((await service.call('GET', '/nothing')).status, 404)
  t.equal((await service.call('GET', '/api/v1/chargepoints/%zz')).status, 404)
  t.equal((await service.call('GET', '/api/v1/chargepoints/no%20such%2Fid')).status, 404)
  const wrong = await service.call('PUT', '/api/v1/chargepoints')
  t.equal(wrong.status, 405)
  t.equal(wrong.body.error.code, 'method_not_allowed')
  t.equal(wrong.headers.Allow, 'POST, GET, HEAD, OPTIONS')
  const options = await service.call('OPTIONS', '/api/v1/chargepoints')
  t.equal(options.status, 204)
  t.equal(options.headers.Allow, 'POST, GET, HEAD, OPTIONS')
})

test('requests - bodies that cannot be read', async (t) => {
  const service = await createTestApi()
  const { key } = service.operator
  const post = (body: string | undefined, headers: Record<string, string> = {}) =>
    service.call('POST', '/api/v1/id-tags', body, { key, headers })
  const broken = await post('{"id_tag":')
  t.equal(broken.status, 400)
  t.equal(broken.body.error.code, 'validation_error')
  t.match(broken.body.error.details[0].message, /JSON/)
  t.equal((await post(undefined)).status, 400)
  t.equal((await post('[]')).status, 400)
  t.equal((await post('"text"')).status, 400)
  t.equal((await post('id_tag=A', { 'content-type': 'application/x-www-form-urlencoded' })).status, 415)
  t.equal((await post('{"id_tag":"A"}', { 'content-type': 'application/json; charset=utf-8' })).status, 201)
  const deep = await post(`{"id_tag":"B","label":${'['.repeat(5_000)}${']'.repeat(5_000)}}`)
  t.equal(deep.status, 400)
  t.match(deep.body.error.message, /nested/)
  const large = await post(JSON.stringify({ id_tag: 'B', label: 'x'.repeat(limits.requestBodyBytes) }))
  t.equal(large.status, 413)
  t.equal(large.body.error.code, 'payload_too_large')
})

test('requests - text that is not Unicode is refused, before it becomes another text', async (t) => {
  const service = await createTestApi()
  const label = (body: string | Buffer) => service.call('POST', '/api/v1/id-tags', body)
  const latin = await label(Buffer.from('{"id_tag":"A","label":"\xe9"}', 'latin1'))
  t.match(latin, { status: 400, body: { error: { details: [{ path: '', message: 'is not UTF-8' }] } } })
  const half = await label('{"id_tag":"A","label":"x\\ud800"}')
  t.match(half, { status: 400, body: { error: { details: [{ path: '/label', message: /surrogate/ }] } } })
  t.equal((await label('{"id_tag":"A","label":"\\ud83d\\ude00 \\\\ud800"}')).status, 201)
  t.equal((await label('{"id_tag":"B","\\udc00":1}')).status, 400)
})

test('requests - names, labels and id tags show what they are', async (t) => {
  const oneLine =
    'must be one line without control characters or characters that change the direction of text (U+202A to U+202E, U+2066 to U+2069)'
  const service = await createTestApi()
  const tag = async (id_tag: string, label = 'Card') => {
    const { status, body } = await service.call('POST', '/api/v1/id-tags', { id_tag, label })
    return status === 400 ? body.error.details.map(({ path }: { path: string }) => path).join() : status
  }
  for (const odd of ['\u0000', '\u001b', '\u0085', '\u202e', '\u2066', '\n']) {
    t.equal(await tag(`A${odd}B`), '/id_tag', JSON.stringify(odd))
    t.equal(await tag('A', `a${odd}b`), '/label', JSON.stringify(odd))
    t.match(await service.call('POST', '/api/v1/org/api-keys', { name: `a${odd}b`, scopes: ['read:sessions'] }), {
      status: 400,
      body: { error: { details: [{ path: '/name', message: oneLine }] } },
    })
  }
  t.equal(await tag('\u05d0\u200f1', '\u062a \u{1f50c} e\u0301'), 201, 'letters of all scripts, and marks')
  t.equal((await service.call('GET', '/api/v1/sessions?id_tag=A%00B')).status, 200, 'charge points may have sent any')
  t.equal((await service.call('GET', '/api/v1/id-tags/A%1BB')).status, 404)
})

/** Texts that are looked up, compared or checked by themselves, and never shown as a name. */
const shownToNobody = /(^|_)(ids?|url|token|password|cursor|iban|value|command)$/

/** The fields of a schema that take any text at all. */
function anyTexts(schema: unknown, name: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, pattern, format, properties = {}, items, anyOf = [] } = schema as Record<string, unknown>
  if (type === 'string') {
    const isBounded = pattern !== undefined || format !== undefined || 'enum' in schema || 'const' in schema
    return isBounded || shownToNobody.test(name) ? [] : [name]
  }
  return [
    ...Object.entries(properties as object).flatMap(([field, one]) => anyTexts(one, field)),
    ...anyTexts(items, name),
    ...(anyOf as unknown[]).flatMap((one) => anyTexts(one, name)),
  ]
}

test('requests - no body has a text that may show other than it is: it has the pattern of a line, or of lines', (t) => {
  for (const { operationId, body } of routes) t.same(anyTexts(body, ''), [], operationId)
  t.end()
})

test('requests - every fault of a body is told by its JSON pointer, unknown fields are ignored', async (t) => {
  const service = await createTestApi()
  const { status, body } = await service.call('POST', '/api/v1/chargepoints', {
    charge_point_id: 'not/allowed',
    name: '',
    latitude: 91,
    longitude: 4,
    connector_count: 'two',
    max_power_kw: 22,
    colour: 'blue',
  })
  t.equal(status, 400)
  const paths = body.error.details.map((detail: { path: string }) => detail.path).sort()
  t.same(paths, ['/address', '/charge_point_id', '/connector_count', '/latitude', '/name'])
  t.equal((await service.call('GET', '/api/v1/chargepoints?colour=blue&page=1')).status, 200)
  const query = await service.call('GET', '/api/v1/chargepoints?page=0&per_page=many')
  t.same(query.body.error.details.map((detail: { path: string }) => detail.path).sort(), ['page', 'per_page'])
})

test("requests - the caller's request id is kept when it is sane", async (t) => {
  const service = await createTestApi()
  const id = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given }
    return (await service.call('GET', '/healthz', undefined, { headers })).headers['X-Request-ID']
  }
  t.equal(await id('trace-42'), 'trace-42')
  t.match(await id(), /^request_/)
  t.match(await id('with blanks\r\nand: more'), /^request_/)
  t.match(await id('x'.repeat(200)), /^request_/)
})

test('requests - a page that no number is large enough for is refused, and named', async (t) => {
  const service = await createTestApi()
  for (const page of ['Infinity', '1e400', '-Infinity']) {
    const { status, body } = await service.call('GET', `/api/v1/id-tags?page=${page}`)
    t.equal(status, 400)
    t.match(body.error, { code: 'validation_error', details: [{ path: 'page' }] })
  }
})

test('requests - answers carry the headers that keep them private', async (t) => {
  const service = await createTestApi()
  const { headers } = await service.call('GET', '/api/v1/chargepoints')
  t.match(headers, { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' })
})

test('requests - overload sheds lists first, then commands, and never what changes little', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const outcomes = async () => [
    (await service.call('GET', '/api/v1/chargepoints')).status,
    (await service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' })).status,
    (await service.call('GET', '/api/v1/chargepoints/CP-1')).status,
    (await service.call('GET', '/healthz')).status,
  ]
  service.setOverload(1)
  t.same(await outcomes(), [200, 422, 200, 200])
  service.setOverload(2)
  t.same(await outcomes(), [503, 422, 200, 200])
  service.setOverload(3)
  t.same(await outcomes(), [503, 503, 200, 200])
  const shed = await service.call('GET', '/api/v1/chargepoints')
  t.equal(shed.body.error.code, 'overloaded')
  t.ok(Number(shed.headers['Retry-After']) > 0)
  service.setDraining(true)
  t.equal((await service.call('GET', '/api/v1/chargepoints/CP-1')).body.error.code, 'shutting_down')
  t.equal((await service.call('GET', '/readyz')).status, 503)
  t.equal((await service.call('GET', '/healthz')).status, 200)
})

test('requests - health, readiness and metrics need no key', async (t) => {
  const service = await createTestApi()
  const open = { key: undefined }
  t.same((await service.call('GET', '/healthz', undefined, open)).body, { status: 'ok' })
  t.equal((await service.call('GET', '/readyz', undefined, open)).status, 200)
  service.setReady(false)
  const unready = await service.call('GET', '/readyz', undefined, open)
  t.equal(unready.status, 503)
  t.match(unready.body, { status: 'not_ready', checks: { store: 'the disk refuses writes' } })
  t.match((await service.call('GET', '/metrics', undefined, open)).body, /ampshard_up 1/)
})

test('requests - a store that cannot write is 503, and nothing was said to be done', async (t) => {
  const service = await createTestApi()
  // The key's use of this minute is written beside the first request.
  await service.call('GET', '/api/v1/chargepoints/CP-1')
  await service.settled()
  service.store.failNext(1)
  const refused = await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' })
  t.equal(refused.status, 503)
  t.equal(refused.body.error.code, 'storage_unavailable')
  t.ok(refused.headers['Retry-After'])
  t.equal((await service.call('GET', '/api/v1/id-tags/A')).status, 404)
  t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' })).status, 201)
})

test('requests - of more faults than an answer lists, the first are listed, also of those that no schema knows', async (t) => {
  const service = await createTestApi()
  const tariff = { name: 'T', currency: 'EUR', components: [{ type: 'flat', price: 1 }] }
  const { tariff_id } = (await service.call('POST', '/api/v1/billing/tariffs', tariff)).body
  // Bands that the tariff does not have: one fault each.
  const entries = Array.from({ length: limits.errorDetails + 10 }, (_, at) => ({
    band: `none ${at}`,
    start_time: '08:00',
    end_time: '09:00',
  }))
  const { status, body } = await service.call('PUT', `/api/v1/tariffs/${tariff_id}/schedule`, entries)
  t.equal(status, 400)
  t.equal(body.error.details.length, limits.errorDetails)
})
