// Coming in by mail: with an invitation, and later with a code.

import { test } from 'tap'
import { challengesTable } from '../../src/records/challenge.js'
import { mailsTable } from '../../src/records/mail.js'
import { signInCodesTable } from '../../src/records/sign-in-code.js'
import { as, cookieIn, ofPage, present, signInWith } from './console.js'
import { createTestApi, type TestApi } from './fixture.js'
import { addMember } from './member.js'
import { invite, teamPaths } from './team.js'

const email = 'someone@example.com'
const wrongOf = (code: string): string => (code === '000000' ? '000001' : '000000')

async function ask(api: TestApi, address = email) {
  const answer = await api.call('POST', '/api/v1/console/codes', { email: address }, { headers: ofPage })
  return { status: answer.status, code_id: answer.body.code_id as string }
}

const askFrom = (api: TestApi, remoteAddress: string) =>
  api.api.handle({
    method: 'POST',
    path: '/api/v1/console/codes',
    query: '',
    headers: { ...ofPage, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ email })),
    remoteAddress,
  })

/** That of the newest mail, for whomever it is. */
function mailed(api: TestApi): string {
  const content = api.store.view().list(mailsTable, []).at(-1)?.content
  return content?.type === 'console-sign-in-code' ? content.code : ''
}

test('sign-in code - a member is mailed six digits, which are good once', async (t) => {
  const api = await createTestApi()
  const member = await addMember(api, 'viewer')
  const { status, code_id } = await ask(api, 'SomeOne@Example.com')
  t.equal(status, 201)
  const [mail] = api.store.view().list(mailsTable, [])
  t.match(mail, { to: email, type: 'console-sign-in-code' })
  const code = mailed(api)
  t.match(code, /^\d{6}$/)
  const answer = await present(api, { code_id, code: `${code.slice(0, 3)} ${code.slice(3)}` })
  t.match(answer, { status: 201, body: { name: `user:${member.user_id}`, key: null, session: { method: 'code' } } })
  const cookie = cookieIn(answer)
  t.same((await as(api, cookie)).body.scopes, [
    'read:charge_points',
    'read:sessions',
    'read:billing',
    'read:webhooks',
    'read:analytics',
    'read:organisations',
    'read:ocpi',
  ])
  const refused = await as(api, cookie, 'POST', '/api/v1/id-tags', { id_tag: 'TAG-1' })
  t.match(refused.body, { error: 'forbidden', message: 'your session lacks the scope write:charge_points' })
  t.equal((await present(api, { code_id, code })).status, 401, 'once')
})

test('sign-in code - what a member does stands in the records under their name', async (t) => {
  const api = await createTestApi()
  const { user_id } = await addMember(api, 'admin')
  const { code_id } = await ask(api)
  const cookie = await signInWith(api, { code_id, code: mailed(api) })
  await api.register('CP-1')
  api.connect('CP-1', () => ({ status: 'Accepted' }))
  const command = (await as(api, cookie, 'POST', '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' })).body
  t.equal(command.executed_by, `user:${user_id}`)
  const log = (await api.call('GET', `/api/v1/org/audit-log?user_id=${user_id}`)).body.data
  t.match(log, [
    { action: 'executeCommand', user_id, key_id: null, key_name: null },
    { action: 'signIn', user_id, key_id: null },
  ])
  const repeat = { ...ofPage, 'idempotency-key': 'one' }
  const twice = [1, 2].map(() => as(api, cookie, 'POST', '/api/v1/id-tags', { id_tag: 'TAG-1' }, repeat))
  t.same(
    (await Promise.all(twice)).map(({ status }) => status),
    [201, 201],
    'idempotency keys are theirs, too',
  )
})

test('sign-in code - five wrong ones end it, also when they come at once', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'admin')
  const { code_id } = await ask(api)
  const code = mailed(api)
  const wrong = wrongOf(code)
  const storm = Array.from({ length: 40 }, (_, at) =>
    api.api.handle({
      method: 'POST',
      path: '/api/v1/console/session',
      query: '',
      headers: { ...ofPage, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ code_id, code: wrong })),
      // Each from another address: only the code's own tries are in the way.
      remoteAddress: `198.51.100.${at}`,
    }),
  )
  t.ok((await Promise.all(storm)).every(({ status }) => status === 401 || status === 503))
  t.equal(api.store.view().list(signInCodesTable, [])[0]?.tries, 5)
  t.equal((await present(api, { code_id, code })).status, 401, 'the right one comes too late')
})

test('sign-in code - of two right ones at once, one signs in', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'admin')
  const { code_id } = await ask(api)
  const code = mailed(api)
  const answers = await Promise.all([1, 2, 3].map(() => present(api, { code_id, code })))
  t.same(answers.map(({ status }) => status).sort(), [201, 401, 401])
})

