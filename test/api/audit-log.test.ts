import fc from 'fast-check'
import { test } from 'tap'
import { Type } from 'typebox'
import { putRow } from '../../src/api/pipeline/changes.js'
import { limits } from '../../src/api/pipeline/limits.js'
import { redactBody } from '../../src/api/pipeline/redact-body.js'
import { secret } from '../../src/api/pipeline/schemas.js'
import { auditTable } from '../../src/records/audit-entry.js'
import { commandsTable } from '../../src/records/command.js'
import { tables } from '../../src/records/index.js'
import { openMemoryStore } from '../../src/runtime/store/memory-store.js'
import { unowned } from '../../src/runtime/store/store.js'
import { createTestApi, type TestApi } from './fixture.js'
import { addMember } from './member.js'

const path = '/api/v1/org/audit-log'
const log = async (service: TestApi, query = '', key = service.operator.key) =>
  (await service.call('GET', `${path}${query}`, undefined, { key })).body

test('audit log - says who changed what, when and from where', async (t) => {
  const service = await createTestApi()
  const member = await addMember(service, 'member')
  const wanted = { name: 'Depot', scopes: ['write:charge_points'], user_id: member.user_id }
  const made = (await service.call('POST', '/api/v1/org/api-keys', wanted)).body
  const asMember = { key: made.key, headers: { 'x-request-id': 'trace-42' } }
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' }, asMember)
  await service.call('PATCH', '/api/v1/id-tags/A', { status: 'Blocked', label: 'lost' }, asMember)
  const { data, total } = await log(service)
  t.equal(total, 3)
  t.equal((await log(service, `?from=${data[1].occurred_at}&to=${data[1].occurred_at}`)).data.length >= 1, true)
  t.match(data, [
    {
      id: /^aud_/,
      key_id: made.id,
      key_name: 'Depot',
      user_id: member.user_id,
      action: 'updateIdTag',
      method: 'PATCH',
      path: '/api/v1/id-tags/A',
      resources: { id_tag: 'A' },
      request_id: 'trace-42',
      remote_address: '127.0.0.1',
      status: 200,
      error: null,
      request_body: { status: 'Blocked', label: 'lost' },
    },
    { action: 'createIdTag', status: 201, request_body: { id_tag: 'A' } },
    { action: 'createApiKey', user_id: null, resources: { id: made.id }, request_body: wanted },
  ])
  t.notMatch(JSON.stringify(data), made.key.slice(-43))
})

test('audit log - entry and change are stored together, or neither', async (t) => {
  const service = await createTestApi()
  await log(service)
  await service.settled()
  service.store.failNext(1)
  t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' })).status, 503)
  t.equal((await log(service)).total, 0)
  t.equal((await service.call('GET', '/api/v1/id-tags/A')).status, 404)
})

test('audit log - requests that were refused, and reads, are not in it', async (t) => {
  const service = await createTestApi()
  const weak = await service.addKey(service.operator.organizationId, ['read:charge_points'])
  const send = (body: unknown, options?: { readonly key: string | undefined }) =>
    service.call('POST', '/api/v1/id-tags', body, options)
  const statuses = [
    await send({ id_tag: 'A' }, { key: undefined }),
    await send({ id_tag: 'A' }, { key: weak }),
    await send({ id_tag: '' }),
    await service.call('DELETE', '/api/v1/id-tags/NONE'),
    await service.call('GET', '/api/v1/id-tags'),
  ].map(({ status }) => status)
  t.same(statuses, [401, 403, 400, 404, 200])
  t.equal((await log(service)).total, 0)
  await send({ id_tag: 'A' })
  t.equal((await send({ id_tag: 'A' })).status, 409)
  t.equal((await log(service)).total, 1)
})

