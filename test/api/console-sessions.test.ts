// Signing in to the console: what a session is good for, when it counts, and when it is over.

import { createHash } from 'node:crypto'
import { test } from 'tap'
import { type ConsoleSession, consoleSessionsTable } from '../../src/records/console-session.js'
import { mailsTable } from '../../src/records/mail.js'
import type { Member } from '../../src/records/member.js'
import { passkeysTable } from '../../src/records/passkey.js'
import {
  as,
  cookieIn,
  type Headers,
  mePath as me,
  ofPage,
  sessionPath as path,
  present,
  signInWith,
} from './console.js'
import { createTestApi, type TestApi } from './fixture.js'
import { addMember } from './member.js'

const hourMs = 3_600_000

const post = (api: TestApi, api_key: string, headers: Headers = ofPage) => present(api, { api_key }, headers)
const signIn = (api: TestApi, key = api.operator.key): Promise<string> => signInWith(api, { api_key: key })

test('console session - an API key is exchanged for a cookie that no script reads, and that acts as the key', async (t) => {
  const api = await createTestApi()
  const answer = await post(api, api.operator.key)
  t.equal(answer.status, 201)
  t.match(
    answer.headers['Set-Cookie'],
    /^__Host-ampshard=[0-9A-Z]{26}_[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  )
  t.notMatch(JSON.stringify(answer.body), api.operator.key)
  const { body } = await as(api, cookieIn(answer))
  t.match(body, {
    name: /^api_key:key_/,
    member: null,
    key: { name: 'Bootstrap key' },
    session: { method: 'api_key' },
    organization: { id: api.operator.organizationId, timezone: 'UTC', currency: 'EUR', operates_installation: true },
  })
  t.ok(body.scopes.includes('write:api_keys'))
  t.same((await api.call('GET', me)).body.session, null, 'a key itself has none')
  await as(api, cookieIn(answer), 'POST', '/api/v1/id-tags', { id_tag: 'TAG-1' })
  const log = (await api.call('GET', '/api/v1/org/audit-log')).body.data
  t.match(log[0], { action: 'createIdTag', key_id: body.key.id })
  t.match(log[1], { action: 'signIn', key_id: body.key.id, resources: { console_session_id: body.session.id } })
})

test('console session - the store has only the hash of the cookie', async (t) => {
  const api = await createTestApi()
  const cookie = (await signIn(api)).split('=')[1] ?? ''
  const stored = JSON.stringify(api.store.view().list(consoleSessionsTable, []))
  t.notMatch(stored, cookie)
  t.notMatch(stored, cookie.slice(cookie.indexOf('_') + 1))
  t.notMatch(stored, api.operator.key)
})

test('console session - it counts for requests of the page itself alone', async (t) => {
  const api = await createTestApi()
  const cookie = await signIn(api)
  const host = { host: 'console.example.com' }
  const page = { 'x-ampshard': 'console' }
  const reading: readonly (readonly [Headers, number])[] = [
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 401],
    [{ 'sec-fetch-site': 'cross-site' }, 401],
    [{ 'sec-fetch-site': 'none' }, 401],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://console.example.com', ...host }, 401],
    [{ origin: 'https://console.example.com', ...host }, 200],
    [{ origin: 'https://console.example.com:8443', ...host }, 401],
    [{ origin: 'https://evil.example.com', ...host }, 401],
    [{ origin: 'null', ...host }, 401],
    [host, 401],
    [{ ...host, ...page }, 401],
  ]
  for (const [headers, status] of reading)
    t.equal((await as(api, cookie, 'GET', me, undefined, headers)).status, status, JSON.stringify(headers))
  const tag = { id_tag: 'TAG-2' }
  const write = async (headers: Headers) => (await as(api, cookie, 'POST', '/api/v1/id-tags', tag, headers)).status
  t.equal(await write({ 'sec-fetch-site': 'same-origin' }), 401, 'a form sends no header of its own')
  t.equal(await write({ 'sec-fetch-site': 'cross-site', ...page }), 401)
  t.equal(await write({ 'sec-fetch-site': 'same-origin', 'x-ampshard': 'other' }), 401)
  t.equal(await write(ofPage), 201)
  t.equal((await post(api, api.operator.key, { 'sec-fetch-site': 'cross-site', ...page })).status, 403)
  t.equal((await post(api, api.operator.key, {})).status, 403, 'and nobody is signed in by another page')
})

