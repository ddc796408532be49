import { hashSync } from '@node-rs/argon2'
import { test } from 'tap'
import { noteNetwork } from '../../src/api/areas/installer-accounts/familiar-networks.js'
import { limits } from '../../src/api/areas/installer-accounts/limits.js'
import { putRow } from '../../src/api/pipeline/changes.js'
import { createApi } from '../../src/api/pipeline/pipeline.js'
import { auditTable } from '../../src/records/audit-entry.js'
import {
  endedTokensTable,
  familiarNetworksTable,
  type Installer,
  installerPasswordsTable,
  installersTable,
  passwordResetsTable,
  pendingInstallersTable,
} from '../../src/records/installer.js'
import { mailsTable } from '../../src/records/mail.js'
import type { ReadView } from '../../src/runtime/store/store.js'
import type { Table } from '../../src/runtime/store/table.js'
import { createTestApi, routes, type TestApi } from './fixture.js'

const person = { first_name: 'Ines', last_name: 'Example', company: 'Example Installations' }
const email = 'Ines@example.com'
const password = 'Ladestation 2026'
const anybody = { key: undefined }
const installers = '/api/v1/installer'

const signUp = (service: TestApi, fields: object = {}) =>
  service.call('POST', `${installers}/signup`, { email, password, ...person, ...fields }, anybody)
const logIn = (service: TestApi, fields: object = {}) =>
  service.call('POST', `${installers}/login`, { email, password, ...fields }, anybody)
const post = (service: TestApi, path: string, body: object) =>
  service.call('POST', `${installers}/${path}`, body, anybody)
const mailsOf = (service: TestApi) => service.store.view().list(mailsTable, [])
const lastMail = (service: TestApi) =>
  mailsOf(service).at(-1) as { to: string; content: { type: string; token: string } }
const profile = (service: TestApi, token: string) =>
  service.call('GET', `${installers}/profile`, undefined, { key: token })

test('installer accounts - who has signed up logs in, for an hour', async (t) => {
  const service = await createTestApi()
  const { status, body } = await signUp(service)
  t.equal(status, 201)
  t.match(body, { installer_id: /^ins_[0-9A-Z]{26}$/, email, ...person, status: 'active', created_at: String })
  const { body: given } = await logIn(service, { email: 'INES@EXAMPLE.COM' })
  t.match(given, { token_type: 'Bearer', expires_in: 3_600, installer_id: body.installer_id })
  const own = await profile(service, given.access_token)
  t.match(own.body, { installer_id: body.installer_id, email, phone: null, identity_verified: false })
  const left = async () => Number((await profile(service, given.access_token)).headers['X-RateLimit-Remaining'])
  const quota = Number(own.headers['X-RateLimit-Limit'])
  t.same([await left(), await left()], [quota - 2, quota - 3], 'each request counts for the quota of the installer')
  await service.pass(3_500_000)
  t.equal((await profile(service, given.access_token)).status, 200)
  await service.pass(100_001)
  const late = await profile(service, given.access_token)
  t.match(late, { status: 401, body: { error: 'token_expired' } })
  t.equal(late.headers['WWW-Authenticate'], 'Bearer')
})

test('installer accounts - a body changes nothing of an account but what its schema names', async (t) => {
  const service = await createTestApi()
  const { installer_id } = (await signUp(service)).body
  const { access_token: key } = (await logIn(service)).body
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 'x']))
  const sent = { ...many, phone: '+31201234567', email: 'other@example.com', installer_id: 'ins_other', version: 7 }
  const before = service.store.view().get(installersTable, [installer_id])
  const { status, body } = await service.call('PUT', `${installers}/profile`, sent, { key })
  t.equal(status, 200)
  t.match(body, { installer_id, email, phone: '+31201234567' })
  const rows = service.store.view().list(installersTable, [])
  const { version: _, updated_at: __, ...after } = rows[0] as Installer
  const { version: ___, updated_at: ____, ...kept } = before as Installer
  t.strictSame([after, rows.length], [{ ...kept, phone: '+31201234567' }, 1])
})