test('sign-in code - it is over after ten minutes, and is nothing without what the browser was answered', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'admin')
  const [first, firstCode] = [await ask(api), mailed(api)]
  const [second, secondCode] = [await ask(api), mailed(api)]
  if (firstCode !== secondCode) t.equal((await present(api, { code_id: second.code_id, code: firstCode })).status, 401)
  const [ulid] = second.code_id.split('_')
  t.equal((await present(api, { code_id: `${ulid}_${'x'.repeat(43)}`, code: secondCode })).status, 401)
  t.equal((await present(api, { code_id: second.code_id })).status, 400)
  t.equal((await present(api, { code: secondCode })).status, 400)
  t.equal((await present(api, { code_id: second.code_id, code: secondCode, api_key: 'x' })).status, 400)
  await api.pass(599_000)
  t.equal((await present(api, { code_id: second.code_id, code: secondCode })).status, 201)
  await api.pass(2_000)
  t.equal((await present(api, { code_id: first.code_id, code: firstCode })).status, 401)
  const stored = JSON.stringify(api.store.view().list(signInCodesTable, []))
  t.notMatch(stored, first.code_id)
})

test('sign-in code - it is over after ten minutes, also where the clock had been ahead', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'admin')
  api.setClock(30 * 86_400_000)
  await ask(api)
  api.setClock(-30 * 86_400_000)
  const { code_id } = await ask(api)
  const code = mailed(api)
  await api.pass(601_000)
  t.equal((await present(api, { code_id, code })).status, 401)
  const { code_id: another } = await ask(api)
  t.equal((await present(api, { code_id: another, code: mailed(api) })).status, 201)
})

test('sign-in code - nobody learns whether an address belongs to a member', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'admin')
  const [known, unknown] = [await ask(api), await ask(api, 'nobody@example.com')]
  t.same([known.status, unknown.status, known.code_id.length], [201, 201, unknown.code_id.length])
  const mails = api.store.view().list(mailsTable, [])
  t.same(
    mails.map(({ is_for_nobody }) => is_for_nobody),
    [undefined, true],
    'the same is stored, and one mail is sent',
  )
  const code = mailed(api)
  const right = await present(api, { code_id: unknown.code_id, code })
  const wrong = await present(api, { code_id: known.code_id, code: wrongOf(code) })
  t.same([right.status, right.body.error.message], [wrong.status, wrong.body.error.message])
  for (let mail = 0; mail < 9; mail++) await ask(api)
  t.equal(
    api.store
      .view()
      .list(mailsTable, [])
      .filter(({ to }) => to === email).length,
    5,
    'five mails at once',
  )
  for (let mail = 0; mail < 9; mail++) await ask(api, `${mail}@example.com`)
  t.equal((await ask(api)).status, 429)
})

test('sign-in code - a member who is removed is signed out, and a code of theirs is worth nothing', async (t) => {
  const api = await createTestApi()
  const { user_id } = await addMember(api, 'viewer')
  const [first, firstCode] = [await ask(api), mailed(api)]
  const [second, secondCode] = [await ask(api), mailed(api)]
  const cookie = await signInWith(api, { code_id: first.code_id, code: firstCode })
  await api.call('DELETE', `${teamPaths(api.operator.organizationId).members}/${user_id}`)
  t.equal((await as(api, cookie)).status, 401)
  t.equal((await present(api, { code_id: second.code_id, code: secondCode })).status, 401)
})

test('sign-in by invitation - whoever has the token from the mail becomes a member, and is signed in', async (t) => {
  const api = await createTestApi()
  const { token } = await invite(api, 'anna@example.com', 'member')
  const answer = await present(api, { invitation: token, name: 'Anna' })
  t.match(answer, {
    status: 201,
    body: {
      key: null,
      member: { name: 'Anna', email: 'anna@example.com', role: 'member' },
      session: { method: 'invitation' },
    },
  })
  t.equal((await as(api, cookieIn(answer))).status, 200)
  const again = await present(api, { invitation: token })
  t.equal(again.status, 404)
  t.equal((await present(api, { invitation: 'x' })).body.error.message, again.body.error.message)
  const other = (await invite(api, 'ben@example.com', 'viewer')).token
  const both = await Promise.all([1, 2].map(() => present(api, { invitation: other })))
  t.same(both.map(({ status }) => status).sort(), [201, 404])
})

test('ways in - those that the installation has', async (t) => {
  const ways = async (api: TestApi) =>
    (await api.call('GET', '/api/v1/console/ways-in', undefined, { headers: ofPage })).body
  const [silent, mailing] = [await createTestApi(), await createTestApi({ sendsMail: true })]
  t.match(await ways(mailing), { name: 'Default', ways: ['api_key'] }, 'nobody is a member yet')
  for (const api of [silent, mailing]) await addMember(api, 'admin')
  t.match(await ways(silent), { ways: ['api_key'] })
  t.match(await ways(mailing), { ways: ['api_key', 'code'] })
})