test('console session - a cookie that is not exactly that of a session is none, and a key in a header goes before it', async (t) => {
  const api = await createTestApi()
  const cookie = await signIn(api)
  const [name, value = ''] = cookie.split('=')
  const last = value.at(-1) === 'A' ? 'B' : 'A'
  const wrong = [
    `${name}=${value.slice(0, -1)}${last}`,
    `${name}=${'0'.repeat(26)}${value.slice(value.indexOf('_'))}`,
    `${name}=`,
    `${name}=${value}; ${name}=${value}`,
    `${name}=${value}=`,
    `ampshard=${value}`,
    `x=${name}=${value}`,
  ]
  for (const text of wrong) t.equal((await as(api, text)).status, 401, text)
  t.equal((await as(api, `theme=dark; ${cookie}; lang=en`)).status, 200)
  const bearer = (authorization: string) => as(api, cookie, 'GET', me, undefined, { ...ofPage, authorization })
  t.equal((await bearer('Bearer ak_nobody')).status, 401)
  t.equal((await bearer(`Bearer ${value}`)).status, 401)
  t.equal((await bearer(`Bearer ${api.operator.key}`)).body.session, null)
  for (const text of [`cookie\n${value}`, `cookie ${value}`])
    t.equal((await api.call('GET', me, undefined, { headers: { 'x-api-key': text } })).status, 401)
})

test('console session - it ends idle, after a week, with its key, and with another role', async (t) => {
  const api = await createTestApi()
  const idle = await signIn(api)
  await api.pass(11 * hourMs)
  t.equal((await as(api, idle)).status, 200)
  await api.pass(11 * hourMs)
  t.equal((await as(api, idle)).status, 200, 'a request has kept it alive')
  await api.pass(13 * hourMs)
  t.equal((await as(api, idle)).status, 401)

  const kept = await signIn(api)
  for (let hours = 0; hours < 167; hours += 10) {
    t.equal((await as(api, kept)).status, 200, `after ${hours} hours`)
    await api.pass(10 * hourMs)
  }
  t.equal((await as(api, kept)).status, 401, 'after a week')

  const member = await addMember(api, 'admin')
  await addMember(api, 'admin')
  const body = { name: 'Own', scopes: ['write:organisations', 'read:sessions'], user_id: member.user_id }
  const made = (await api.call('POST', '/api/v1/org/api-keys', body)).body
  const rotated = await signIn(api, made.key)
  t.match((await as(api, rotated)).body, { member: { user_id: member.user_id, role: 'admin' } })
  const keyPath = `/api/v1/org/api-keys/${made.id}`
  const { key } = (await api.call('POST', `${keyPath}/rotate`, { overlap_seconds: 60 })).body
  t.equal((await as(api, rotated)).status, 200, 'as long as the former text of the key is good')
  await api.pass(61_000)
  t.equal((await as(api, rotated)).status, 401)

  const changed = await signIn(api, key)
  const rolePath = `/api/v1/organizations/${api.operator.organizationId}/members/${member.user_id}/role`
  await api.call('PUT', rolePath, { role: 'viewer' })
  t.equal((await as(api, changed)).status, 401)
  await api.call('PUT', rolePath, { role: 'admin' })
  t.equal((await as(api, changed)).status, 401, 'and does not come back with the role')

  const revoked = await signIn(api, key)
  await api.call('DELETE', keyPath)
  t.equal((await as(api, revoked)).status, 401)
})

test('console session - signing out ends it at once, and signing in again ends the one that the browser had', async (t) => {
  const api = await createTestApi()
  const cookie = await signIn(api)
  const out = await as(api, cookie, 'DELETE', path)
  t.equal(out.status, 204)
  t.match(out.headers['Set-Cookie'], /^__Host-ampshard=; Max-Age=0; Path=\/; Secure; HttpOnly; SameSite=Strict$/)
  t.equal((await as(api, cookie)).status, 401)
  t.equal((await api.call('DELETE', path)).status, 404, 'a key has none')

  const first = await signIn(api)
  const planted = `__Host-ampshard=${'7'.repeat(26)}_${'x'.repeat(43)}`
  const second = cookieIn(await post(api, api.operator.key, { ...ofPage, cookie: first }))
  t.not(first, second)
  t.equal((await as(api, first)).status, 401, 'whoever had set the first cookie has nothing')
  t.equal((await as(api, second)).status, 200)
  t.not(cookieIn(await post(api, api.operator.key, { ...ofPage, cookie: planted })), planted)
})

test('console session - what a page asks for another session than that of the cookie is refused', async (t) => {
  const api = await createTestApi()
  const first = await signIn(api)
  const { session } = (await as(api, first)).body
  const statusOf = async (cookie: string) =>
    (await as(api, cookie, 'GET', me, undefined, { ...ofPage, 'x-ampshard-session': session.id })).status
  t.equal(await statusOf(first), 200)
  const second = await signIn(api)
  t.equal(await statusOf(second), 401)
})