test('installer accounts - a token is good where installers are, and a key where operators are', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const { access_token: token } = (await logIn(service)).body
  t.equal((await service.call('GET', '/api/v1/chargepoints', undefined, { key: token })).status, 401)
  t.match(await profile(service, service.operator.key), { status: 401, body: { error: 'unauthorized' } })
  t.match(await service.call('GET', `${installers}/profile`, undefined, anybody), { status: 401 })
  const [head, claims, signature] = token.split('.')
  const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const longer = encoded({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), exp: 9_999_999_999 })
  const forged = [
    `${head}.${longer}.${signature}`,
    `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.`,
    `${encoded({ alg: 'none' })}.${claims}.${signature}`,
    `${head}.${claims}.${signature.slice(0, -2)}`,
    `${token}.`,
    `${head}.${claims}`,
    'x',
  ]
  for (const text of forged) t.equal((await profile(service, text)).status, 401, text)
})

test('installer accounts - the account that a token is of decides whether it is good', async (t) => {
  const service = await createTestApi()
  const { installer_id } = (await signUp(service)).body
  const { access_token: token } = (await logIn(service)).body
  t.equal((await profile(service, token)).status, 200)
  await service.commit({ type: 'remove', table: installersTable.name, key: [installer_id] })
  t.match(await profile(service, token), { status: 401, body: { error: 'unauthorized' } })
})

test('installer accounts - a wrong password and an address without an account are answered alike', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const wrong = await logIn(service, { password: 'Ladestation 2027' })
  const unknown = await logIn(service, { email: 'nobody@example.com' })
  t.match(wrong, { status: 401, body: { error: { code: 'invalid_credentials' } } })
  const { request_id: _, ...said } = wrong.body.error
  const { request_id: __, ...saidOfNobody } = unknown.body.error
  t.same(said, saidOfNobody)
})

test('installer accounts - an address has one account, also when two sign up at once', async (t) => {
  const service = await createTestApi()
  const statuses = (await Promise.all([signUp(service), signUp(service, { email: email.toLowerCase() })])).map(
    ({ status }) => status,
  )
  t.same(statuses.sort(), [201, 409])
  t.match(await signUp(service), { status: 409, body: { error: { code: 'email_taken' } } })
  t.equal(service.store.view().total(installersTable, 'all', []), 1)
})

test('installer accounts - a password that is too weak is refused with what it lacks', async (t) => {
  const service = await createTestApi()
  const lacks = async (given: string) => {
    const { status, body } = await signUp(service, { password: given })
    t.match(body, { error: { code: 'weak_password' } })
    t.notMatch(JSON.stringify(body), given)
    return [status, ...body.error.details.map(({ message }: { message: string }) => message.replace('must have ', ''))]
  }
  t.same(await lacks('Kurz 1'), [422, 'at least 10 characters'])
  t.same(await lacks('ladestation 2026'), [422, 'an uppercase letter'])
  t.same(await lacks('LADESTATION 2026'), [422, 'a lowercase letter'])
  t.same(await lacks('Ladestationen'), [422, 'a digit'])
  t.equal((await signUp(service, { password: 'ÄÖÜäöü٣٤٥٦' })).status, 201, 'of any script')
  t.match(await signUp(service, { password: 'a'.repeat(201) }), { status: 400 })
  t.match(await signUp(service, { email: 'nobody' }), { status: 400, body: { error: { code: 'validation_error' } } })
})

test('installer accounts - a password is the same however its letters are composed', async (t) => {
  const service = await createTestApi()
  await signUp(service, { password: 'Ladesäule 2026' })
  t.equal((await logIn(service, { password: 'Ladesa\u0308ule 2026' })).status, 200)
})