test('audit log - a repeat under an Idempotency-Key is no second change', async (t) => {
  const service = await createTestApi()
  const headers = { 'idempotency-key': 'one', authorization: `Bearer ${service.operator.key}` }
  for (let round = 0; round < 3; round++)
    t.equal((await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' }, { headers })).status, 201)
  t.equal((await log(service)).total, 1)
})

test('audit log - changes that ran again because they lost a race have one entry each', async (t) => {
  const service = await createTestApi()
  const own = `/api/v1/organizations/${service.operator.organizationId}`
  const names = ['A', 'B', 'C']
  const change = (name: string) =>
    service.call('PUT', own, { name, country: 'NL', contact_email: 'operations@example.com' })
  const answers = await Promise.all(names.map(change))
  const done = answers.filter(({ status }) => status === 200).length
  t.ok(done > 1)
  t.equal((await log(service)).total, done)
})

test('audit log - a command that was sent is in it, however it ended', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  const send = (command: string) =>
    service.call('POST', '/api/v1/cpo/commands/CP-1', { command, parameters: {}, timeout_seconds: 1 })
  t.equal((await send('hard_reset')).status, 422)
  service.connect('CP-1', (action) => (action === 'Reset' ? { status: 'Rejected' } : undefined))
  await service.settled()
  t.equal((await send('soft_reset')).status, 422)
  const late = service.call('POST', '/api/v1/ocpp16/trigger_message', {
    charge_point_id: 'CP-1',
    requested_message: 'Heartbeat',
  })
  await service.settled()
  await service.pass(11_000)
  t.equal((await late).status, 408)
  const { data } = await log(service)
  t.match(data, [
    { action: 'triggerMessage', status: 408, error: 'timeout' },
    { status: 422, error: 'ocpp_rejected', path: '/api/v1/cpo/commands/CP-1', resources: { charge_point_id: 'CP-1' } },
    { status: 422, error: 'charge_point_offline', request_body: { command: 'hard_reset' } },
    { action: 'registerChargePoint', status: 201 },
  ])
  const commands = (await service.call('GET', '/api/v1/cpo/commands/history')).body.commands
  const ids = commands.map(({ command_id }: { command_id: string }) => command_id)
  t.same(
    data.slice(0, 3).map((entry: { resources: { command_id: string } }) => entry.resources.command_id),
    ids,
  )
})

test('audit log - a command whose entry the disk refuses is not said to have failed plainly', async (t) => {
  for (const status of ['Accepted', 'Rejected']) {
    const service = await createTestApi()
    await service.register('CP-1')
    service.connect('CP-1', () => ({ status }))
    await service.settled()
    const command = { command: 'soft_reset', parameters: {} }
    const sent = service.call('POST', '/api/v1/cpo/commands/CP-1', command)
    // The command's own record is stored; what comes next is the entry.
    while (service.store.view().list(commandsTable, []).length === 0) await new Promise(setImmediate)
    service.store.failNext(1)
    const answer = { error: { code: 'storage_unavailable', message: /may have been carried out/ } }
    t.match(await sent, { status: 503, body: answer }, status)
  }
})

test('audit log - lists by key, member, action and time, page by page, newest first', async (t) => {
  const service = await createTestApi()
  const member = await addMember(service, 'member')
  const bound = { name: 'M', scopes: ['write:charge_points'], user_id: member.user_id }
  const mine = (await service.call('POST', '/api/v1/org/api-keys', bound)).body
  await service.pass(60_000)
  const noon = new Date(service.now()).toISOString()
  for (const id_tag of ['A', 'B', 'C']) {
    await service.call('POST', '/api/v1/id-tags', { id_tag }, { key: mine.key })
    await service.call('DELETE', `/api/v1/id-tags/${id_tag}`)
  }
  const totals = async (query: string) => (await log(service, query)).total
  t.equal(await totals(''), 7)
  t.equal(await totals(`?key_id=${mine.id}`), 3)
  t.equal(await totals(`?user_id=${member.user_id}`), 3)
  t.equal(await totals('?action=deleteIdTag'), 3)
  t.equal(await totals(`?action=deleteIdTag&key_id=${mine.id}`), 0)
  t.equal(await totals(`?action=createIdTag&key_id=${mine.id}&user_id=${member.user_id}`), 3)
  t.equal(await totals(`?from=${noon}`), 6)
  t.equal(await totals(`?to=${noon}&action=createApiKey`), 1)
  t.equal(await totals(`?from=${noon}&action=createApiKey`), 0)
  t.equal(await totals('?action=nothing'), 0)
  const last = await log(service, '?per_page=2&page=2&action=createIdTag')
  t.match(last, { total: 3, page: 2, data: [{ resources: { id_tag: 'A' } }] })
  t.equal((await service.call('GET', `${path}?per_page=201`)).status, 400)
  t.equal((await service.call('GET', `${path}?from=yesterday`)).status, 400)
})

test('audit log - is read by those who may read organisations, each their own', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' }, { key: other.key })
  t.equal((await log(service)).total, 0)
  t.equal((await log(service, '', other.key)).total, 1)
  const id = (await log(service, '', other.key)).data[0].key_id
  t.equal((await log(service, `?key_id=${id}`)).total, 0)
  const blind = await service.addKey(other.organizationId, ['read:charge_points', 'write:api_keys'])
  t.equal((await service.call('GET', path, undefined, { key: blind })).status, 403)
})

test('audit log - passwords and keys of charge points are named in it, and not shown', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  service.connect('CP-1', () => ({ status: 'Accepted' }))
  await service.settled()
  const ofCommands = await service.addKey(service.operator.organizationId, ['write:commands'])
  const setKey = (key: string, value: string, by = service.operator.key) =>
    service.call(
      'POST',
      '/api/v1/ocpp16/send_command',
      { charge_point_id: 'CP-1', command: 'ChangeConfiguration', payload: { key, value } },
      { key: by },
    )
  const password = 'f00dcafe'.repeat(5)
  t.equal((await setKey('HeartbeatInterval', '60', ofCommands)).status, 200)
  const isForbidden = { status: 403, body: { error: 'forbidden', required_scope: 'write:charge_points' } }
  t.match(await setKey('AuthorizationKey', password, ofCommands), isForbidden, 'whoever makes no key sets none')
  t.equal((await setKey('AuthorizationKey', password)).status, 200)
  for (const key of ['WiFi-Password', 'WifiPSK', 'Modem.Secret', 'NetworkKey']) await setKey(key, 'f00dcafe')
  await setKey('HeartbeatInterval', '300')
  await service.call('POST', '/api/v1/cpo/commands/CP-1', {
    command: 'get_diagnostics',
    parameters: { upload_url: 'ftp://user:f00dcafe@files.example.com/logs' },
  })
  const text = JSON.stringify(service.store.view().list(auditTable, []))
  t.notMatch(text, 'f00dcafe')
  for (const shown of ['AuthorizationKey', '"HeartbeatInterval","value":"300"', 'files.example.com'])
    t.ok(text.includes(shown), shown)
})

