// Site owners over the API: from the invitation to the approval, what is shown to whom, and that nothing is approved unseen.

import { test } from 'tap'
import { limits as mailLimits } from '../../src/actors/mail/limits.js'
import { limits } from '../../src/api/areas/site-owners/limits.js'
import { scopes } from '../../src/records/api-key.js'
import { auditTable } from '../../src/records/audit-entry.js'
import { type ChargePoint, chargePointsTable } from '../../src/records/charge-point.js'
import { mailsTable } from '../../src/records/mail.js'
import { siteOwnersTable } from '../../src/records/site-owner.js'
import { type Answered, createTestApi, type TestApi } from './fixture.js'
import { mailedToken } from './team.js'

const own = '/api/v1/site-owner'
const all = '/api/v1/site-owners'
const iban = 'NL91ABNA0417164300'
const profile = {
  name: 'Anna Example',
  street: 'Station Street 1',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
}
const bank = { account_holder: 'Anna Example', iban: 'nl91 ABNA 0417 1643 00' }
const deed = { type: 'proof_of_ownership', name: 'Deed.pdf', url: 'https://files.example.com/deed.pdf' }

type Ask = (method: string, path: string, body?: unknown) => Promise<Answered>

const asker =
  (api: TestApi, key: string): Ask =>
  (method, path, body) =>
    api.call(method, path, body, { key })

async function invite(api: TestApi, fields: Record<string, unknown> = {}, key = api.operator.key): Promise<string> {
  const body = { email: 'anna@example.com', name: 'Anna', ...fields }
  const { status } = await api.call('POST', `${own}/invitations`, body, { key })
  if (status !== 201) throw new Error(`nobody was invited: ${status}`)
  return mailedToken(api)
}

interface Joined {
  readonly api: TestApi
  readonly ask: Ask
  readonly id: string
  readonly organizationId: string
}

/** A site owner of the operator's organization, with a key of an organization of their own. */
async function join(fields: Record<string, unknown> = {}): Promise<Joined> {
  const api = await createTestApi()
  const { key, organizationId } = await api.addOrganization()
  const ask = asker(api, key)
  const { body } = await ask('POST', `${own}/accept-invitation/${await invite(api, fields)}`)
  return { api, ask, id: body.site_owner_id, organizationId }
}

async function submit({ ask }: Pick<Joined, 'ask'>): Promise<string> {
  await ask('PUT', `${own}/profile`, profile)
  await ask('PUT', `${own}/onboarding/bank-details`, bank)
  await ask('POST', `${own}/onboarding/documents`, deed)
  const { body } = await ask('POST', `${own}/onboarding/complete`)
  return body.submitted_at
}

test('site owner - step by step to the end', async (t) => {
  const { api, ask, id } = await join({ project_id: 'site_1', project_name: 'Car park' })
  for (const site of ['site_1', 'site_2']) {
    await api.register(`CP-${site.slice(-1)}`)
    const row = api.store.view().get(chargePointsTable, [`CP-${site.slice(-1)}`])
    await api.put(chargePointsTable, { ...row, site_id: site } as ChargePoint)
  }
  const status = async () => (await ask('GET', `${own}/onboarding/status`)).body
  const incomplete = async (...steps: string[]): Promise<void> => {
    const { status, body } = await ask('POST', `${own}/onboarding/complete`)
    t.match([status, body.error.code], [409, 'onboarding_incomplete'])
    t.same(
      body.error.details.map(({ path }: { path: string }) => path),
      steps.map((step) => `/${step}`),
    )
  }
  t.match(await status(), { stage: 'profile_pending', completed_steps: [], submitted_at: null })
  t.same((await status()).pending_steps, ['profile', 'bank_details', 'documents', 'approval'])
  await incomplete('profile', 'bank_details', 'documents')
  t.match((await ask('GET', `${own}/profile`)).body, { name: 'Anna', street: null, bank_details: null, documents: [] })
  t.match(await ask('PUT', `${own}/profile`, profile), {
    status: 200,
    body: { ...profile, stage: 'bank_details_pending' },
  })
  const account = await ask('PUT', `${own}/onboarding/bank-details`, bank)
  t.match(account, { status: 200, body: { account_holder: 'Anna Example', iban: '**************4300', bic: null } })
  t.match(await status(), { stage: 'documents_pending', completed_steps: ['profile', 'bank_details'] })
  await incomplete('documents')
  t.match(await ask('POST', `${own}/onboarding/documents`, deed), { status: 201, body: { ...deed, sha256: null } })
  t.match(await status(), { stage: 'approval_pending', submitted_at: null })
  const projects = async () => (await ask('GET', `${own}/projects`)).body
  t.same(await projects(), {
    data: [{ id: 'site_1', name: 'Car park', charge_point_count: 1, status: 'onboarding' }],
    total: 1,
    page: 1,
    per_page: 100,
  })
  const submitted = await ask('POST', `${own}/onboarding/complete`)
  t.match(submitted, { status: 200, body: { stage: 'approval_pending', submitted_at: String, approved_at: null } })
  t.same((await ask('POST', `${own}/onboarding/complete`)).body, submitted.body, 'again changes nothing')
  t.match((await api.call('GET', `${all}?stage=approval_pending`)).body, { total: 1, data: [{ site_owner_id: id }] })
  const approval = { approved: true, submitted_at: submitted.body.submitted_at }
  t.match(await api.call('POST', `${all}/${id}/approval`, approval), { status: 200, body: { stage: 'complete' } })
  t.match(await status(), { stage: 'complete', pending_steps: [] })
  t.equal((await projects()).data[0].status, 'active')
  t.equal((await api.call('GET', `${all}?stage=approval_pending`)).body.total, 0)
})