test('installer accounts - a login renews a hash that was made with other parameters; no other password does', async (t) => {
  const service = await createTestApi()
  const { installer_id } = (await signUp(service)).body
  const key = [installer_id]
  const hashNow = () => service.store.view().get(installerPasswordsTable, key)?.hash ?? ''
  const first = hashNow()
  t.equal((await logIn(service)).status, 200)
  t.equal(hashNow(), first, 'one of today stays')
  const older = hashSync(password, { algorithm: 2, memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await service.services.commit([putRow(installerPasswordsTable, { installer_id, version: 7, hash: older })])
  t.equal((await logIn(service, { password: 'Another 2026' })).status, 401)
  t.equal(hashNow(), older)
  t.equal((await logIn(service)).status, 200)
  t.match(hashNow(), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.equal((await logIn(service)).status, 200, 'it is of the same password')
})

test('installer accounts - failed logins are limited for each account, and those of others go on', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  await signUp(service, { email: 'other@example.com' })
  for (let at = 0; at < 20; at++) t.equal((await logIn(service)).status, 200, 'what succeeds does not count')
  for (let at = 0; at < 10; at++) t.equal((await logIn(service, { password: 'Wrong 20 26' })).status, 401)
  const refused = await logIn(service)
  t.match(refused, { status: 429, body: { error: { code: 'rate_limited' } }, headers: { 'Retry-After': /^[1-6]\d$/ } })
  t.equal((await logIn(service, { email: 'other@example.com' })).status, 200)
  await service.pass(60_000)
  t.equal((await logIn(service)).status, 200)
})

test('installer accounts - terms are accepted, and the operator of the installation reads in its audit log by whom', async (t) => {
  const service = await createTestApi()
  const { installer_id } = (await signUp(service)).body
  const { access_token: key } = (await logIn(service)).body
  const accept = { terms_version: '2026-11' }
  const { status, body } = await service.call('POST', `${installers}/accept-terms`, accept, { key })
  t.equal(status, 200)
  t.match(body, { terms_version: '2026-11', accepted_at: String, message: String })
  t.equal((await profile(service, key)).body.terms_accepted_at, body.accepted_at)
  const log = await service.call('GET', '/api/v1/org/audit-log')
  t.match(log.body, { total: 1, data: [{ action: 'acceptInstallerTerms', installer_id, key_id: null, status: 200 }] })
})

const passport = {
  document_type: 'passport',
  document_number: 'NX-123 4567',
  document_expiry: '2035-12-31',
  selfie_url: 'https://files.example.com/selfie.jpg?signature=S1',
  document_front_url: 'https://files.example.com/front.jpg',
}

test('installer accounts - documents are submitted once the terms are accepted, and are in no log', async (t) => {
  const service = await createTestApi()
  const { installer_id } = (await signUp(service)).body
  const { access_token: key } = (await logIn(service)).body
  const submit = (body: object) => service.call('POST', `${installers}/verify-identity`, body, { key })
  const status = async () => (await service.call('GET', `${installers}/verification-status`, undefined, { key })).body
  t.match(await submit(passport), { status: 403, body: { error: { code: 'terms_required' } } })
  await service.call('POST', `${installers}/accept-terms`, { terms_version: '1' }, { key })
  t.match(await status(), { installer_id, identity_verified: false, verification_status: 'not_submitted' })
  const { status: code, body } = await submit(passport)
  t.match({ code, body }, { code: 202, body: { verification_status: 'under_review', submitted_at: String } })
  t.match(await status(), { verification_status: 'under_review', verification_submitted_at: body.submitted_at })
  t.equal((await submit({ ...passport, document_number: 'NX-2' })).status, 202, 'another replaces it')
  const log = JSON.stringify(service.store.view().list(auditTable, []))
  t.match(log, 'submitInstallerIdentity')
  t.notMatch(log, /NX-|files\.example/)
})

test('installer accounts - documents have the rules of their type', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const { access_token: key } = (await logIn(service)).body
  await service.call('POST', `${installers}/accept-terms`, { terms_version: '1' }, { key })
  const faults = async (fields: object) => {
    const { status, body } = await service.call(
      'POST',
      `${installers}/verify-identity`,
      { ...passport, ...fields },
      { key },
    )
    return status === 202 ? [] : body.error.details.map(({ path }: { path: string }) => path)
  }
  t.same(await faults({ document_type: 'national_id' }), ['/document_back_url'])
  t.same(await faults({ document_type: 'drivers_license' }), ['/document_back_url'])
  t.same(await faults({ document_type: 'visa' }), ['/document_type'])
  t.same(await faults({ document_expiry: '2020-01-01' }), ['/document_expiry'])
  t.same(await faults({ document_expiry: '2035-02-30' }), ['/document_expiry'])
  t.same(await faults({ document_expiry: 'soon' }), ['/document_expiry'])
  t.same(await faults({ selfie_url: 'http://files.example.com/selfie.jpg' }), ['/selfie_url'])
  t.same(await faults({ document_front_url: 'https://u:p@files.example.com/f.jpg' }), ['/document_front_url'])
  const today = new Date(service.now()).toISOString().slice(0, 10)
  t.same(await faults({ document_expiry: today }), [], 'it is valid until the end of its last day')
  const back = { document_type: 'national_id', document_back_url: 'https://files.example.com/back.jpg' }
  t.same(await faults(back), [])
})

test('installer accounts - who logs out is out with that token, and with no other', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const [first, second] = [(await logIn(service)).body.access_token, (await logIn(service)).body.access_token]
  t.equal((await service.call('POST', `${installers}/logout`, undefined, { key: first })).status, 204)
  t.match(await profile(service, first), { status: 401, body: { error: 'unauthorized' } })
  t.equal((await service.call('POST', `${installers}/logout`, undefined, { key: first })).status, 401)
  t.equal((await profile(service, second)).status, 200)
  t.equal(service.store.view().list(endedTokensTable, []).length, 1)
})

