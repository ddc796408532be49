import { test } from 'tap'
import { scopes } from '../../src/records/api-key.js'
import { createTestApi } from './fixture.js'

const list = '/api/v1/organizations'

test('plans - set by the operator, they hold at the next request', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization('free')
  await service.beginHour()
  const own = `${list}/${organizationId}`
  const quota = async () => {
    const { headers } = await service.call('GET', own, undefined, { key })
    return [headers['X-RateLimit-Limit'], headers['X-RateLimit-Remaining']]
  }
  t.same(await quota(), ['1000', '999'])
  const set = (body: unknown) => service.call('PUT', `${own}/plan`, body)
  t.match(await set({ plan: 'pro' }), {
    status: 200,
    body: { id: organizationId, plan: 'pro', requests_per_hour: 10_000 },
  })
  t.same(await quota(), ['10000', '9998'], 'what was used counts')
  t.match(await set({ plan: 'enterprise', requests_per_hour: 3 }), { status: 200, body: { requests_per_hour: 3 } })
  t.same(await quota(), ['3', '0'])
  const over = await service.call('GET', own, undefined, { key })
  t.match(over, { status: 429, body: { error: 'rate_limit_exceeded' } })
  t.match(await set({ plan: 'enterprise' }), { status: 200, body: { requests_per_hour: null } })
  t.same(await quota(), ['2147483647', '2147483642'])
  t.match((await service.call('GET', own, undefined, { key })).body, { plan: 'enterprise', requests_per_hour: null })
})

test('plans - a quota is agreed for the enterprise plan alone, and has bounds', async (t) => {
  const service = await createTestApi({ enterpriseQuotaPerHour: 500 })
  const { organizationId } = await service.addOrganization('free')
  const set = (body: unknown) => service.call('PUT', `${list}/${organizationId}/plan`, body)
  for (const requests_per_hour of [0, 1.5, 1_000_000_001])
    t.equal((await set({ plan: 'enterprise', requests_per_hour })).status, 400)
  const refused = { status: 400, body: { error: { details: [{ path: '/requests_per_hour' }] } } }
  t.match(await set({ plan: 'pro', requests_per_hour: 5 }), refused)
  t.match(await set({ plan: 'gold' }), { status: 400 })
  t.match(await set({ plan: 'enterprise' }), { status: 200, body: { requests_per_hour: 500 } })
})

test('plans - a tenant sets none: not its own, and of others it knows nothing', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization('free')
  const set = (id: string) => service.call('PUT', `${list}/${id}/plan`, { plan: 'pro' }, { key })
  t.match(await set(organizationId), { status: 403, body: { error: { code: 'forbidden' } } })
  const foreign = await set(service.operator.organizationId)
  const absent = await set('org_none')
  t.equal(foreign.status, 404)
  t.same({ ...foreign.body.error, request_id: '' }, { ...absent.body.error, request_id: '' })
})

test('organizations - one that is locked out gets a key with every scope from the operator', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization('free')
  const give = (id: string, caller = service.operator.key) =>
    service.call('POST', `${list}/${id}/api-keys`, undefined, { key: caller })
  const { status, body } = await give(organizationId)
  t.match({ status, body }, { status: 201, body: { name: 'Recovery key', user_id: null, expires_at: null } })
  t.same(body.effective_scopes, scopes)
  const made = { name: 'K', scopes: ['write:billing'] }
  t.equal((await service.call('POST', '/api/v1/org/api-keys', made, { key: body.key })).status, 201)
  const forbidden = { status: 403, body: { error: { code: 'forbidden' } } }
  t.match(await give(organizationId, key), forbidden, 'a tenant gives itself none')
  t.match(await give(service.operator.organizationId, key), { status: 404 })
  const narrow = await service.addKey(service.operator.organizationId, ['write:organisations', 'write:api_keys'])
  for (const id of [organizationId, service.operator.organizationId])
    t.match(await give(id, narrow), forbidden, 'a key gets no further by another')
})

test('organizations - the operator lists all of them, paged; a tenant its own', async (t) => {
  const service = await createTestApi()
  const tenants = [await service.addOrganization('free'), await service.addOrganization('pro')]
  const all = await service.call('GET', `${list}?per_page=2`)
  t.match(all.body, {
    total: 3,
    page: 1,
    per_page: 2,
    data: [{ id: service.operator.organizationId }, { plan: 'free' }],
  })
  const rest = await service.call('GET', `${list}?per_page=2&page=2`)
  t.match(rest.body, { total: 3, data: [{ plan: 'pro', requests_per_hour: 10_000 }] })
  t.equal(rest.body.data.length, 1)
  const [tenant] = tenants
  if (tenant === undefined) throw new Error('there is no tenant')
  const own = await service.call('GET', list, undefined, { key: tenant.key })
  t.match(own.body, { total: 1, data: [{ id: tenant.organizationId }] })
  t.match((await service.call('GET', `${list}?page=2`, undefined, { key: tenant.key })).body, { total: 1, data: [] })
})

test('organizations - a rename and a change of plan at the same time lose nothing', async (t) => {
  const service = await createTestApi()
  const { organizationId, key } = await service.addOrganization('free')
  const own = `${list}/${organizationId}`
  const answers = await Promise.all([
    service.call('PUT', own, { name: 'Renamed', country: 'DE', contact_email: 'a@example.com' }, { key }),
    service.call('PUT', `${own}/plan`, { plan: 'pro' }),
  ])
  t.same(
    answers.map(({ status }) => status),
    [200, 200],
  )
  t.match((await service.call('GET', own, undefined, { key })).body, { name: 'Renamed', plan: 'pro' })
})