test('site owner - what changes after the approval has to be approved again, what does not has not', async (t) => {
  for (const change of [
    (ask: Ask) => ask('PUT', `${own}/profile`, { ...profile, name: 'Eve' }),
    (ask: Ask) => ask('PUT', `${own}/onboarding/bank-details`, { ...bank, iban: 'DE89370400440532013000' }),
    (ask: Ask) => ask('POST', `${own}/onboarding/documents`, deed),
  ]) {
    const joined = await join()
    const { api, ask, id } = joined
    const submitted_at = await submit(joined)
    const approve = (at: string) => api.call('POST', `${all}/${id}/approval`, { approved: true, submitted_at: at })
    t.equal((await approve(submitted_at)).body.stage, 'complete')
    await ask('PUT', `${own}/profile`, profile)
    await ask('PUT', `${own}/onboarding/bank-details`, bank)
    t.equal((await ask('GET', `${own}/onboarding/status`)).body.stage, 'complete', 'the same again is no change')
    t.ok((await change(ask)).status < 300)
    t.match((await ask('GET', `${own}/onboarding/status`)).body, {
      stage: 'approval_pending',
      submitted_at: null,
      approved_at: null,
    })
    t.equal((await approve(submitted_at)).body.error.code, 'conflict')
    await api.pass(1_000)
    await ask('POST', `${own}/onboarding/complete`)
    t.equal((await approve(submitted_at)).body.error.code, 'conflict', 'what was looked at is not what is there now')
  }
})

test('site owner - the organization sends it back with a reason, until it is submitted again', async (t) => {
  const joined = await join()
  const { api, ask, id } = joined
  const submitted_at = await submit(joined)
  const reject = (body: object) => api.call('POST', `${all}/${id}/approval`, { approved: false, submitted_at, ...body })
  t.equal((await reject({})).status, 400)
  const mails = () =>
    api.store
      .view()
      .list(mailsTable, [])
      .filter(({ type }) => type === 'site-owner-sent-back')
  t.same(mails(), [])
  const sentBack = { stage: 'approval_pending', submitted_at: null, rejection_reason: 'Of another year.' }
  t.match(await reject({ reason: 'Of another year.' }), { status: 200, body: sentBack })
  t.match((await ask('GET', `${own}/onboarding/status`)).body, sentBack)
  t.match(mails(), [{ to: 'anna@example.com', content: { name: 'Anna Example', reason: 'Of another year.' } }])
  const again = await ask('POST', `${own}/onboarding/complete`)
  t.match(again.body, { rejection_reason: null, submitted_at: String })
  await api.call('POST', `${all}/${id}/approval`, { approved: true, submitted_at: again.body.submitted_at })
  t.equal(mails().length, 1)
})

test('site owner - one who is sent back again and again gets so many mails; beyond them it is refused, and nothing is changed', async (t) => {
  const joined = await join()
  const { api, ask, id } = joined
  const sendBack = (submitted_at: string) =>
    api.call('POST', `${all}/${id}/approval`, { approved: false, submitted_at, reason: 'Not yet.' })
  let submitted_at = await submit(joined)
  // The invitation was a mail, too.
  for (let at = 1; at < mailLimits.mailsToOneAtOnce; at++) {
    t.equal((await sendBack(submitted_at)).status, 200)
    submitted_at = (await ask('POST', `${own}/onboarding/complete`)).body.submitted_at
  }
  const mails = () => api.store.view().list(mailsTable, []).length
  const sent = mails()
  const refused = await sendBack(submitted_at)
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited', message: /to one address/ } } })
  t.match(refused.headers['Retry-After'], /^3[0-6]\d$/, 'six minutes, less what has passed')
  t.equal(mails(), sent)
  t.match((await ask('GET', `${own}/onboarding/status`)).body, { submitted_at, rejection_reason: null })
  const again = { email: 'ANNA+again@example.com', name: 'Anna' }
  t.equal((await api.call('POST', `${own}/invitations`, again)).status, 429)
  t.equal((await api.call('POST', `${own}/invitations`, { ...again, email: 'bert@example.com' })).status, 201)
  await api.pass(360_000)
  t.equal((await sendBack(submitted_at)).status, 200)
})

