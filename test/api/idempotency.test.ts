import { test } from 'tap'
import { limits } from '../../src/actors/command-router/limits.js'
import { type Api, createApi } from '../../src/api/pipeline/pipeline.js'
import { apiKeysTable } from '../../src/records/api-key.js'
import { idempotentAnswersTable } from '../../src/records/idempotent-answer.js'
import { teamsTable } from '../../src/records/invitation.js'
import { storageUnavailable } from '../../src/runtime/errors.js'
import { createTestApi, routes, type TestApi } from './fixture.js'

const post = (service: TestApi, path: string, body: unknown, idempotencyKey: string, key = service.operator.key) =>
  service.call('POST', path, body, { key, headers: { 'idempotency-key': idempotencyKey } })

/** Over one of several fronts. */
function sendOver(front: Api, { operator }: TestApi, path: string, body: unknown, idempotencyKey: string) {
  const authorization = `Bearer ${operator.key}`
  return front.handle({
    method: 'POST',
    path,
    query: '',
    headers: { authorization, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    body: Buffer.from(JSON.stringify(body)),
    remoteAddress: '127.0.0.1',
  })
}

test('idempotency - a repeat gets the first answer again and changes nothing', async (t) => {
  const service = await createTestApi()
  const first = await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')
  const repeat = await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')
  t.equal(first.status, 201)
  t.equal(repeat.status, 201)
  t.same(repeat.body, first.body)
  t.equal(first.headers['Idempotent-Replayed'], undefined)
  t.equal(repeat.headers['Idempotent-Replayed'], 'true')
  const anew = await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'two')
  t.equal(anew.body.error.code, 'id_tag_exists')
  t.equal((await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'two')).headers['Idempotent-Replayed'], 'true')
})

test('idempotency - the same key with another body or path is a conflict', async (t) => {
  const service = await createTestApi()
  await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')
  const other = await post(service, '/api/v1/id-tags', { id_tag: 'B' }, 'one')
  t.equal(other.status, 409)
  t.equal(other.body.error.code, 'idempotency_conflict')
  const { body } = await post(service, '/api/v1/org/api-keys', { id_tag: 'A' }, 'one')
  t.equal(body.error.code, 'idempotency_conflict')
})

test('idempotency - the same JSON is the same request, whatever the order of its fields', async (t) => {
  const service = await createTestApi()
  const body = '{"label":"A","id_tag":"A"}'
  t.equal((await post(service, '/api/v1/id-tags', body, 'one')).status, 201)
  const repeat = await post(service, '/api/v1/id-tags', ' { "id_tag": "A",\n "label": "\\u0041" }', 'one')
  t.equal(repeat.headers['Idempotent-Replayed'], 'true')
  for (const other of ['{"label":"B","id_tag":"A"}', '{"label":["A"],"id_tag":"A"}', '{"id_tag":"A"}', '{"id_tag":'])
    t.match(await post(service, '/api/v1/id-tags', other, 'one'), { body: { error: { code: 'idempotency_conflict' } } })
})

