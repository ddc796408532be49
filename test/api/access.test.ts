import { test } from 'tap'
import { type Scope, scopes } from '../../src/actors/records/api-key.js'
import { grants } from '../../src/api/principal.js'
import { createTestApi, routes } from './fixture.js'

const pathOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, 'X-1')
const keyRoutes = routes.filter((route) => route.credential === 'api_key')

test('access - every route that needs a key answers 401 in the flat form without one', async (t) => {
  const service = await createTestApi()
  t.ok(keyRoutes.length >= 35)
  for (const { method, path } of keyRoutes) {
    const answer = await service.call(method, pathOf(path), undefined, { key: undefined })
    t.equal(answer.status, 401, `${method} ${path}`)
    t.match(answer.body, { error: 'unauthorized', message: String, request_id: String })
    t.equal(answer.headers['X-Request-ID'], answer.body.request_id)
  }
})

test('access - every route answers 403 with the required scope to a key that has all other scopes', async (t) => {
  const service = await createTestApi()
  for (const { method, path, scopes: wanted } of keyRoutes) {
    const others = scopes.filter((scope: Scope) => !wanted.some((needed) => grants([scope], needed)))
    const key = await service.addKey(service.operator.organizationId, others)
    const answer = await service.call(method, pathOf(path), undefined, { key })
    t.equal(answer.status, 403, `${method} ${path}`)
    t.match(answer.body, { error: 'forbidden', required_scope: wanted[0], request_id: String })
  }
})

test('access - each of the scopes of a route suffices, and write includes read', async (t) => {
  const service = await createTestApi()
  for (const { method, path, scopes: wanted } of keyRoutes) {
    const enough: Scope[] = wanted.flatMap((scope) => {
      const write = scope.replace('read:', 'write:') as Scope
      return scopes.includes(write) ? [scope, write] : [scope]
    })
    for (const scope of enough) {
      const key = await service.addKey(service.operator.organizationId, [scope])
      const { status } = await service.call(method, pathOf(path), undefined, { key })
      t.not(status, 401, `${method} ${path} ${scope}`)
      t.not(status, 403, `${method} ${path} ${scope}`)
    }
  }
})

test('access - Bearer and X-API-Key are equal, anything else is 401', async (t) => {
  const service = await createTestApi()
  const { key } = service.operator
  const status = async (headers: Record<string, string>, query = '') =>
    (await service.call('GET', `/api/v1/chargepoints${query}`, undefined, { headers })).status
  t.equal(await status({ authorization: `Bearer ${key}` }), 200)
  t.equal(await status({ authorization: `bearer ${key}` }), 200)
  t.equal(await status({ 'x-api-key': key }), 200)
  t.equal(await status({ authorization: key }), 401)
  t.equal(await status({ authorization: `Basic ${key}` }), 401)
  t.equal(await status({ authorization: `Bearer ${key}x` }), 401)
  t.equal(await status({ authorization: `Bearer ${key.slice(0, -1)}` }), 401)
  t.equal(await status({ authorization: 'Bearer' }), 401)
  const another = await service.addKey(service.operator.organizationId, scopes)
  const mixed = `${key.slice(0, -43)}${another.slice(-43)}`
  t.equal(await status({ authorization: `Bearer ${mixed}` }), 401)
  t.equal(await status({}, `?api_key=${key}&access_token=${key}&key=${key}`), 401)
})

test('access - a revoked key is refused at once', async (t) => {
  const service = await createTestApi()
  const made = await service.call('POST', '/api/v1/org/api-keys', {
    name: 'Short-lived',
    scopes: ['read:charge_points'],
  })
  t.equal(made.status, 201)
  const { id, key } = made.body
  t.match(key, new RegExp(`^ak_${id.slice(4)}_[A-Za-z0-9_-]{43}$`))
  t.equal((await service.call('GET', '/api/v1/chargepoints', undefined, { key })).status, 200)
  t.equal((await service.call('DELETE', `/api/v1/org/api-keys/${id}`)).status, 204)
  t.equal((await service.call('GET', '/api/v1/chargepoints', undefined, { key })).status, 401)
  t.equal((await service.call('DELETE', `/api/v1/org/api-keys/${id}`)).status, 404)
})