test('console session - an unknown, a wrong and an expired key get one answer, five a minute and account', async (t) => {
  const api = await createTestApi()
  const { body } = await api.call('POST', '/api/v1/org/api-keys', {
    name: 'Short',
    scopes: ['read:sessions'],
    expires_at: new Date(api.now() + 1_000).toISOString(),
  })
  await api.pass(2_000)
  const wrong = `${api.operator.key.slice(0, -1)}${api.operator.key.endsWith('A') ? 'B' : 'A'}`
  const answers = []
  for (const key of [wrong, `ak_${'0'.repeat(26)}_${'x'.repeat(43)}`, 'x', body.key]) answers.push(await post(api, key))
  for (const { status, body } of answers)
    t.match(
      { status, body },
      { status: 401, body: { error: { code: 'invalid_credentials', message: answers[0]?.body.error.message } } },
    )
  for (let attempt = 0; attempt < 4; attempt++) t.equal((await post(api, wrong)).status, 401)
  const refused = await post(api, wrong)
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited' } } })
  t.ok(Number(refused.headers['Retry-After']) > 0)
  await api.pass(60_000)
  for (let attempt = 0; attempt < 30; attempt++) await signIn(api)
  t.pass('what succeeds does not count')
  for (let attempt = 0; attempt < 20; attempt++) t.equal((await post(api, `unknown-${attempt}`)).status, 401)
  t.equal((await post(api, api.operator.key)).status, 429, 'twenty an address')
})

test('console session - it has a rate of its own, and takes nothing of the quota of its key', async (t) => {
  const api = await createTestApi({ enterpriseQuotaPerHour: 5 })
  await api.beginHour()
  const cookie = await signIn(api)
  let answered = 0
  while (answered < 1_000 && (await as(api, cookie)).status === 200) answered++
  t.ok(answered >= 100 && answered < 1_000, `${answered} requests at once`)
  const { status, headers } = await api.call('GET', me)
  t.equal(status, 200)
  t.equal(headers['X-RateLimit-Remaining'], '4')
  await api.pass(1_000)
  t.equal((await as(api, cookie)).status, 200)
})

test('console session - all of a key share one rate, and a member has another one', async (t) => {
  const api = await createTestApi()
  const [first, second] = [await signIn(api), await signIn(api)]
  const asked = [first, second].flatMap((cookie) => Array.from({ length: 100 }, () => as(api, cookie)))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  t.ok(statuses.includes(429), 'two hundred at once are more than one session has')
  await addMember(api, 'viewer')
  const { body } = await api.call(
    'POST',
    '/api/v1/console/codes',
    { email: 'someone@example.com' },
    { headers: ofPage },
  )
  const content = api.store.view().list(mailsTable, []).at(-1)?.content
  const code = content?.type === 'console-sign-in-code' ? content.code : ''
  t.equal((await as(api, await signInWith(api, { code_id: body.code_id, code }))).status, 200)
})

test('console session - a clock that was ahead makes nothing last longer once it is right again', async (t) => {
  const month = 30 * 86_400_000
  const api = await createTestApi()
  api.setClock(month)
  const ahead = await signIn(api)
  api.setClock(-month)
  t.equal((await as(api, ahead)).status, 401, 'what was made in the future is over')
  const cookie = await signIn(api)
  const make = () => as(api, cookie, 'POST', '/api/v1/org/api-keys', { name: 'New', scopes: ['read:sessions'] })
  t.equal((await make()).status, 201)
  await api.pass(301_000)
  t.equal((await make()).status, 403)
  await api.pass(8 * 86_400_000)
  t.equal((await as(api, cookie)).status, 401)
})

test('console session - the list has one’s own, and for whoever may change the organization all of them', async (t) => {
  const api = await createTestApi()
  const list = '/api/v1/console/sessions'
  const reader = await api.addKey(api.operator.organizationId, ['read:sessions'])
  const another = await api.addOrganization()
  const [own, readers, others] = [await signIn(api), await signIn(api, reader), await signIn(api, another.key)]
  const of = async (cookie: string, query = '') => (await as(api, cookie, 'GET', `${list}${query}`)).body
  const mine = await of(own)
  t.match(mine, { total: 1, data: [{ is_own: true, status: 'open', method: 'api_key', remote_address: '127.0.0.1' }] })
  t.equal((await of(own, '?of=organization')).total, 2)
  t.equal((await as(api, readers, 'GET', `${list}?of=organization`)).status, 403)
  const end = async (cookie: string, id: string) => (await as(api, cookie, 'DELETE', `${list}/${id}`)).status
  const [theirs] = (await of(readers)).data
  t.equal(await end(readers, mine.data[0].id), 404, 'another’s is as absent')
  t.equal(await end(others, theirs.id), 404)
  t.equal(await end(own, theirs.id), 204)
  t.equal((await as(api, readers)).status, 401)
  t.equal(await end(own, theirs.id), 404)
  t.equal((await of(own, '?of=organization')).total, 1)
})