/** A second organization of which somebody is a member with the same address. */
async function inTwo(api: TestApi) {
  const other = await api.addOrganization()
  const [own, theirs] = [await addMember(api, 'viewer'), await addMember(api, 'admin', other.organizationId)]
  const code = async () => ({ code_id: (await ask(api)).code_id, code: mailed(api) })
  return { own, theirs, code }
}

test('several organizations - a member of two chooses one, once and within five minutes', async (t) => {
  const api = await createTestApi()
  const { own, theirs, code } = await inTwo(api)
  const first = await code()
  t.match(
    api.store.view().list(mailsTable, []).at(-1)?.content,
    { organizationName: 'Default' },
    'which is not known yet',
  )
  const asked = await present(api, first)
  t.equal(asked.status, 200)
  t.equal(asked.headers['Set-Cookie'], undefined, 'nobody is signed in yet')
  t.match(asked.body.organizations, [
    { id: own.organization_id, name: 'Default', role: 'viewer' },
    { id: theirs.organization_id, name: 'Another', role: 'admin' },
  ])
  const { choice } = asked.body
  t.notMatch(JSON.stringify(api.store.view().list(challengesTable, [])), choice, 'the store has its hash')
  t.equal((await present(api, first)).status, 401, 'the code is used up')
  const choose = (organization_id: string | undefined, text = choice) => present(api, { choice: text, organization_id })
  t.match(await choose(undefined), { status: 400, body: { error: { details: [{ path: '/organization_id' }] } } })
  const absent = await api.addOrganization()
  t.equal((await choose(absent.organizationId)).status, 401, 'of which they are no member')
  t.equal((await choose(theirs.organization_id, 'x'.repeat(43))).status, 401)
  const both = await Promise.all([choose(theirs.organization_id), choose(own.organization_id)])
  t.same(both.map(({ status }) => status).sort(), [201, 401], 'of two at once, one signs in')
  const signedIn = both.find(({ status }) => status === 201)
  t.match(signedIn?.body, { session: { method: 'code' }, member: { email } })
  t.equal((await choose(theirs.organization_id)).status, 401, 'once')
  const late = (await present(api, await code())).body.choice
  await api.pass(301_000)
  t.equal((await choose(theirs.organization_id, late)).status, 401)
})

test('several organizations - who says at once which one is wanted is not asked', async (t) => {
  const api = await createTestApi()
  const { theirs, code } = await inTwo(api)
  const { organization_id } = theirs
  t.match(await present(api, { ...(await code()), organization_id }), {
    status: 201,
    body: { name: `user:${theirs.user_id}`, organization: { id: organization_id } },
  })
  const absent = await api.addOrganization()
  const second = await code()
  t.equal((await present(api, { ...second, organization_id: absent.organizationId })).status, 401)
  t.equal((await present(api, { ...second, organization_id })).status, 201, 'what was refused has used nothing up')
  t.match(await present(api, { api_key: api.operator.key, organization_id }), {
    status: 400,
    body: { error: { details: [{ path: '/organization_id' }] } },
  })
})

test('several organizations - a member who has left one meanwhile cannot choose it', async (t) => {
  const api = await createTestApi()
  const { own, code } = await inTwo(api)
  const { choice } = (await present(api, await code())).body
  await api.call('DELETE', `${teamPaths(own.organization_id).members}/${own.user_id}`)
  t.equal((await present(api, { choice, organization_id: own.organization_id })).status, 401)
})

test('sign-in code - who asks for codes for somebody else does not keep them from being mailed one', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'viewer')
  const mails = () => api.store.view().list(mailsTable, []).length
  for (let time = 0; time < 10; time++) await askFrom(api, '198.51.100.1')
  t.equal(mails(), 5)
  await askFrom(api, '203.0.113.7')
  t.equal(mails(), 6)
  for (let network = 0; network < 40; network++) await askFrom(api, `192.0.2.${network}`)
  t.equal(mails(), 15, 'an address is sent so many, whoever asks')
})

test('sign-in code - all who ask for codes for a member do not keep them out where they have signed in before', async (t) => {
  const api = await createTestApi()
  await addMember(api, 'viewer')
  const { code_id } = await ask(api)
  await signInWith(api, { code_id, code: mailed(api) })
  for (let network = 0; network < 40; network++) await askFrom(api, `192.0.2.${network}`)
  const mails = () => api.store.view().list(mailsTable, []).length
  const before = mails()
  await ask(api)
  t.equal(mails(), before + 1)
})