test("access - another organization's resources answer exactly as absent ones", async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.register('FOREIGN', {}, other.key)
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'FOREIGN' }, { key: other.key })
  const { body: foreignKey } = await service.call(
    'POST',
    '/api/v1/org/api-keys',
    { name: 'F', scopes: ['read:ocpi'] },
    { key: other.key },
  )
  const connection = service.connect('FOREIGN')
  await service.settled()
  const start = { connectorId: 1, idTag: 'TAG', meterStart: 0, timestamp: new Date(service.now()).toISOString() }
  service.tellFrom(connection, 'StartTransaction', start)
  await service.settled()
  const { body: foreignSessions } = await service.call('GET', '/api/v1/sessions', undefined, { key: other.key })
  t.equal(foreignSessions.total, 1)
  const tariff = { name: 'F', currency: 'EUR', components: [{ type: 'flat' }] }
  const rule = { name: 'F', priority: 1, conditions: [], actions: [{ type: 'set_total', value: 0 }], active: true }
  const made = async (path: string, body: unknown) => (await service.call('POST', path, body, { key: other.key })).body
  const ids: Record<string, readonly [string, string]> = {
    charge_point_id: ['FOREIGN', 'ABSENT1'],
    id_tag: ['FOREIGN', 'ABSENT1'],
    key_id: [foreignKey.id, 'key_01ABSENT'],
    org_id: [other.organizationId, 'org_01ABSENT'],
    tariff_id: [(await made('/api/v1/billing/tariffs', tariff)).tariff_id, 'trf_01ABSENT'],
    rule_id: [(await made('/api/v1/billing/rules', rule)).rule_id, 'rul_01ABSENT'],
    session_id: [foreignSessions.sessions[0].session_id, 'ses_01ABSENT'],
  }
  const bodies: Record<string, unknown> = {
    executeCommand: { command: 'soft_reset' },
    disputeSession: { reason: 'R' },
    replaceOrganization: { name: 'N', country: 'NL', contact_email: 'a@example.com' },
    assignChargePointTariff: { tariff_id: null },
    replaceTariff: tariff,
    replaceTariffRates: [],
    replaceTariffSchedule: [],
    replaceBillingRule: rule,
    setOrganizationPlan: { plan: 'pro' },
    changeMemberRole: { role: 'viewer' },
    inviteMember: { email: 'a@example.com', role: 'viewer' },
  }
  const tenant = await service.addOrganization()
  // What the operator of the installation does to tenants.
  const operatorOnly = new Set(['setOrganizationPlan'])
  const comparable = (answer: { status: number; body: unknown }, id: string) => {
    const text = JSON.stringify(answer.body).replaceAll(id, 'ID')
    return [answer.status, text.replace(/"request_id":"[^"]*"/, '')]
  }
  let compared = 0
  for (const { method, path, operationId, params } of keyRoutes) {
    const [name] = Object.keys(params.properties)
    const pair = name === undefined ? undefined : ids[name]
    if (pair === undefined) continue
    const body = bodies[operationId] ?? (method === 'GET' ? undefined : {})
    for (const { key } of operatorOnly.has(operationId) ? [tenant] : [tenant, service.operator]) {
      const answers = []
      for (const id of pair) {
        const target = path.replace(/\{[^}]+\}/, id)
        answers.push(comparable(await service.call(method, target, body, { key }), id))
      }
      t.same(answers[0], answers[1], operationId)
      t.equal(answers[0]?.[0], 404, operationId)
    }
    compared++
  }
  t.ok(compared >= 30)
  for (const { path, body, examples } of keyRoutes.filter((route) => route.path.includes('/ocpp16/'))) {
    if (body === undefined) continue
    const answers = []
    for (const id of ['FOREIGN', 'ABSENT1']) {
      const example = { ...(examples?.request as object), charge_point_id: id }
      answers.push(comparable(await service.call('POST', path, example), id))
    }
    t.same(answers[0], answers[1], path)
    t.equal(answers[0]?.[0], 404, path)
  }
  for (const path of ['/api/v1/chargepoints', '/api/v1/id-tags', '/api/v1/sessions', '/api/v1/cpo/commands/history'])
    t.equal((await service.call('GET', path)).body.total, 0, path)
})

test('access - quotas are counted per key and clock hour, and told in headers', async (t) => {
  const service = await createTestApi()
  const free = await service.addOrganization('free')
  const hourMs = 3_600_000
  await service.pass(hourMs - (service.now() % hourMs))
  const get = (key: string) => service.call('GET', '/api/v1/cpo/fleet/summary', undefined, { key })
  const first = await get(free.key)
  t.equal(first.headers['X-RateLimit-Limit'], '1000')
  t.equal(first.headers['X-RateLimit-Remaining'], '999')
  t.equal(Number(first.headers['X-RateLimit-Reset']) % 3_600, 0)
  for (let at = 0; at < 999; at++) await get(free.key)
  const refused = await get(free.key)
  t.equal(refused.status, 429)
  t.match(refused.body, { error: 'rate_limit_exceeded', retry_after: Number })
  t.equal(refused.headers['Retry-After'], String(refused.body.retry_after))
  t.equal(refused.headers['X-RateLimit-Remaining'], '0')
  t.equal((await get(service.operator.key)).status, 200)
  await service.pass(hourMs)
  t.equal((await get(free.key)).status, 200)
})

test('access - a configured enterprise quota holds, and without one there is none', async (t) => {
  const limited = await createTestApi({ enterpriseQuotaPerHour: 2 })
  const statuses = []
  for (let at = 0; at < 3; at++) statuses.push((await limited.call('GET', '/api/v1/cpo/fleet/summary')).status)
  t.same(statuses, [200, 200, 429])
})