test('site owner - the own key approves nobody, and what it told is not in the audit log', async (t) => {
  const api = await createTestApi()
  const key = await api.addKey(api.operator.organizationId, scopes)
  const ask = asker(api, key)
  const token = await invite(api)
  const { body } = await ask('POST', `${own}/accept-invitation/${token}`)
  const submitted_at = await submit({ ask })
  const audited = JSON.stringify(api.store.view().list(auditTable, []))
  t.match(audited, 'acceptSiteOwnerInvitation')
  t.notOk(audited.includes(token) || /NL91/i.test(audited), 'the audit log has neither the token nor the account')
  const approval = { approved: true, submitted_at }
  t.equal((await ask('POST', `${all}/${body.site_owner_id}/approval`, approval)).status, 403)
  t.equal((await api.call('POST', `${all}/${body.site_owner_id}/approval`, approval)).status, 200)
})

test('site owner - the account is shown in full to who pays, to nobody else', async (t) => {
  const joined = await join()
  const { api, ask, id, organizationId } = joined
  await submit(joined)
  const shown = [
    await ask('GET', `${own}/profile`),
    await ask('GET', `${own}/onboarding/status`),
    await api.call('GET', all),
    await api.call('GET', `${all}/${id}`),
  ]
  t.notMatch(JSON.stringify(shown), iban)
  t.match(JSON.stringify(shown), '4300')
  const path = `${all}/${id}/bank-details`
  t.same((await api.call('GET', path)).body, { account_holder: 'Anna Example', iban, bic: null })
  const reader = await api.addKey(api.operator.organizationId, ['write:organisations', 'read:billing'])
  t.equal((await asker(api, reader)('GET', path)).status, 403)
  const stranger = asker(api, await api.addKey(organizationId, scopes))
  for (const [method, target] of [
    ['GET', path],
    ['GET', `${all}/${id}`],
    ['GET', `${own}/profile`],
  ] as const)
    t.equal((await stranger(method, target)).status, 404, target)
  t.equal((await stranger('GET', all)).body.total, 0)
  const approval = { approved: true, submitted_at: new Date(api.now()).toISOString() }
  t.equal((await stranger('POST', `${all}/${id}/approval`, approval)).status, 404)
})

test('site owner - a key without one is told so everywhere', async (t) => {
  const api = await createTestApi()
  for (const [method, path, body] of [
    ['GET', 'onboarding/status'],
    ['POST', 'onboarding/complete'],
    ['GET', 'profile'],
    ['PUT', 'profile', profile],
    ['PUT', 'onboarding/bank-details', bank],
    ['POST', 'onboarding/documents', deed],
    ['DELETE', 'onboarding/documents/doc_1'],
    ['GET', 'projects'],
  ] as const)
    t.equal((await api.call(method, `${own}/${path}`, body)).status, 404, path)
})

test('site owner - a token is good once, and for its own kind', async (t) => {
  const api = await createTestApi()
  const path = `${own}/accept-invitation`
  const first = await invite(api)
  const token = await invite(api)
  const listed = (await api.call('GET', `${own}/invitations`)).body
  t.match(listed, { total: 1, data: [{ email: 'anna@example.com', name: 'Anna', project_id: null, mail: 'waiting' }] })
  t.equal((await api.call('POST', '/api/v1/organizations/invitations/accept', { token })).status, 404)
  const answers = [await api.call('POST', `${path}/${first}`), await api.call('POST', `${path}/unknown`)]
  t.same(
    answers.map(({ status }) => status),
    [404, 404],
  )
  t.equal((await api.call('POST', `${path}/${token}`)).status, 200)
  t.equal((await api.call('POST', `${path}/${token}`)).status, 404)
  const revoked = await invite(api, { email: 'ben@example.com' })
  const [{ id }] = (await api.call('GET', `${own}/invitations`)).body.data
  const other = await api.addOrganization()
  t.equal((await api.call('DELETE', `${own}/invitations/${id}`, undefined, { key: other.key })).status, 404)
  t.equal((await api.call('DELETE', `${own}/invitations/${id}`)).status, 204)
  t.equal((await api.call('POST', `${path}/${revoked}`)).status, 404)
  t.equal((await api.call('GET', `${own}/invitations`)).body.total, 0)
})

