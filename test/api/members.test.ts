// Members and invitations over the API: who may join, what becomes of a token, and that an organization keeps an admin.

import { test } from 'tap'
import { limits as invitationLimits } from '../../src/api/areas/invitations/limits.js'
import { limits } from '../../src/api/areas/members/limits.js'
import { auditTable } from '../../src/records/audit-entry.js'
import { type Invitation, invitationsTable } from '../../src/records/invitation.js'
import { mailsTable } from '../../src/records/mail.js'
import { type Member, membersTable, type Role } from '../../src/records/member.js'
import { lowestIdAt } from '../../src/runtime/ids.js'
import { type Answered, createTestApi, type TestApi } from './fixture.js'
import { acceptPath, invite, join, teamPaths } from './team.js'

const dayMs = 24 * 3_600_000
const withoutRequestId = ({ status, body }: Answered) => ({ status, error: { ...body.error, request_id: undefined } })

test('members - an invitation makes a member, once, and its token is in the mail alone', async (t) => {
  const api = await createTestApi()
  const { members, invitations } = teamPaths(api.operator.organizationId)
  const { answer, token } = await invite(api, 'Anna.Example@example.com', 'admin')
  t.match(answer, {
    status: 201,
    body: { email: 'Anna.Example@example.com', role: 'admin', status: 'open', mail: 'waiting' },
  })
  t.match(answer.body.id, /^inv_/)
  t.equal(Date.parse(answer.body.expires_at) - Date.parse(answer.body.created_at), 7 * dayMs)
  t.match(token, /^[A-Za-z0-9_-]{43}$/)
  const listed = await api.call('GET', invitations)
  t.match(listed.body, { total: 1, data: [{ id: answer.body.id, status: 'open' }] })
  const accepted = await api.call('POST', acceptPath, { token, name: 'Anna Example' })
  t.match(accepted, { status: 200, body: { email: 'Anna.Example@example.com', name: 'Anna Example', role: 'admin' } })
  t.equal(accepted.body.organization_id, api.operator.organizationId)
  t.match(accepted.body.user_id, /^usr_/)
  t.match((await api.call('GET', members)).body, {
    total: 1,
    data: [{ user_id: accepted.body.user_id, role: 'admin' }],
  })
  t.match((await api.call('GET', invitations)).body, { total: 0, data: [] })
  t.equal((await api.call('POST', acceptPath, { token })).status, 404)
  t.notMatch(JSON.stringify([answer, listed, accepted]), token)
  t.notMatch(JSON.stringify(api.store.view().list(invitationsTable, [])), token)
  const audited = api.store.view().list(auditTable, [])
  t.match(audited, [{ action: 'inviteMember' }, { action: 'acceptInvitation' }])
  t.notMatch(JSON.stringify(audited), token)
})

test('members - the name of one who gives none is what is before the @', async (t) => {
  const api = await createTestApi()
  const { token } = await invite(api, 'anna@example.com')
  t.equal((await api.call('POST', acceptPath, { token })).body.name, 'anna')
})

test('members - a token that is not good is not found, whatever is wrong with it', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  const refused: Answered[] = []
  const refuse = async (token: string): Promise<void> => {
    refused.push(await api.call('POST', acceptPath, { token }))
  }
  await refuse('')
  await refuse('unknown')
  await refuse('x'.repeat(43))
  const used = await invite(api, 'used@example.com')
  await api.call('POST', acceptPath, { token: used.token })
  await refuse(used.token)
  const revoked = await invite(api, 'revoked@example.com')
  t.equal((await api.call('DELETE', `${invitations}/${revoked.answer.body.id}`)).status, 204)
  t.equal((await api.call('DELETE', `${invitations}/${revoked.answer.body.id}`)).status, 404)
  await refuse(revoked.token)
  const replaced = await invite(api, 'again@example.com')
  const newest = await invite(api, 'AGAIN@example.com', 'member')
  await refuse(replaced.token)
  await api.pass(7 * dayMs)
  t.match((await api.call('GET', invitations)).body, { total: 1, data: [{ role: 'member', status: 'expired' }] })
  await refuse(newest.token)
  t.equal(refused.length, 7)
  for (const answer of refused) t.same(withoutRequestId(answer), withoutRequestId(refused[0] as Answered))
  t.equal(refused[0]?.status, 404)
})

test('members - a revoked invitation whose mail still waits is not sent', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  const { answer } = await invite(api, 'anna@example.com')
  await api.call('DELETE', `${invitations}/${answer.body.id}`)
  await api.settled()
  t.same(api.store.view().list(mailsTable, []), [])
})

test('members - an invitation tells what became of its mail', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  await invite(api, 'anna@example.com')
  const shown = async () => (await api.call('GET', invitations)).body.data[0].mail
  t.equal(await shown(), 'waiting')
  const [mail] = api.store.view().list(mailsTable, [])
  if (mail === undefined) throw new Error('there is no mail')
  const { content: _, ...rest } = mail
  await api.put(mailsTable, { ...rest, error: '550 no such mailbox' })
  t.equal(await shown(), 'failed')
  await api.commit({ type: 'remove', table: mailsTable.name, key: [mail.mail_id] })
  t.equal(await shown(), 'sent')
})

