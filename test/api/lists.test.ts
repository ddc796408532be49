import { test } from 'tap'
import type { TObject } from 'typebox'
import { installer } from '../../src/api/surfaces/installer.js'
import { createTestApi, routes, type TestApi } from './fixture.js'

const propertiesOf = (schema: unknown): Record<string, { type?: string }> =>
  ((schema as TObject | null)?.properties ?? {}) as Record<string, { type?: string }>

/** Rows, and how many there are of them; the feed of events goes by a cursor and counts nothing. */
const lists = routes.filter(({ method, responses }) => {
  const answer = propertiesOf(responses[200])
  const hasRows = Object.values(answer).some(({ type }) => type === 'array')
  return method === 'GET' && hasRows && (answer.total?.type === 'integer' || answer.page !== undefined)
})

test('lists - every list takes a page, per_page and limit, and answers data, total, page and per_page', (t) => {
  t.ok(lists.length > 25)
  for (const { operationId, query, responses } of lists) {
    const answer = propertiesOf(responses[200])
    for (const name of ['page', 'per_page', 'limit']) t.ok(name in query.properties, `${operationId} takes ${name}`)
    for (const name of ['data', 'total', 'page', 'per_page']) t.ok(name in answer, `${operationId} answers ${name}`)
  }
  t.end()
})

/** The token of somebody who has signed up. */
async function installerKey({ call }: TestApi): Promise<string> {
  const person = { email: 'ines@example.com', password: 'Ladestation 2026' }
  const names = { first_name: 'Ines', last_name: 'Example', company: 'Example Installations' }
  await call('POST', '/api/v1/installer/signup', { ...person, ...names }, {})
  const { body } = await call('POST', '/api/v1/installer/login', person, {})
  return body.access_token
}

interface Bounded {
  readonly maximum?: number
  readonly format?: string
}

test('lists - a page below 1, a number over its maximum and a malformed time are refused, and named', async (t) => {
  const api = await createTestApi()
  let times = 0
  const key = await installerKey(api)
  for (const { operationId, path, query, surface } of lists) {
    const caller = surface === installer ? { key } : undefined
    const parameters = query.properties as Record<string, Bounded>
    const wrong = Object.entries(parameters).flatMap(([name, { maximum, format }]) => [
      ...(maximum === undefined ? [] : [[name, String(maximum + 1)] as const]),
      ...(format === 'date-time' ? [[name, '2026-13-01T00:00:00Z'] as const] : []),
    ])
    times += wrong.filter(([, value]) => value.startsWith('2026')).length
    for (const [name, value] of [['page', '0'], ['per_page', '0'], ...wrong] as const) {
      const target = path.replaceAll(/\{[^}]+\}/g, 'X-1')
      const { status, body } = await api.call(
        'GET',
        `${target}?${name}=${encodeURIComponent(value)}`,
        undefined,
        caller,
      )
      t.equal(status, 400, `${operationId} ${name}=${value}`)
      t.equal(body.error?.code, 'validation_error')
      t.ok(
        body.error?.details.some((detail: { path: string }) => detail.path === name),
        `${operationId} ${name}`,
      )
    }
  }
  t.ok(times > 10, `${times} times`)
})

test('lists - limit and per_page mean the same, and must not differ', async (t) => {
  const api = await createTestApi()
  for (const id of ['A', 'B', 'C']) await api.register(id)
  const list = (query: string) => api.call('GET', `/api/v1/chargepoints?${query}`)
  for (const query of ['limit=2', 'per_page=2', 'limit=2&per_page=2']) {
    const { body } = await list(query)
    t.match(body, { total: 3, page: 1, per_page: 2 }, query)
    t.equal(body.data.length, 2)
    t.same(body.data, body.charge_points)
  }
  t.equal((await list('limit=2&page=2')).body.data.length, 1)
  t.match((await list('')).body, { per_page: 50 })
  // 50 is what per_page is where nobody gives it.
  for (const query of ['limit=2&per_page=50', 'limit=50&per_page=2']) {
    const { status, body } = await list(query)
    t.equal(status, 400, query)
    t.match(body.error.details, [{ path: 'limit', message: /per_page/ }])
  }
  t.match(await list('limit=201'), { status: 400, body: { error: { details: [{ path: 'limit' }] } } })
  t.match(await list('limit=0'), { status: 400, body: { error: { details: [{ path: 'limit' }] } } })
})
