// What holds for every surface, seen at one that is unlike the operators' in everything, beside theirs and over HTTP.

import { type Test, test } from 'tap'
import { openApiDocument } from '../../src/api/openapi/openapi.js'
import { createApi } from '../../src/api/pipeline/pipeline.js'
import { type AuditEntry, auditTable, noOrganization } from '../../src/records/audit-entry.js'
import { idempotentAnswersTable } from '../../src/records/idempotent-answer.js'
import { createTestApi, routes } from './fixture.js'
import { listenFor } from './listening.js'
import {
  isLastStillAllowed,
  type Partner,
  partnerRoutes,
  partnersTable,
  partnerUsesTable,
  sha256,
} from './partner-surface.js'

interface Sent {
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

async function listen(t: Test) {
  const service = await createTestApi({ moreTables: [partnersTable, partnerUsesTable] })
  const { port } = await listenFor(t, createApi([...routes, ...partnerRoutes], service.services))

  async function add(token: string, fields: Partial<Partner> = {}): Promise<void> {
    const row = { partner_id: token, token_sha256: sha256(token), may: ['locations', 'tokens'], requests_per_hour: 100 }
    await service.put(partnersTable, { ...row, ...fields } as Partner)
  }
  await add('P1')

  async function send(method: string, path: string, { token = 'P1', body, headers }: Sent = {}) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Token ${token}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) }
  }
  const entries = (): AuditEntry[] => service.store.view().list(auditTable, [])
  return { service, add, send, entries }
}

test('surfaces - an answer is in the envelope of its surface, and its caller is who the surface knows', async (t) => {
  const { send, service } = await listen(t)
  const { status, body } = await send('GET', '/partners/me')
  t.equal(status, 200)
  t.match(body, { data: { partner_id: 'P1' }, status_code: 1000, timestamp: /^\d{4}-/ })
  t.same(Object.keys(body).sort(), ['data', 'status_code', 'timestamp'])
  const key = { headers: { authorization: `Bearer ${service.operator.key}` } }
  t.match((await send('GET', '/api/v1/id-tags', key)).body, { data: [], total: 0, page: 1 })
  t.equal((await send('GET', '/partners/me', key)).status, 401, 'a key of another surface is none')
  t.equal((await send('GET', '/api/v1/id-tags')).status, 401, 'and a token none of theirs')
})

test('surfaces - every error is in the envelope of its surface, whatever went wrong', async (t) => {
  const { send, service, add } = await listen(t)
  await add('reader', { may: ['locations'] })
  await add('busy', { requests_per_hour: 0 })
  const post = (body: unknown, token?: string) => send('POST', '/partners/tokens/A', { body, token })
  const answers = {
    400: await send('GET', '/partners/locations?offset=-1'),
    401: await send('GET', '/partners/me', { token: 'nobody' }),
    403: await post({}, 'reader'),
    404: await send('GET', '/partners/nothing'),
    405: await send('DELETE', '/partners/me'),
    409: await post({ fails: 'refused' }),
    429: await send('GET', '/partners/me', { token: 'busy' }),
    500: await post({ fails: 'defect' }),
    503: await post({ fails: 'unknown' }),
  }
  for (const [status, { body, ...answer }] of Object.entries(answers)) {
    t.equal(answer.status, Number(status), status)
    t.same(Object.keys(body).sort(), ['status_code', 'status_message', 'timestamp'], status)
    t.equal(body.status_code, Number(status) < 500 ? 2000 : 3000)
    t.match(answer.headers.get('x-request-id'), /^request_/)
  }
  t.equal(answers[401].headers.get('www-authenticate'), 'Token')
  t.match(answers[403].body.status_message, 'forbidden: the token lacks the scope tokens')
  t.match(answers[405].headers.get('allow'), 'GET')
  t.match(answers[405].body.status_message, 'this path allows only GET, HEAD, OPTIONS')
  t.match(answers[404].body.status_message, 'there is no such path; see /docs')
  t.match(answers[429].headers.get('retry-after'), /^\d+$/)
  t.equal((await send('POST', '/partners/tokens/longer-than-it-may', { body: {} })).status, 404)
  t.match((await send('GET', '/nothing')).body, { error: { code: 'not_found' } }, 'outside of it, as ever')
  t.notMatch(JSON.stringify(answers[500].body), 'a defect')
  service.setDraining(true)
  t.match(await send('GET', '/partners/me'), {
    status: 503,
    body: { status_code: 3000, status_message: /^shutting_down/ },
  })
})

test('surfaces - a list is asked for and answered in the way of its surface', async (t) => {
  const { send } = await listen(t)
  const first = await send('GET', '/partners/locations?country=NL')
  t.same(first.body.data, [{ id: 1 }, { id: 2 }])
  t.equal(first.headers.get('x-total-count'), '5')
  t.equal(first.headers.get('x-limit'), '2')
  const [, next = ''] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '') ?? []
  t.equal(next, '/partners/locations?country=NL&offset=2')
  t.same((await send('GET', next)).body.data, [{ id: 3 }, { id: 4 }])
  const last = await send('GET', '/partners/locations?offset=3&limit=4')
  t.same(last.body.data, [{ id: 4 }, { id: 5 }], 'from any row on, not only from pages')
  t.equal(last.headers.get('link'), null)
  t.match((await send('GET', '/partners/locations?page=2')).headers.get('x-ampshard-unknown-fields'), 'page')
})