test('idempotency - two callers may use the same key', async (t) => {
  const service = await createTestApi()
  const other = await service.addOrganization()
  t.equal((await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')).status, 201)
  const second = await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one', other.key)
  t.equal(second.status, 201)
  t.equal(second.headers['Idempotent-Replayed'], undefined)
})

test('idempotency - repeats that come while the first is at work wait for it: one command is sent', async (t) => {
  const service = await createTestApi()
  await service.register('CP-1')
  let sent = 0
  const connection = service.connect('CP-1', (action) => {
    if (action === 'Reset') sent++
    return undefined
  })
  await service.settled()
  const send = () =>
    post(service, '/api/v1/cpo/commands/CP-1', { command: 'soft_reset', timeout_seconds: 5 }, 'reset-1')
  const both = Promise.all([send(), send(), send()])
  await service.settled()
  t.equal(sent, 1)
  await service.pass(5_000)
  const answers = await both
  t.same(
    answers.map(({ status }) => status),
    [408, 408, 408],
  )
  t.equal(sent, 1)
  const ids = new Set(answers.map(({ body }) => body.error.command_id))
  t.equal(ids.size, 1)
  service.disconnect(connection)
})

/** A charge point that takes every command; returns how often it was told to reset. */
async function countResets(service: TestApi): Promise<() => number> {
  await service.register('CP-1')
  let sent = 0
  service.connect('CP-1', (action) => {
    if (action === 'Reset') sent++
    return { status: 'Accepted' }
  })
  await service.settled()
  return () => sent
}

test('idempotency - a command whose answer the store refused is not sent again by its repeat', async (t) => {
  const service = await createTestApi()
  const sent = await countResets(service)
  const services = service.services as { commit: TestApi['services']['commit'] }
  const { commit } = services
  // The disk refuses the answer alone: that the request is at work, and that it is forgotten, it takes.
  services.commit = async (changes, conditions) =>
    sent() > 0 && changes.some(({ type }) => type === 'put')
      ? { ok: false, reason: 'storage_unavailable', message: 'refused' }
      : commit(changes, conditions)
  const reset = () => post(service, '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' }, 'reset-1')
  const message = /the request may have been carried out/
  t.match(await reset(), { status: 503, body: { error: { code: 'storage_unavailable', message } } })
  t.match(storageUnavailable.meaning, message, 'as the reference says')
  services.commit = commit
  t.match(await reset(), { status: 200, body: { status: 'Accepted' } })
  t.equal(sent(), 1)
})

test('idempotency - what the store did not take is settled when it does: repeats over another front do not wait', async (t) => {
  const service = await createTestApi()
  const sent = await countResets(service)
  const other = createApi(routes, service.services)
  const reset = async (api: Api, key: string) => {
    const answer = await sendOver(api, service, '/api/v1/cpo/commands/CP-1', { command: 'soft_reset' }, key)
    return { status: answer.status, body: JSON.parse(Buffer.from(answer.body).toString()) as object }
  }
  const services = service.services as { commit: TestApi['services']['commit'] }
  const { commit } = services
  const refusing = (isRefused: (type: string) => boolean): void => {
    services.commit = async (changes, conditions) =>
      changes.some(({ type }) => isRefused(type))
        ? { ok: false, reason: 'storage_unavailable', message: 'refused' }
        : commit(changes, conditions)
  }
  // It was carried out, and its answer refused.
  refusing((type) => sent() > 0 && type === 'put')
  t.match(await reset(service.api, 'one'), { status: 503, body: { error: { code: 'storage_unavailable' } } })
  services.commit = commit
  t.match(await reset(other, 'one'), { status: 200 })
  t.equal(sent(), 1)
  // It was not carried out, and could not be forgotten.
  for (let at = 0; at < limits.commandsPerSecond; at++) await reset(service.api, `before ${at}`)
  const before = sent()
  refusing((type) => type === 'remove')
  t.match(await reset(service.api, 'two'), { status: 429 })
  services.commit = commit
  await service.pass(1_000)
  t.match(await reset(other, 'two'), { status: 200 })
  t.equal(sent(), before + 1)
})

test('idempotency - an answer is kept for 24 hours', async (t) => {
  const service = await createTestApi()
  await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')
  await service.pass(24 * 3_600_000 + 1)
  const after = await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')
  t.equal(after.status, 409)
  t.equal(after.body.error.code, 'id_tag_exists')
})

test('idempotency - what asks to come back later is not kept', async (t) => {
  const service = await createTestApi()
  service.setDraining(true)
  t.equal((await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')).status, 503)
  service.setDraining(false)
  t.equal((await post(service, '/api/v1/id-tags', { id_tag: 'A' }, 'one')).status, 201)
  t.equal((await post(service, '/api/v1/id-tags', { id_tag: 3 }, 'two')).status, 400)
})

test('idempotency - a race that was lost again and again is not kept: the same request may be tried again', async (t) => {
  const service = await createTestApi()
  const { organizationId: organization_id } = service.operator
  const services = service.services as { commit: TestApi['services']['commit'] }
  const { commit } = services
  let version = 1
  services.commit = async (changes, conditions) => {
    await service.put(teamsTable, { organization_id, version: version++ })
    return commit(changes, conditions)
  }
  const invite = () =>
    post(
      service,
      `/api/v1/organizations/${organization_id}/invitations`,
      { email: 'a@example.com', role: 'viewer' },
      'one',
    )
  t.match(await invite(), { status: 409, body: { error: { code: 'conflict' } } })
  services.commit = commit
  const again = await invite()
  t.equal(again.status, 201)
  t.equal(again.headers['Idempotent-Replayed'], undefined)
})

test('idempotency - repeats that come over two fronts at the same time change something once', async (t) => {
  const service = await createTestApi()
  const fronts = [service.api, createApi(routes, service.services)]
  async function once(path: string, body: unknown): Promise<void> {
    const answers = await Promise.all(fronts.map((front) => sendOver(front, service, path, body, path)))
    t.same(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const [first, second] = answers.map(({ body }) => Buffer.from(body).toString())
    t.equal(second, first)
    t.equal(answers.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true').length, 1)
  }
  await once('/api/v1/org/api-keys', { name: 'One', scopes: ['read:billing'] })
  t.equal(service.store.view().list(apiKeysTable, []).length, 2)
  await once('/api/v1/id-tags', { id_tag: 'A' })
  // What has been kept for too long counts for nothing, until it is pruned.
  await service.pass(24 * 3_600_000 + 1)
  await once('/api/v1/org/api-keys', { name: 'One', scopes: ['read:billing'] })
  t.equal(service.store.view().list(apiKeysTable, []).length, 3)
})

test('idempotency - a secret that was shown once is replayed, but never stored in the open', async (t) => {
  const service = await createTestApi()
  const body = { name: 'Reporting', scopes: ['read:sessions'] }
  const first = await post(service, '/api/v1/org/api-keys', body, 'one')
  const repeat = await post(service, '/api/v1/org/api-keys', body, 'one')
  t.equal(repeat.headers['Idempotent-Replayed'], 'true')
  t.equal(repeat.body.key, first.body.key)
  const kept = service.store.view().list(idempotentAnswersTable, [])
  t.equal(kept.length, 1)
  t.notOk(JSON.stringify(kept).includes(first.body.key))
})