test('console session - the twenty-first of a key ends the oldest', async (t) => {
  const api = await createTestApi()
  const cookies = []
  for (let count = 0; count < 21; count++) cookies.push(await signIn(api))
  const statuses = []
  for (const cookie of cookies) statuses.push((await as(api, cookie)).status)
  t.same(statuses, [401, ...Array.from({ length: 20 }, () => 200)])
})

test('console session - a key that signs in again and again is told to wait', async (t) => {
  const api = await createTestApi()
  const enter = () => api.call('POST', '/api/v1/console/session', { api_key: api.operator.key }, { headers: ofPage })
  const statuses = []
  for (let count = 0; count < 101; count++) statuses.push((await enter()).status)
  t.same(statuses, [...Array.from({ length: 100 }, () => 201), 429])
  await api.pass(11_000)
  t.equal((await enter()).status, 201)
})

test('console session - what gives lasting access takes a sign-in of the last five minutes', async (t) => {
  const api = await createTestApi()
  const cookie = await signIn(api)
  const body = { name: 'New', scopes: ['read:sessions'] }
  const make = (text: string) => as(api, text, 'POST', '/api/v1/org/api-keys', body)
  const made = await make(cookie)
  t.equal(made.status, 201)
  const change = (expires_at: string | null) =>
    as(api, cookie, 'PATCH', `/api/v1/org/api-keys/${made.body.id}`, { expires_at })
  const inDays = (days: number) => new Date(api.now() + days * 86_400_000).toISOString()
  t.equal((await change(inDays(9))).status, 200)
  await api.pass(301_000)
  t.equal((await change(inDays(2))).status, 200, 'less is no access')
  for (const end of [inDays(3), null])
    t.match(await change(end), { status: 403, body: { error: { code: 'sign_in_again' } } })
  t.match(await make(cookie), { status: 403, body: { error: { code: 'sign_in_again' } } })
  const members = `/api/v1/organizations/${api.operator.organizationId}`
  const { user_id } = await addMember(api, 'viewer')
  await api.register('CP-1')
  const asked = [
    as(api, cookie, 'POST', `/api/v1/org/api-keys/${made.body.id}/rotate`),
    as(api, cookie, 'POST', `${members}/api-keys`),
    as(api, cookie, 'PUT', `${members}/members/${user_id}/role`, { role: 'admin' }),
    as(api, cookie, 'POST', `${members}/invitations`, { email: 'ben@example.com', role: 'admin' }),
    as(api, cookie, 'POST', '/api/v1/console/passkeys/options', undefined, { ...ofPage, origin: 'https://a.example' }),
    as(api, cookie, 'POST', '/api/v1/organizations', { name: 'Another', country: 'DE' }),
    as(api, cookie, 'POST', '/api/v1/ocpi/partners', { name: 'Partner' }),
    as(api, cookie, 'POST', '/api/v1/ocpi/partners/ptn_1/token'),
    as(api, cookie, 'POST', '/api/v1/chargepoints/CP-1/authorization-key', {}),
    as(api, cookie, 'DELETE', '/api/v1/chargepoints/CP-1/authorization-key'),
    as(api, cookie, 'PATCH', '/api/v1/chargepoints/CP-1', { sign_without_password: true }),
    as(api, cookie, 'PATCH', '/api/v1/chargepoints/CP-1', { certificate_required: false }),
    as(api, cookie, 'POST', '/api/v1/chargepoints/CP-1/certificates/generate', {}),
    as(api, cookie, 'POST', '/api/v1/ocpp16/send_command', {
      charge_point_id: 'CP-1',
      command: 'ChangeConfiguration',
      payload: { key: 'AuthorizationKey', value: '00112233'.repeat(5) },
    }),
    as(api, cookie, 'POST', '/api/v1/webhooks/endpoints', { url: 'https://a.example', events: ['*'] }),
    as(api, cookie, 'POST', '/api/v1/webhooks/endpoints/whe_1/rotate-secret', {}),
  ]
  for (const { status, body } of await Promise.all(asked))
    t.match({ status, body }, { status: 403, body: { error: { code: 'sign_in_again' } } })
  t.equal((await as(api, cookie)).status, 200, 'all else goes on')
  t.equal((await api.call('POST', '/api/v1/org/api-keys', body)).status, 201, 'a key is shown each time')
  t.equal((await make(cookieIn(await post(api, api.operator.key, { ...ofPage, cookie })))).status, 201)
})