test('site owner - another invitation brings another project, and another key', async (t) => {
  const { api, ask, id, organizationId } = await join({ project_id: 'site_1' })
  await ask('PUT', `${own}/profile`, profile)
  const second = await invite(api, { email: 'ANNA@example.com', project_id: 'site_2', project_name: 'Two' })
  const key = asker(api, await api.addKey(organizationId, scopes))
  t.match(await key('POST', `${own}/accept-invitation/${second}`), {
    status: 200,
    body: { site_owner_id: id, name: 'Anna Example' },
  })
  t.match((await key('GET', `${own}/projects`)).body, {
    total: 2,
    data: [
      { id: 'site_1', name: 'site_1' },
      { id: 'site_2', name: 'Two' },
    ],
  })
  t.equal((await ask('GET', `${own}/profile`)).status, 404, 'the first key acts for nobody now')
  t.equal((await api.call('GET', all)).body.total, 1)
})

test('site owner - the name of a project needs the project', async (t) => {
  const api = await createTestApi()
  const body = { email: 'anna@example.com', name: 'Anna', project_name: 'Car park' }
  const { status, body: refusal } = await api.call('POST', `${own}/invitations`, body)
  t.equal(status, 400)
  t.same(refusal.error.details, [{ path: '/project_name', message: 'requires project_id, the site that it names' }])
  t.equal((await api.call('GET', `${own}/invitations`)).body.total, 0)
})

test('site owner - a key acts for one site owner, also when two invitations are accepted at once', async (t) => {
  const api = await createTestApi()
  const first = await api.addOrganization()
  const second = await api.addOrganization()
  const tokens = [await invite(api, {}, first.key), await invite(api, { email: 'ben@example.com' }, second.key)]
  const answers = await Promise.all(tokens.map((token) => api.call('POST', `${own}/accept-invitation/${token}`)))
  t.same(answers.map(({ status }) => status).sort(), [200, 409])
  t.equal(api.store.view().list(siteOwnersTable, []).length, 1)
  const left = tokens[answers.findIndex(({ status }) => status === 409)]
  const key = await api.addKey(first.organizationId, scopes)
  t.equal(
    (await asker(api, key)('POST', `${own}/accept-invitation/${left}`)).status,
    200,
    'the invitation is still good',
  )
})

test('site owner - bodies are checked, documents have a bound and can be taken back', async (t) => {
  const { ask } = await join()
  const status = async (method: string, path: string, body: unknown) =>
    (await ask(method, `${own}/${path}`, body)).status
  for (const country of ['Netherlands', 'ZZ', 'UK'])
    t.equal(await status('PUT', 'profile', { ...profile, country }), 400, country)
  t.equal(await status('PUT', 'profile', { name: 'Anna' }), 400)
  t.equal(await status('PUT', 'onboarding/bank-details', { ...bank, iban: 'NL91ABNA0417164301' }), 400)
  t.equal(await status('PUT', 'onboarding/bank-details', { ...bank, bic: 'abc' }), 400)
  for (const url of [
    'http://files.example.com/a',
    'javascript:alert(1)',
    'https://user:pw@files.example.com/a',
    'deed.pdf',
  ])
    t.equal(await status('POST', 'onboarding/documents', { ...deed, url }), 400, url)
  const first = await ask('POST', `${own}/onboarding/documents`, deed)
  for (let count = 1; count < limits.documentsPerSiteOwner; count++)
    t.equal(await status('POST', 'onboarding/documents', deed), 201)
  t.equal(await status('POST', 'onboarding/documents', deed), 409)
  const path = `${own}/onboarding/documents/${first.body.document_id}`
  t.equal((await ask('DELETE', path)).status, 204)
  t.equal((await ask('DELETE', path)).status, 404)
  t.equal((await ask('GET', `${own}/profile`)).body.documents.length, limits.documentsPerSiteOwner - 1)
})

test('site owner - one that is deleted is gone with all that they have given, and may be invited again', async (t) => {
  const joined = await join()
  const { api, ask, id } = joined
  await submit(joined)
  const { key } = await api.addOrganization()
  t.equal((await asker(api, key)('DELETE', `${all}/${id}`)).status, 404, 'another organization has no such one')
  t.equal((await api.call('DELETE', `${all}/${id}`)).status, 204)
  t.equal((await api.call('GET', `${all}/${id}`)).status, 404)
  t.equal((await api.call('GET', all)).body.total, 0)
  t.equal((await ask('GET', `${own}/profile`)).status, 404)
  const again = await ask('POST', `${own}/accept-invitation/${await invite(api)}`)
  t.match(again, { status: 200, body: { stage: 'profile_pending' } })
  t.not(again.body.site_owner_id, id)
})