test('surfaces - overload sheds what the surface says', async (t) => {
  const { send, service } = await listen(t)
  const key = { headers: { authorization: `Bearer ${service.operator.key}` } }
  service.setOverload(1)
  t.equal((await send('GET', '/partners/locations')).status, 503)
  t.equal((await send('GET', '/partners/me')).status, 200)
  t.equal((await send('GET', '/api/v1/id-tags', key)).status, 200)
})

test('surfaces - the quota is the caller\u2019s own, and so is the note of their use', async (t) => {
  const { send, service, add } = await listen(t)
  await add('P2', { requests_per_hour: 2 })
  const left = async (token: string) => {
    const { status, headers } = await send('GET', '/partners/me', { token })
    return `${status} ${headers.get('x-ratelimit-remaining')} of ${headers.get('x-ratelimit-limit')}`
  }
  t.same([await left('P2'), await left('P2'), await left('P2')], ['200 1 of 2', '200 0 of 2', '429 0 of 2'])
  t.equal(await left('P1'), '200 99 of 100')
  t.match(service.store.view().list(partnerUsesTable, []), [{ partner_id: 'P1' }, { partner_id: 'P2' }])
})

test('surfaces - a caller without an organization is in the log of what they changed, or in that of no organization', async (t) => {
  const { send, service, entries } = await listen(t)
  const { organizationId } = service.operator
  const post = (body: unknown) => send('POST', '/partners/tokens/A', { body })
  await post({ organization: organizationId })
  const actor = { key_id: 'P1', key_name: 'partner P1' }
  const operation = { action: 'postToken', method: 'POST', path: '/partners/tokens/A', resources: { token_id: 'A' } }
  t.match(entries(), [{ ...operation, ...actor, organization_id: organizationId, status: 201 }])
  await post({})
  t.match(entries()[1], { ...operation, ...actor, organization_id: noOrganization, status: 201 })
  await post({ fails: 'refused' })
  t.equal(entries().length, 2, 'what was refused is in none')
  await post({ fails: 'unknown' })
  t.match(entries()[2], { ...actor, organization_id: noOrganization, status: 503, error: 'overloaded' })
  const log = await service.call('GET', '/api/v1/org/audit-log')
  t.match(log.body, { total: 1, data: [{ ...actor, action: 'postToken' }] }, 'an organization reads its own')
})

test('surfaces - an Idempotency-Key belongs to its caller, and a secret is kept under what they alone have', async (t) => {
  const { send, service, add, entries } = await listen(t)
  await add('P2')
  const post = (token: string, headers = { 'idempotency-key': 'K' }) =>
    send('POST', '/partners/tokens/A', { token, body: {}, headers })
  const [first, repeat, other] = [await post('P1'), await post('P1'), await post('P2')]
  t.same(repeat.body, first.body)
  t.equal(repeat.headers.get('idempotent-replayed'), 'true')
  t.not(other.body.data.call, first.body.data.call)
  t.equal(entries().length, 2)
  const kept = service.store.view().list(idempotentAnswersTable, [])
  t.same(
    kept.map(({ principal }) => principal),
    ['partner:P1', 'partner:P2'],
  )
  t.notMatch(JSON.stringify(kept), 'secret of A')
  const refused = await send('POST', '/partners/tokens/B', { body: {}, headers: { 'idempotency-key': 'K' } })
  t.match(refused, { status: 409, body: { status_message: /^idempotency_conflict/ } })
})

test('surfaces - an answer that goes on ends with what its caller is allowed', async (t) => {
  const { send, service, add } = await listen(t)
  await send('GET', '/partners/me')
  t.equal(isLastStillAllowed(), true)
  await add('P1', { may: ['tokens'] })
  t.equal(isLastStillAllowed(), false, 'without the scope')
  await add('P1')
  t.equal(isLastStillAllowed(), true)
  await service.commit({ type: 'remove', table: partnersTable.name, key: [sha256('P1')] })
  t.equal(isLastStillAllowed(), false, 'without the token')
})

test('surfaces - the OpenAPI document has the guide, the credential, the envelopes and the paging of each', (t) => {
  const document = JSON.parse(JSON.stringify(openApiDocument([...routes, ...partnerRoutes], { version: '0.0.0' })))
  const { info, paths, components } = document
  t.match(info.description, '## Authentication')
  t.match(info.description, '## Partners')
  t.same(Object.keys(components.securitySchemes).sort(), [
    'apiKey',
    'bearer',
    'installerToken',
    'ocpiToken',
    'partnerToken',
    'session',
  ])
  t.same(paths['/partners/me'].get.security, [{ partnerToken: [] }])
  t.same(paths['/healthz'].get.security, [])
  t.match(components.schemas.PartnerError, { type: 'object' })
  const response = (route: { responses: Record<string, object> }, status: string) => {
    const { $ref } = route.responses[status] as { $ref: string }
    return components.responses[$ref.split('/').at(-1) as string].content['application/json'].schema
  }
  t.same(response(paths['/partners/me'].get, '401'), { $ref: '#/components/schemas/PartnerError' })
  t.same(response(paths['/api/v1/id-tags'].get, '401'), { $ref: '#/components/schemas/AuthenticationError' })
  const success = paths['/partners/locations'].get.responses['200'].content['application/json'].schema
  t.match(success, { properties: { data: { type: 'array' }, status_code: { const: 1000 } } })
  const names = paths['/partners/locations'].get.parameters.map(({ name }: { name?: string }) => name)
  t.same(names.slice(0, 3), ['country', 'offset', 'limit'])
  t.end()
})