test('installer accounts - an account begins with the confirmation of its address, once and within a day', async (t) => {
  const service = await createTestApi()
  const { status, body } = await post(service, 'signup-with-confirmation', { email, password, ...person })
  t.match({ status, body }, { status: 201, body: { email, status: 'pending_verification', message: String } })
  t.same(Object.keys(body).sort(), ['email', 'installer_id', 'message', 'status'])
  t.match(await logIn(service), { status: 403, body: { error: { code: 'account_pending' } } })
  const wrong = await logIn(service, { password: 'Wrong 20 26' })
  t.match(wrong, { status: 401, body: { error: { code: 'invalid_credentials' } } })
  const { to, content } = lastMail(service)
  t.match({ to, content }, { to: email, content: { type: 'installer-confirmation' } })
  t.notMatch(JSON.stringify(content), /Ines|Example Inst/, 'nothing in the words of whoever signed up')
  const confirm = (token: string) => post(service, 'confirm', { token })
  t.match(await confirm('x'), { status: 404, body: { error: { code: 'not_found' } } })
  t.match(await confirm(content.token), { status: 200, body: { installer_id: body.installer_id, status: 'active' } })
  t.equal((await confirm(content.token)).status, 404, 'once')
  t.match((await logIn(service)).body, { installer_id: body.installer_id })
  await post(service, 'signup-with-confirmation', { email: 'late@example.com', password, ...person })
  const { token } = lastMail(service).content
  await service.pass(24 * 3_600_000)
  t.equal((await confirm(token)).status, 404, 'within a day')
})