test('audit log - fields that no schema knows are not in it, and large ones give way', async (t) => {
  const service = await createTestApi()
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'A', passwrod: 'f00dcafe', label: 'x'.repeat(40) })
  await service.register('CP-1')
  const list = Array.from({ length: 2_000 }, (_, at) => ({ id_tag: `T${at}` }))
  const parameters = { list_version: 1, local_authorization_list: list }
  await service.call('POST', '/api/v1/cpo/commands/CP-1', { command: 'send_local_list', parameters })
  const many = Object.fromEntries(Array.from({ length: 1_900 }, (_, at) => [`field-${at}`, 'twelve chars']))
  await service.call('POST', '/api/v1/ocpp16/send_command', {
    charge_point_id: 'CP-1',
    command: 'DataTransfer',
    payload: { vendorId: 'Example', data: JSON.stringify(many) },
  })
  const { data } = await log(service)
  t.same(data.at(-1).request_body, { id_tag: 'A', status: 'Accepted', label: 'x'.repeat(40) })
  t.match(data[1].request_body, { command: 'send_local_list', parameters: /^\(\d+ characters left out\)$/ })
  t.match(data[0].request_body, { command: 'DataTransfer', payload: /^\(\d+ characters left out\)$/ })
  for (const { request_body } of data) t.ok(JSON.stringify(request_body).length <= limits.auditedBodyCharacters)
})

test('audit log - what a schema marks is hidden at any depth, in lists and in either of several shapes', (t) => {
  const account = Type.Object({ holder: Type.String(), number: Type.String(secret) })
  const schema = Type.Object({
    accounts: Type.Array(account),
    either: Type.Union([Type.Object({ a: Type.String(secret) }), Type.Object({ b: Type.String() }), Type.Null()]),
    whole: Type.Optional(Type.Object({ x: Type.String() }, secret)),
  })
  const body = { accounts: [{ holder: 'H', number: '1' }], either: { a: '2', b: 'B', c: 'C' }, whole: { x: '3' } }
  t.same(redactBody(body, schema), {
    accounts: [{ holder: 'H', number: '(redacted)' }],
    either: { a: '(redacted)', b: 'B' },
    whole: '(redacted)',
  })
  t.end()
})

test('audit log - no value under the name of a secret is ever shown, wherever it stands', (t) => {
  const names = [
    'password',
    'newPassword',
    'API-Key',
    'session_token',
    'client_secret',
    'privateKey',
    'IBAN',
    'bank_details',
    'account_holder',
    'bic',
    'card_number',
    'payment_method_id',
    'PIN',
  ]
  const hidden = fc.record({
    name: fc.constantFrom(...names),
    value: fc.constantFrom('f00dcafe', ['f00dcafe'], { x: 'f00dcafe' }),
  })
  const open = Type.Record(Type.String(), Type.Unknown())
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      hidden.map(({ name, value }) => ({ [name]: value })),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'parameters'), tie('tree'), { maxKeys: 3 }),
      fc.constant('-----BEGIN EC PRIVATE KEY-----\nf00dcafe'),
      fc.constant('https://user:f00dcafe@example.com/'),
      fc.string(),
    ),
  }))
  fc.assert(fc.property(tree, (value) => !JSON.stringify(redactBody({ value }, open)).includes('f00dcafe')))
  t.end()
})

test('audit log - entries are kept for a year, or as long as the operator says', async (t) => {
  const service = await createTestApi()
  await service.call('POST', '/api/v1/id-tags', { id_tag: 'A' })
  const day = 86_400_000
  const [entry] = service.store.view().list(auditTable, [])
  if (entry === undefined) throw new Error('there is no entry')
  await service.store.prune(service.now() + 364 * day)
  t.equal((await log(service)).total, 1)
  await service.store.prune(service.now() + 366 * day)
  t.equal((await log(service)).total, 0)
  const short = openMemoryStore(tables)
  await short.keep({ [auditTable.name]: 7 })
  await short.commit(unowned([putRow(auditTable, entry)]))
  await short.prune(service.now() + 6 * day)
  t.equal(short.view().list(auditTable, []).length, 1)
  await short.prune(service.now() + 8 * day)
  t.equal(short.view().list(auditTable, []).length, 0)
  await short.close()
})
