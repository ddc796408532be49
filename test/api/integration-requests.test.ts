// Integration requests: an organization sees its own, with what the operator of the installation has made of them.

import { test } from 'tap'
import { limits } from '../../src/api/areas/organizations/limits.js'
import { createTestApi } from './fixture.js'

const path = '/api/v1/integration-requests'
const wish = { type: 'roaming_hub', partner_name: 'Example Hub', description: 'For guests.' }

test('integration requests - one is made, answered by the operator, and listed with its status', async (t) => {
  const api = await createTestApi()
  const { key, organizationId } = await api.addOrganization()
  const made = await api.call('POST', path, wish, { key })
  t.match(made, { status: 201, body: { ...wish, organization_id: organizationId, status: 'submitted', note: null } })
  t.match(made.body.id, /^req_/)
  const second = await api.call('POST', path, { type: 'other', partner_name: 'Another' }, { key })
  t.match(second, { status: 201, body: { description: null } })
  const list = async (query = '') => (await api.call('GET', path + query, undefined, { key })).body
  t.match(await list(), { total: 2, data: [{ id: second.body.id }, { id: made.body.id }] })
  t.match(await list('?per_page=1&page=2'), { total: 2, data: [{ id: made.body.id }] })
  const answer = { status: 'connected', note: 'Over OCPI.' }
  t.match(await api.call('PATCH', `${path}/${made.body.id}`, answer), { status: 200, body: { ...wish, ...answer } })
  t.match(await list('?status=connected'), { total: 1, data: [{ id: made.body.id, ...answer }] })
  t.equal((await list('?status=submitted')).total, 1)
  t.equal((await list('?status=declined')).total, 0)
})

test('integration requests - organizations see their own alone, the operator those of all', async (t) => {
  const api = await createTestApi()
  const one = await api.addOrganization()
  const other = await api.addOrganization()
  const { body } = await api.call('POST', path, wish, { key: one.key })
  const total = async (query: string, key: string) =>
    (await api.call('GET', path + query, undefined, { key })).body.total
  t.same([await total('', one.key), await total('', other.key), await total('', api.operator.key)], [1, 0, 0])
  t.equal(await total('?all=true', api.operator.key), 1)
  t.equal(await total('?all=true&status=declined', api.operator.key), 0)
  t.equal((await api.call('GET', `${path}?all=true`, undefined, { key: one.key })).status, 403)
  const decline = (id: string, key: string) => api.call('PATCH', `${path}/${id}`, { status: 'declined' }, { key })
  t.equal((await decline(body.id, one.key)).status, 403)
  t.equal((await decline(body.id, other.key)).status, 404)
  t.equal((await decline('req_none', api.operator.key)).status, 404)
})

test('integration requests - bodies are checked, and there is a bound until somebody looks', async (t) => {
  const api = await createTestApi()
  for (const body of [{}, { type: 'emsp' }, { type: 'bank', partner_name: 'X' }, { type: 'emsp', partner_name: ' ' }])
    t.equal((await api.call('POST', path, body)).status, 400)
  let last = ''
  for (let count = 0; count < limits.submittedIntegrationRequests; count++)
    last = (await api.call('POST', path, wish)).body.id
  t.equal((await api.call('POST', path, wish)).status, 409)
  await api.call('PATCH', `${path}/${last}`, { status: 'in_review' })
  t.equal((await api.call('POST', path, wish)).status, 201)
})