test('installer accounts - of several that sign up with one address, that one has the account which is confirmed', async (t) => {
  const service = await createTestApi()
  const tokenOf = async (given: string) => {
    await post(service, 'signup-with-confirmation', { email, password: given, ...person })
    return lastMail(service).content.token
  }
  const [own, strangers] = [await tokenOf(password), await tokenOf('Stranger 2026')]
  t.equal((await post(service, 'confirm', { token: own })).status, 200)
  t.match(await post(service, 'confirm', { token: strangers }), {
    status: 409,
    body: { error: { code: 'email_taken' } },
  })
  const stranger = await logIn(service, { password: 'Stranger 2026' })
  t.match(
    stranger,
    { status: 403, body: { error: { code: 'account_pending' } } },
    'as for an address without an account',
  )
  t.equal((await logIn(service, { password: 'Nobody 2026' })).status, 401)
  t.equal((await logIn(service)).status, 200)
})

test('installer accounts - whoever signs up with an address and logs in does not learn that it has an account', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const answers = []
  for (const address of [email, 'nobody@example.com']) {
    const stranger = { email: address, password: 'Stranger 2026' }
    await post(service, 'signup-with-confirmation', { ...stranger, ...person })
    answers.push(await logIn(service, stranger))
  }
  const [known, unknown] = answers
  t.match(known, { status: 403, body: { error: { code: 'account_pending' } } })
  t.same(known?.body.error.message, unknown?.body.error.message)
  t.equal((await logIn(service)).status, 200, 'its owner logs in as before')
})

test('installer accounts - signing up with confirmation does not say that an address has an account; its mail does', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const known = await post(service, 'signup-with-confirmation', { email, password, ...person })
  t.match(lastMail(service), { to: email, content: { type: 'installer-address-taken' } })
  const unknown = await post(service, 'signup-with-confirmation', { email: 'new@example.com', password, ...person })
  const said = ({ status, body: { installer_id, email: _, ...body } }: typeof known) => ({ status, body })
  t.same(said(known), said(unknown))
})

test('installer accounts - a forgotten password is set anew once, and everything that was good before ends', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const { access_token: before } = (await logIn(service)).body
  const forget = (address: string) => post(service, 'forgot-password', { email: address })
  const known = await forget(email)
  const { token: first } = lastMail(service).content
  await forget(email)
  const { token: second } = lastMail(service).content
  const reset = (token: string, new_password = 'Ladestation 2027') =>
    post(service, 'reset-password', { token, new_password })
  t.match(await reset(second, 'weak'), { status: 422, body: { error: { details: [{ path: '/new_password' }] } } })
  t.equal((await reset(second)).status, 200, 'a password that is refused uses up no token')
  t.equal((await reset(second)).status, 404, 'once')
  t.equal((await reset(first)).status, 404, 'the other token has ended too')
  t.equal((await profile(service, before)).status, 401)
  t.equal((await logIn(service)).status, 401)
  t.equal((await logIn(service, { password: 'Ladestation 2027' })).status, 200)
  t.equal(lastMail(service).content.type, 'installer-password-changed')
  const mails = mailsOf(service).length
  const unknown = await forget('nobody@example.com')
  t.same({ status: unknown.status, body: unknown.body }, { status: known.status, body: known.body })
  const added = mailsOf(service).slice(mails)
  t.match(added, [{ to: 'nobody@example.com', is_for_nobody: true }], 'nobody else is sent a mail')
  t.ok(mailsOf(service).every(({ to, is_for_nobody }) => to !== email || is_for_nobody === undefined))
})

test('installer accounts - a token to reset a password is good for an hour', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  await post(service, 'forgot-password', { email })
  const { token } = lastMail(service).content
  await service.pass(3_600_000)
  t.equal((await post(service, 'reset-password', { token, new_password: password })).status, 404)
})

