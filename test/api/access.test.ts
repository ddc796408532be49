import { test } from 'tap'
import { removeRow } from '../../src/api/pipeline/changes.js'
import { operator } from '../../src/api/surfaces/operator.js'
import { grants } from '../../src/api/surfaces/principal.js'
import { apiKeysTable, type Scope, scopes } from '../../src/records/api-key.js'
import { createTestApi, routes } from './fixture.js'

const pathOf = (path: string): string => path.replaceAll(/\{[^}]+\}/g, 'X-1')
const keyRoutes = routes.filter((route) => route.surface === operator)

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

test('access - a scope suffices where the route wants it, or what it includes; all others together do not', async (t) => {
  const service = await createTestApi()
  const withScopes = (given: readonly Scope[]) => service.addKey(service.operator.organizationId, given)
  const keys = new Map<Scope, string>()
  for (const scope of scopes) keys.set(scope, await withScopes([scope]))
  for (const { method, path, scopes: wanted } of keyRoutes) {
    const suffices = (scope: Scope): boolean => wanted.some((needed) => grants([scope], needed as Scope))
    const others = await withScopes(scopes.filter((scope) => !suffices(scope)))
    t.ok(scopes.some(suffices), `${method} ${path}`)
    for (const [scope, key] of [...keys, ['all others', others] as const]) {
      const answer = await service.call(method, pathOf(path), undefined, { key })
      const said = `${method} ${path} with ${scope}`
      if (scope !== 'all others' && suffices(scope)) {
        t.not(answer.status, 401, said)
        // Of members: no scope of a key is enough.
        if (path.startsWith('/api/v1/console/passkeys')) t.notOk('required_scope' in answer.body, said)
        else t.not(answer.status, 403, said)
        continue
      }
      t.equal(answer.status, 403, said)
      t.same(answer.body, {
        error: 'forbidden',
        message: answer.body.message,
        request_id: answer.headers['X-Request-ID'],
        required_scope: wanted[0],
      })
      for (const needed of wanted) t.match(answer.body.message, needed, said)
    }
  }
})

test('access - writing includes reading, and nothing else includes anything', (t) => {
  for (const given of scopes)
    for (const needed of scopes) {
      const included = given === needed || (given.startsWith('write:') && needed === given.replace('write:', 'read:'))
      t.equal(grants([given], needed), included, `${given} ${needed}`)
    }
  t.end()
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

test('access - quotas are counted per key and clock hour, and told in headers', async (t) => {
  const service = await createTestApi()
  const free = await service.addOrganization('free')
  await service.beginHour()
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
  const second = await service.addKey(free.organizationId, ['read:charge_points'])
  t.equal((await get(second)).headers['X-RateLimit-Remaining'], '999', 'each key of an organization has its own')
  await service.pass(3_600_000)
  t.equal((await get(free.key)).status, 200)
})

test('access - all keys of an organization together have the quota of ten, however often keys are deleted and created', async (t) => {
  const service = await createTestApi({ enterpriseQuotaPerHour: 4 })
  const neighbour = await service.addOrganization()
  await service.beginHour()
  const get = (key: string) => service.call('GET', '/api/v1/cpo/fleet/summary', undefined, { key })
  // What a key is refused beyond its own quota costs the others nothing.
  const statuses = []
  for (let at = 0; at < 50; at++) statuses.push((await get(service.operator.key)).status)
  t.same(new Set(statuses.slice(4)), new Set([429]))
  const { organizationId } = service.operator
  for (let at = 0; at < 9; at++) {
    const key = await service.addKey(organizationId, ['read:charge_points'])
    for (let left = 3; left >= 0; left--)
      t.match(await get(key), { status: 200, headers: { 'X-RateLimit-Remaining': String(left) } })
    await service.commit(removeRow(apiKeysTable, [`key_${key.split('_')[1]}`]))
    t.equal((await get(key)).status, 401)
  }
  const refused = await get(await service.addKey(organizationId, ['read:charge_points']))
  t.match(refused, {
    status: 429,
    headers: { 'X-RateLimit-Limit': '4', 'X-RateLimit-Remaining': '0' },
    body: { error: 'rate_limit_exceeded', message: /all keys of the organization/, retry_after: Number },
  })
  t.equal((await get(neighbour.key)).status, 200)
  await service.pass(3_600_000)
  t.equal((await get(service.operator.key)).status, 200)
})

test('access - a configured enterprise quota holds, and without one there is none', async (t) => {
  const limited = await createTestApi({ enterpriseQuotaPerHour: 2 })
  await limited.beginHour()
  const statuses = []
  for (let at = 0; at < 3; at++) statuses.push((await limited.call('GET', '/api/v1/cpo/fleet/summary')).status)
  t.same(statuses, [200, 200, 429])
})