test('members - who is a member is not invited again', async (t) => {
  const api = await createTestApi()
  await join(api, 'anna@example.com', 'member')
  const { answer } = await invite(api, 'ANNA@example.com')
  t.equal(answer.status, 409)
  t.equal(answer.body.error.code, 'member_exists')
})

test('members - whatever mail goes to is one address', async (t) => {
  const api = await createTestApi()
  const own = `/api/v1/organizations/${api.operator.organizationId}`
  const name = 'Example Charging'
  const takers = [
    async (email: string) => (await invite(api, email)).answer.status,
    async (email: string) => (await api.call('POST', '/api/v1/site-owner/invitations', { email, name })).status,
    async (contact_email: string) => (await api.call('PUT', own, { name, country: 'NL', contact_email })).status,
    async (billing_email: string) => (await api.call('PUT', `${own}/settings`, { billing_email })).status,
  ]
  const wrong = [
    '',
    'anna',
    'a b@example.com',
    'a@b@c',
    'a,b@example.com',
    '<a@example.com>',
    'a@b\u0000',
    '"a"@b.c',
    'a@b;c',
  ]
  for (const take of takers) {
    for (const email of [...wrong, 'a@example.com\r\nBcc: x', `${'a'.repeat(65)}@example.com`])
      t.equal(await take(email), 400, JSON.stringify(email))
    t.ok((await take('müller+x@exämple.com')) < 300)
  }
})

test('members - bodies are checked', async (t) => {
  const api = await createTestApi()
  t.equal((await invite(api, 'a@example.com', 'owner' as Role)).answer.status, 400)
  t.equal((await api.call('POST', acceptPath, { token: 7 })).status, 400)
  t.equal((await api.call('POST', acceptPath, {})).status, 400)
})

test('members - the last admin is neither removed nor given another role', async (t) => {
  const api = await createTestApi()
  const { members } = teamPaths(api.operator.organizationId)
  const anna = await join(api, 'anna@example.com', 'admin')
  const ben = await join(api, 'ben@example.com', 'member')
  const role = (id: string, wanted: Role) => api.call('PUT', `${members}/${id}/role`, { role: wanted })
  for (const answer of [await role(anna, 'member'), await api.call('DELETE', `${members}/${anna}`)])
    t.match(answer, { status: 409, body: { error: { code: 'last_admin' } } })
  t.equal((await role(anna, 'admin')).status, 200, 'what changes nothing is fine')
  t.match(await role(ben, 'admin'), { status: 200, body: { user_id: ben, role: 'admin' } })
  t.match(await role(anna, 'viewer'), { status: 200, body: { role: 'viewer' } })
  t.equal((await api.call('DELETE', `${members}/${anna}`)).status, 204)
  t.equal((await api.call('DELETE', `${members}/${anna}`)).status, 404)
  t.equal((await role(anna, 'admin')).status, 404)
  t.equal((await api.call('DELETE', `${members}/${ben}`)).body.error.code, 'last_admin')
})

test('members - of two admins who go at the same time, one stays', async (t) => {
  const ways = [
    (api: TestApi, member: string) => api.call('PUT', `${member}/role`, { role: 'viewer' }),
    (api: TestApi, member: string) => api.call('DELETE', member),
  ]
  for (const first of ways) {
    for (const second of ways) {
      const api = await createTestApi()
      const { members } = teamPaths(api.operator.organizationId)
      const anna = await join(api, 'anna@example.com', 'admin')
      const ben = await join(api, 'ben@example.com', 'admin')
      const answers = await Promise.all([first(api, `${members}/${anna}`), second(api, `${members}/${ben}`)])
      const refused = answers.filter(({ status }) => status === 409)
      t.equal(refused.length, 1)
      t.equal(refused[0]?.body.error.code, 'last_admin')
      t.equal(api.store.view().total(membersTable, 'byRole', [api.operator.organizationId, 'admin']), 1)
    }
  }
})

test('members - a token that is used twice at the same time makes one member', async (t) => {
  const api = await createTestApi()
  const { token } = await invite(api, 'anna@example.com')
  const answers = await Promise.all([1, 2].map(() => api.call('POST', acceptPath, { token })))
  t.same(answers.map(({ status }) => status).sort(), [200, 404])
  t.equal(api.store.view().list(membersTable, []).length, 1)
})

test('members - an address that is invited twice at the same time has one token that is good', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  const answers = await Promise.all([1, 2].map(() => invite(api, 'anna@example.com')))
  t.same(
    answers.map(({ answer }) => answer.status),
    [201, 201],
  )
  t.equal((await api.call('GET', invitations)).body.total, 1)
})

test('members - a whole team may be invited and accept at the same time', async (t) => {
  const api = await createTestApi()
  const { invitations, members } = teamPaths(api.operator.organizationId)
  const people = Array.from({ length: 20 }, (_, at) => ({ email: `p${at}@example.com`, role: 'viewer' }))
  const invited = await Promise.all(people.map((person) => api.call('POST', invitations, person)))
  t.same(new Set(invited.map(({ status }) => status)), new Set([201]))
  const tokens = api.store
    .view()
    .list(mailsTable, [])
    .map(({ content }) => content as { readonly token?: string })
  const accepted = await Promise.all(tokens.map(({ token }) => api.call('POST', acceptPath, { token })))
  t.same(new Set(accepted.map(({ status }) => status)), new Set([200]))
  t.equal((await api.call('GET', members)).body.total, people.length)
})