test('installer accounts - an address is sent a few mails, however often it is asked for', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  for (let at = 0; at < 5; at++) t.equal((await post(service, 'forgot-password', { email })).status, 200)
  t.equal(mailsOf(service).length, 3)
  const tagged = { email: email.replace('@', '+1@'), password, ...person }
  t.equal(
    (await post(service, 'signup-with-confirmation', tagged)).status,
    429,
    'what is behind a plus leads there too',
  )
  const again = await post(service, 'signup-with-confirmation', { email, password, ...person })
  t.match(again, { status: 429, body: { error: { code: 'rate_limited' } } })
  await service.pass(600_000)
  await post(service, 'forgot-password', { email })
  t.equal(mailsOf(service).length, 4)
})

test('installer accounts - strangers who try an account from everywhere do not keep its owner out', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const from = (remoteAddress: string, given: string) =>
    service.api.handle({
      method: 'POST',
      path: `${installers}/login`,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ email, password: given })),
      remoteAddress,
    })
  t.equal((await from('192.0.2.1', password)).status, 200)
  const statuses = new Set<number>()
  for (let at = 0; at < 60; at++) statuses.add((await from(`198.51.100.${at}`, 'Wrong 20 26')).status)
  t.same([...statuses].sort(), [401, 429])
  t.equal((await from('203.0.113.1', password)).status, 429, 'from where the account was never logged in to')
  t.equal((await from('192.0.2.1', password)).status, 200, 'from where it was')
})

test('installer accounts - the profile changes where it is told to, and a new name has to be verified anew', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const { access_token: key } = (await logIn(service)).body
  const put = (body: object) => service.call('PUT', `${installers}/profile`, body, { key })
  t.match(await put({ phone: '+31201234567' }), { status: 200, body: { ...person, phone: '+31201234567', email } })
  for (const phone of ['0201234567', '+0123456789', '+31 20 1234567', '+123456', 'x'])
    t.match(await put({ phone }), { status: 400, body: { error: { details: [{ path: '/phone' }] } } }, phone)
  await service.call('POST', `${installers}/accept-terms`, { terms_version: '1' }, { key })
  await service.call('POST', `${installers}/verify-identity`, passport, { key })
  const verification = async () =>
    (await service.call('GET', `${installers}/verification-status`, undefined, { key })).body.verification_status
  await put({ company: 'Another', first_name: 'Ines' })
  t.equal(await verification(), 'under_review')
  t.match((await put({ last_name: 'Married' })).body, {
    last_name: 'Married',
    phone: '+31201234567',
    company: 'Another',
  })
  t.equal(await verification(), 'not_submitted')
})

test('installer accounts - an installation says how installers sign up, or that they do not', async (t) => {
  const outcomes = async (installerSignup: 'open' | 'confirmed' | 'closed') => {
    const service = await createTestApi({ installerSignup })
    const confirmed = await post(service, 'signup-with-confirmation', { email: 'new@example.com', password, ...person })
    return [(await signUp(service)).status, confirmed.status]
  }
  t.same(await outcomes('open'), [201, 201])
  t.same(await outcomes('confirmed'), [403, 201])
  t.same(await outcomes('closed'), [403, 403])
})

test('installer accounts - for an address without an account, the same is done as for one with', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const jobs: { job: string; works: boolean }[] = []
  const commits: number[] = []
  const api = createApi(routes, {
    ...service.services,
    async runJob(job, input) {
      jobs.push({ job, works: (input as { password: string }).password === password })
      return service.services.runJob(job, input)
    },
    commit(changes, conditions) {
      commits.push(changes.length)
      return service.services.commit(changes, conditions)
    },
  })
  const send = (path: string, body: object) =>
    api.handle({
      method: 'POST',
      path: `${installers}/${path}`,
      query: '',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
      remoteAddress: '192.0.2.1',
    })
  async function done(path: string, body: object): Promise<unknown> {
    jobs.length = 0
    commits.length = 0
    await send(path, body)
    return { jobs: [...jobs], commits: [...commits] }
  }
  const nobody = 'nobody@example.com'
  const wrong = { password: 'Wrong 20 26' }
  t.same(await done('login', { email, ...wrong }), await done('login', { email: nobody, ...wrong }))
  const check = { job: 'check-password', works: false }
  t.same(jobs, [check, check], 'with the password of the account, and with that of who has signed up')
  t.same(await done('forgot-password', { email }), await done('forgot-password', { email: nobody }))
  t.equal(commits.length, 1)
  const who = { password, ...person }
  t.same(
    await done('signup-with-confirmation', { email, ...who }),
    await done('signup-with-confirmation', { email: nobody, ...who }),
  )
  t.equal(commits.length, 1)
})