test('console session - a passkey belongs to its member alone', async (t) => {
  const api = await createTestApi()
  const another = await api.addOrganization()
  const [anna, ben, eve] = await Promise.all([
    addMember(api, 'admin'),
    addMember(api, 'admin'),
    addMember(api, 'admin', another.organizationId),
  ])
  const passkey_id = 'pky_00000000000000000000000001'
  const session = async ({ user_id, organization_id, version }: Member, by: object = { method: 'code' }) => {
    const ulid = api.newId('cse').slice('cse_'.length)
    const text = `${ulid}_${'x'.repeat(43)}`
    const row = {
      console_session_id: `cse_${ulid}`,
      organization_id,
      version: 1,
      secret_sha256: createHash('sha256').update(text).digest('hex'),
      member: { user_id, version },
      made_at: api.now(),
      seen_at: new Date(api.now()).toISOString(),
      remote_address: '127.0.0.1',
      ...by,
    }
    await api.put(consoleSessionsTable, row as ConsoleSession)
    return `__Host-ampshard=${text}`
  }
  const { organization_id, user_id } = anna
  const of = { organization_id, user_id, version: 1, credential_id: 'AA', public_key: 'AA', counter: 0 }
  await api.put(passkeysTable, {
    ...of,
    passkey_id,
    name: 'Laptop',
    rp_id: 'localhost',
    transports: [],
    is_synced: false,
  })
  const byPasskey = { method: 'passkey', passkey_id }
  const [annas, bens, eves] = [await session(anna, byPasskey), await session(ben), await session(eve)]
  const list = async (cookie: string) => (await as(api, cookie, 'GET', '/api/v1/console/passkeys')).body.total
  t.same([await list(annas), await list(bens), await list(eves)], [1, 0, 0])
  const remove = async (cookie: string) =>
    (await as(api, cookie, 'DELETE', `/api/v1/console/passkeys/${passkey_id}`)).status
  t.same([await remove(bens), await remove(eves), await remove(await signIn(api))], [404, 404, 404])
  const elsewhere = await addMember(api, 'admin', another.organizationId)
  const annasElsewhere = await session(elsewhere, byPasskey)
  t.equal((await as(api, annasElsewhere)).status, 200)
  t.equal(await remove(annas), 204)
  for (const cookie of [annas, annasElsewhere])
    t.equal((await as(api, cookie)).status, 401, 'the sessions that it opened have ended')
  t.equal((await as(api, bens)).status, 200)
})

test('console session - over plain http there is none, unless somebody wants it so in a laboratory', async (t) => {
  const [strict, lax] = [await createTestApi(), await createTestApi({ consoleInsecure: true })]
  const overHttp = { host: 'lab:8080', origin: 'http://lab:8080', 'x-ampshard': 'console' }
  t.match((await post(strict, strict.operator.key, overHttp)).headers['Set-Cookie'], /^__Host-ampshard=.*Secure/)
  const cookie = cookieIn(await post(lax, lax.operator.key, overHttp))
  t.match(cookie, /^ampshard=/)
  const reading: Headers = { host: 'lab:8080' }
  t.equal(
    (await as(lax, cookie, 'GET', me, undefined, reading)).status,
    200,
    'browsers say nothing of themselves there',
  )
  const write = async (headers: Headers) =>
    (await as(lax, cookie, 'POST', '/api/v1/id-tags', { id_tag: 'TAG-1' }, headers)).status
  t.equal(await write(reading), 401)
  t.equal(await write({ ...overHttp, origin: 'http://evil' }), 401)
  t.equal(await write(overHttp), 201)
  t.equal((await as(lax, cookie.replace('ampshard', '__Host-ampshard'))).status, 401, 'the one is not the other')
  const ways = (api: TestApi) => api.call('GET', '/api/v1/console/ways-in', undefined, { headers: reading })
  t.match(
    [(await ways(lax)).status, (await ways(strict)).status],
    [200, 403],
    'the page learns which ways in there are',
  )
  const secure = await signIn(lax)
  t.match(secure, /^__Host-ampshard=/, 'where nobody reads along, it is as ever')
  t.equal((await as(lax, secure.replace('__Host-', ''))).status, 401)
  t.match((await as(lax, cookie, 'DELETE', path, undefined, overHttp)).headers['Set-Cookie'], /^ampshard=; Max-Age=0/)
})