test('members - the same Idempotency-Key invites once', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  const options = { key: api.operator.key, headers: { 'idempotency-key': 'once' } }
  const body = { email: 'anna@example.com', role: 'viewer' }
  const first = await api.call('POST', invitations, body, options)
  const second = await api.call('POST', invitations, body, options)
  t.same(second.body, first.body)
  t.equal(api.store.view().list(mailsTable, []).length, 1)
})

test('members - another organization sees and changes none of it', async (t) => {
  const api = await createTestApi()
  const other = await api.addOrganization()
  const anna = await join(api, 'anna@example.com', 'member')
  const { answer, token } = await invite(api, 'ben@example.com')
  const { members, invitations } = teamPaths(api.operator.organizationId)
  const own = teamPaths(other.organizationId)
  for (const [method, path, body] of [
    ['GET', members],
    ['GET', invitations],
    ['POST', invitations, { email: 'eve@example.com', role: 'admin' }],
    ['PUT', `${members}/${anna}/role`, { role: 'viewer' }],
    ['PUT', `${own.members}/${anna}/role`, { role: 'viewer' }],
    ['DELETE', `${members}/${anna}`],
    ['DELETE', `${own.members}/${anna}`],
    ['DELETE', `${invitations}/${answer.body.id}`],
    ['DELETE', `${own.invitations}/${answer.body.id}`],
  ] as const)
    t.equal((await api.call(method, path, body, { key: other.key })).status, 404, `${method} ${path}`)
  t.match((await api.call('GET', own.members, undefined, { key: other.key })).body, { total: 0 })
  // Who holds the token was invited, whatever key an application brings it with.
  const narrow = await api.addKey(other.organizationId, ['read:sessions'])
  t.equal((await api.call('POST', acceptPath, { token }, { key: undefined })).status, 401)
  t.match(await api.call('POST', acceptPath, { token }, { key: narrow }), {
    status: 200,
    body: { organization_id: api.operator.organizationId, email: 'ben@example.com' },
  })
})

function openRow(api: TestApi, at: number, email: string): Invitation {
  const id = `${lowestIdAt('inv', api.now() - at).slice(0, -6)}${api.newId('x').slice(-6)}`
  const time = new Date(api.now()).toISOString()
  return {
    invitation_id: id,
    organization_id: api.operator.organizationId,
    email,
    purpose: { type: 'member', role: 'viewer' },
    status: 'open',
    token_hash: email,
    mail_id: 'mail_none',
    expires_at: time,
    created_at: time,
  }
}

test('members - invitations have bounds: a day, those that are open, and members', async (t) => {
  const api = await createTestApi()
  const { invitations } = teamPaths(api.operator.organizationId)
  for (let count = 0; count < invitationLimits.invitationsPerDay; count++)
    await api.put(invitationsTable, openRow(api, dayMs / 2, `${count}@example.com`))
  const tooMany = await invite(api, 'one-more@example.com')
  t.equal(tooMany.answer.status, 429)
  t.ok(Number(tooMany.answer.headers['Retry-After']) > 0)
  await api.pass(dayMs)
  t.equal((await invite(api, 'one-more@example.com')).answer.status, 201)
  for (let count = invitationLimits.invitationsPerDay + 1; count < invitationLimits.openInvitations; count++)
    await api.put(invitationsTable, openRow(api, 2 * dayMs, `${count}@example.com`))
  t.equal((await api.call('GET', invitations)).body.total, invitationLimits.openInvitations)
  t.match((await invite(api, 'another@example.com')).answer.body, { error: { code: 'conflict' } })
  t.equal((await invite(api, '1@example.com')).answer.status, 201, 'one that takes the place of another is fine')
  const { token } = await invite(api, '2@example.com')
  for (let count = 0; count < limits.members; count++) {
    const member: Member = {
      organization_id: api.operator.organizationId,
      user_id: api.newId('usr'),
      version: 1,
      email: `m${count}@example.com`,
      name: 'M',
      role: 'viewer',
      joined_at: new Date(api.now()).toISOString(),
    }
    await api.put(membersTable, member)
  }
  t.equal((await api.call('POST', acceptPath, { token })).body.error.code, 'conflict')
  t.equal((await invite(api, '3@example.com')).answer.status, 409)
})

test('members - lists are paged', async (t) => {
  const api = await createTestApi()
  const { members } = teamPaths(api.operator.organizationId)
  for (const name of ['a', 'b', 'c']) await join(api, `${name}@example.com`, 'viewer')
  const page = await api.call('GET', `${members}?page=2&per_page=2`)
  t.match(page.body, { total: 3, page: 2, per_page: 2, data: [{ name: 'c' }] })
  t.same((await api.call('GET', `${members}?page=9`)).body.data, [])
})
