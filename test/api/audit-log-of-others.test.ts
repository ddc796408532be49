// What keys of other organizations change of one: it is in the audit log of both, and tells neither more than it has to know.

import { test } from 'tap'
import type { Scope } from '../../src/records/api-key.js'
import { createTestApi } from './fixture.js'
import { mailedToken } from './team.js'

const path = '/api/v1/org/audit-log'

async function twoOrganizations() {
  const api = await createTestApi()
  const other = await api.addOrganization()
  const asked = { key: other.key, headers: { 'x-request-id': 'request-of-the-other' } }
  const own = async () => (await api.call('GET', path)).body
  const others = async () => (await api.call('GET', path, undefined, asked)).body
  return { api, other, asked, own, others, organizationId: api.operator.organizationId }
}

const byStranger = { key_id: null, key_name: null, user_id: null, remote_address: null }

test('audit log - tells of a member who joined with a key of another organization, but not of the key', async (t) => {
  const { api, other, asked, own, others, organizationId } = await twoOrganizations()
  await api.call('POST', `/api/v1/organizations/${organizationId}/invitations`, { email: 'a@b.c', role: 'admin' })
  const joined = await api.call(
    'POST',
    '/api/v1/organizations/invitations/accept',
    { token: mailedToken(api), name: 'Anna' },
    asked,
  )
  t.equal(joined.status, 200)
  const { data, total } = await own()
  t.equal(total, 2)
  t.match(data[0], {
    ...byStranger,
    action: 'acceptInvitation',
    resources: { user_id: joined.body.user_id, organization_id: organizationId },
    request_body: { token: '(redacted)', name: 'Anna' },
    status: 200,
  })
  for (const trace of [other.organizationId, other.key.slice(3, 29), '127.0.0.1', 'request-of-the-other'])
    t.notMatch(JSON.stringify(data[0]), trace)
  t.match(await others(), { total: 1, data: [{ action: 'acceptInvitation', key_name: 'Test' }] })
  const byKey = await api.call('GET', `${path}?key_id=key_${other.key.slice(3, 29)}`)
  t.equal(byKey.body.total, 0)
})

test('audit log - tells of a key that the operator gave an organization, in both logs, without the key', async (t) => {
  const { api, other, own, others } = await twoOrganizations()
  const keys = `/api/v1/organizations/${other.organizationId}/api-keys`
  const given = await api.call('POST', keys, { name: 'From the operator' })
  t.match(given, { status: 201, body: { name: 'From the operator', user_id: null, expires_at: null } })
  const [entry] = (await others()).data
  t.match(entry, { ...byStranger, action: 'createOrganizationApiKey', status: 201 })
  t.match((await own()).data[0], { action: 'createOrganizationApiKey', key_name: 'Bootstrap key' })
  t.notMatch(JSON.stringify([await own(), await others()]), given.body.key)
})

test('audit log - tells of what a site owner changes with a key of another organization, their account first of all', async (t) => {
  const { api, asked, own, others } = await twoOrganizations()
  await api.call('POST', '/api/v1/site-owner/invitations', { email: 'a@b.c', name: 'Anna' })
  const call = (method: string, end: string, body?: unknown) =>
    api.call(method, `/api/v1/site-owner/${end}`, body, asked)
  const { site_owner_id } = (await call('POST', `accept-invitation/${mailedToken(api)}`)).body
  const address = { street: 'Station Street 1', postal_code: '1012 AB', city: 'Amsterdam', country: 'NL' }
  const deed = { type: 'contract', name: 'Deed.pdf', url: 'https://files.example.com/deed.pdf' }
  await call('PUT', 'profile', { name: 'Anna', ...address })
  await call('PUT', 'onboarding/bank-details', { account_holder: 'Anna', iban: 'NL91 ABNA 0417 1643 00' })
  const { document_id } = (await call('POST', 'onboarding/documents', deed)).body
  await call('POST', 'onboarding/complete')
  await call('DELETE', `onboarding/documents/${document_id}`)
  const expected = [
    { action: 'removeSiteOwnerDocument', resources: { site_owner_id, document_id } },
    { action: 'completeOnboarding', resources: { site_owner_id } },
    { action: 'addSiteOwnerDocument', resources: { site_owner_id, document_id } },
    { action: 'replaceBankDetails', resources: { site_owner_id }, request_body: { iban: '(redacted)' } },
    { action: 'replaceSiteOwnerProfile', resources: { site_owner_id } },
    { action: 'acceptSiteOwnerInvitation', path: '/api/v1/site-owner/accept-invitation/(redacted)' },
  ]
  const { data, total } = await own()
  t.equal(total, 7)
  t.match(
    data,
    expected.map((entry) => ({ ...byStranger, ...entry })),
  )
  t.match(await others(), { total: 6, data: expected.map((entry) => ({ key_name: 'Test', ...entry })) })
})

test('audit log - tells an organization of its plan and of answers to its requests, which the operator gives', async (t) => {
  const { api, other, asked, own, others } = await twoOrganizations()
  const request = { type: 'emsp', partner_name: 'Example' }
  const { id } = (await api.call('POST', '/api/v1/integration-requests', request, asked)).body
  await api.call('PUT', `/api/v1/organizations/${other.organizationId}/plan`, { plan: 'pro' })
  await api.call('PATCH', `/api/v1/integration-requests/${id}`, { status: 'declined', note: 'Not now.' })
  t.match((await others()).data, [
    { ...byStranger, action: 'answerIntegrationRequest', resources: { id } },
    { ...byStranger, action: 'setOrganizationPlan', request_body: { plan: 'pro' } },
    { action: 'createIntegrationRequest' },
  ])
  t.match(await own(), { total: 2, data: [{ key_name: 'Bootstrap key' }, { key_name: 'Bootstrap key' }] })
})

test('audit log - what is changed with a key of the own organization is one entry', async (t) => {
  const { api, own } = await twoOrganizations()
  await api.call('POST', '/api/v1/site-owner/invitations', { email: 'a@b.c', name: 'Anna' })
  const scopes: readonly Scope[] = ['write:organisations']
  const key = await api.addKey(api.operator.organizationId, scopes)
  await api.call('POST', `/api/v1/site-owner/accept-invitation/${mailedToken(api)}`, undefined, { key })
  t.match(await own(), { total: 2, data: [{ action: 'acceptSiteOwnerInvitation', key_name: 'Test' }, {}] })
})