test('installer accounts - what is forgotten after a while is: tokens, requests that nobody confirmed, and networks', async (t) => {
  const service = await createTestApi()
  await signUp(service)
  const { access_token: key } = (await logIn(service)).body
  await service.call('POST', `${installers}/logout`, undefined, { key })
  await post(service, 'forgot-password', { email })
  await post(service, 'signup-with-confirmation', { email: 'late@example.com', password, ...person })
  await service.settled()
  const counts = () =>
    [endedTokensTable, passwordResetsTable, pendingInstallersTable, familiarNetworksTable].map(
      (table) => service.store.view().list(table as Table<unknown>, []).length,
    )
  t.same(counts(), [1, 1, 1, 1])
  await service.pass(3_600_000 - 10_000)
  await service.store.prune(service.now())
  t.same(counts(), [1, 1, 1, 1])
  await service.pass(20_000)
  await service.store.prune(service.now())
  t.same(counts(), [0, 0, 1, 1], 'after an hour')
  await service.pass(24 * 3_600_000)
  await service.store.prune(service.now())
  t.same(counts(), [0, 0, 0, 1], 'after a day')
  await service.pass(30 * 24 * 3_600_000)
  await service.store.prune(service.now())
  t.same(counts(), [0, 0, 0, 0], 'after a month')
})

test('installer accounts - of the networks that an account was logged in from, the latest are known', (t) => {
  const account = { installer_id: 'ins_1' } as Installer
  const now = Date.parse('2026-11-20T10:00:00Z')
  const known = Array.from({ length: limits.familiarNetworks }, (_, at) => ({
    installer_id: 'ins_1',
    network: `192.0.2.${at}`,
    seen_at: new Date(now - (at + 2) * 24 * 3_600_000).toISOString(),
  }))
  const view = { list: () => known } as unknown as ReadView
  const keys = (network: string) => noteNetwork(view, account, network, now).map(({ type, key }) => [type, key[1]])
  const oldest = `192.0.2.${limits.familiarNetworks - 1}`
  t.same(keys('198.51.100.1'), [
    ['put', '198.51.100.1'],
    ['remove', oldest],
  ])
  t.same(keys(oldest), [['put', oldest]], 'one that is known is noted anew')
  const today = { list: () => [{ ...known[0], seen_at: new Date(now - 3_600_000).toISOString() }] }
  t.same(noteNetwork(today as unknown as ReadView, account, '192.0.2.0', now), [], 'once a day')
  t.end()
})

test('installer accounts - tokens from mails are tried a few times, and passwords wait for their turn or are refused', async (t) => {
  const service = await createTestApi()
  for (let at = 0; at < 60; at++) t.equal((await post(service, 'confirm', { token: `T${at}` })).status, 404)
  t.match(await post(service, 'confirm', { token: 'T' }), { status: 429, headers: { 'Retry-After': /^\d+$/ } })
  t.equal((await post(service, 'forgot-password', { email })).status, 429)
  const busy = createApi(routes, {
    ...service.services,
    runJob: () => Promise.resolve({ ok: false, message: 'too many jobs wait', isRefused: true }),
  })
  const refused = await busy.handle({
    method: 'POST',
    path: `${installers}/login`,
    query: '',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ email, password })),
    remoteAddress: '192.0.2.1',
  })
  t.match(refused, { status: 503, headers: { 'Retry-After': '2' } })
})
