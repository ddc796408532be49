// Webhook endpoints over the API: what is taken and refused, what is shown, and to whom. What arrives is test/service/webhooks.test.ts's.

import { test } from 'tap'
import { limits } from '../../src/actors/webhook-endpoint/limits.js'
import { askEndpoint } from '../../src/api/areas/webhooks/webhooks.js'
import { type WebhookDelivery, webhookDeliveriesTable } from '../../src/records/webhook-delivery.js'
import { webhookEndpointsTable } from '../../src/records/webhook-endpoint.js'
import { eventChange } from '../../src/runtime/actor/outbox.js'
import { systemClock } from '../../src/runtime/clock.js'
import { createAsks } from '../../src/runtime/link/asks.js'
import { createTestApi, type TestApi } from './fixture.js'

const path = '/api/v1/webhooks/endpoints'
const url = 'https://example.com/hooks'

function create(api: TestApi, fields: Readonly<Record<string, unknown>> = {}, key = api.operator.key) {
  return api.call('POST', path, { url, events: ['*'], ...fields }, { key })
}

test('webhook endpoints - a secret of our own is shown once; one of the caller never', async (t) => {
  const api = await createTestApi()
  const made = await create(api)
  t.equal(made.status, 201)
  t.match(made.body, { url, events: ['*'], active: true, status: 'active', payload_format: 'a', disabled_reason: null })
  t.match(made.body.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(made.body.id, /^whe_/)
  const given = await create(api, { secret: 'a-secret-of-the-caller', description: 'Ours', payload_format: 'b' })
  t.equal(given.body.secret, null)
  t.match(given.body, { description: 'Ours', payload_format: 'b' })
  const rotated = await api.call('POST', `${path}/${made.body.id}/rotate-secret`)
  t.equal(rotated.status, 200)
  t.match(rotated.body.secret, /^whsec_/)
  t.not(rotated.body.secret, made.body.secret)
  t.ok(rotated.body.secret_rotated_at)
  const answers = [
    await api.call('GET', path),
    await api.call('GET', `${path}/${made.body.id}`),
    await api.call('PATCH', `${path}/${made.body.id}`, { active: false }),
    await api.call('GET', '/api/v1/org/audit-log'),
  ]
  for (const { body } of answers) {
    const text = JSON.stringify(body)
    for (const secret of [made.body.secret, rotated.body.secret, 'a-secret-of-the-caller'])
      t.notOk(text.includes(secret))
    t.notOk(/"secrets?":(?!"\(redacted\)")/.test(text), text)
  }
  t.ok(answers[3]?.body.total >= 4)
  t.match(answers[0]?.body, { total: 2, data: [{ id: made.body.id }, { id: given.body.id }] })
})

test('webhook endpoints - either format is sent the events of both, by name', async (t) => {
  const api = await createTestApi()
  const events = ['charge_point.status_changed', 'handover.completed', 'charge_point.fault', 'billing.invoice_ready']
  for (const payload_format of ['a', 'b'])
    t.match(await create(api, { payload_format, events }), { status: 201, body: { payload_format, events } })
})

test('webhook endpoints - a rotation never ends a secret before its time: with three valid ones, another is refused', async (t) => {
  const api = await createTestApi()
  const { id } = (await create(api)).body
  const rotate = (body?: unknown) => api.call('POST', `${path}/${id}/rotate-secret`, body)
  const valid = () => api.store.view().get(webhookEndpointsTable, [id])?.secrets.length
  for (let rotations = 1; rotations < limits.webhookSecrets; rotations++) t.equal((await rotate()).status, 200)
  const before = (await api.call('GET', `${path}/${id}`)).body
  const refused = await rotate()
  t.same([refused.status, refused.body.error.code], [409, 'conflict'])
  t.notOk('secret' in refused.body)
  t.same((await api.call('GET', `${path}/${id}`)).body, before)
  t.equal(valid(), limits.webhookSecrets)
  t.equal((await rotate({ overlap_seconds: 0 })).status, 200, 'what has leaked can always be ended')
  t.equal(valid(), 1)
})

test('webhook endpoints - a repeat of the creation gets the same endpoint, secret included', async (t) => {
  const api = await createTestApi()
  const headers = { 'idempotency-key': 'once', authorization: `Bearer ${api.operator.key}` }
  const first = await api.call('POST', path, { url, events: ['*'] }, { headers })
  const again = await api.call('POST', path, { url, events: ['*'] }, { headers })
  t.same(again.body, first.body)
  t.equal((await api.call('GET', path)).body.total, 1)
})

test('webhook endpoints - what cannot be an endpoint is refused, with the place of the fault', async (t) => {
  const api = await createTestApi()
  const wrong: readonly (readonly [Record<string, unknown>, number, string, string?])[] = [
    [{ url: 'no url' }, 400, 'validation_error', '/url'],
    [{ url: `https://example.com/${'x'.repeat(3_000)}` }, 400, 'validation_error', '/url'],
    [{ url: 'http://example.com/' }, 422, 'unsafe_url'],
    [{ url: 'https://127.0.0.1/' }, 422, 'unsafe_url'],
    [{ url: 'https://169.254.169.254/latest' }, 422, 'unsafe_url'],
    [{ url: 'https://user:pass@example.com/' }, 422, 'unsafe_url'],
    [{ events: [] }, 400, 'validation_error', '/events'],
    [{ events: ['session.started', 'session.begun'] }, 400, 'validation_error', '/events/1'],
    [{ events: ['meter.*'] }, 400, 'validation_error', '/events/0'],
    [{ events: 'session.started' }, 400, 'validation_error', '/events'],
    [{ secret: 'short' }, 400, 'validation_error', '/secret'],
    [{ secret: 'with blanks in it' }, 400, 'validation_error', '/secret'],
    [{ secret: 'x'.repeat(257) }, 400, 'validation_error', '/secret'],
    [{ payload_format: 'c' }, 400, 'validation_error', '/payload_format'],
  ]
  for (const [fields, status, code, at] of wrong) {
    const { status: answered, body } = await create(api, fields)
    t.same([answered, body.error.code], [status, code], JSON.stringify(fields).slice(0, 80))
    if (at !== undefined) t.equal(body.error.details[0].path, at)
  }
  t.equal((await api.call('GET', path)).body.total, 0)
})

test('webhook endpoints - an actor that does not answer in time is no charge point: the service is overloaded', async (t) => {
  const shardOf = () => 0
  const { ask } = createAsks({ front: 0, clock: systemClock, transport: { send() {} }, shardOf })
  await t.rejects(askEndpoint({ ask }, 'whe_1', { type: 'remove' }, 1), { code: 'overloaded' })
})

test('webhook endpoints - are changed in part, paused, resumed and removed', async (t) => {
  const api = await createTestApi()
  const { id } = (await create(api, { description: 'Ours' })).body
  const changed = await api.call('PATCH', `${path}/${id}`, {
    url: 'https://example.com/elsewhere',
    events: ['session.ended', 'session.ended'],
  })
  t.match(changed.body, {
    url: 'https://example.com/elsewhere',
    events: ['session.ended'],
    active: true,
    description: 'Ours',
  })
  t.equal(changed.body.events.length, 1)
  t.match((await api.call('PATCH', `${path}/${id}`, { active: false })).body, { active: false, status: 'paused' })
  t.match((await api.call('PATCH', `${path}/${id}`, { active: true, description: null })).body, { status: 'active' })
  t.equal((await api.call('GET', `${path}/${id}`)).body.description, null)
  t.equal((await api.call('PATCH', `${path}/${id}`, { url: 'https://10.0.0.1/' })).status, 422)
  t.equal((await api.call('PATCH', `${path}/${id}`, { events: ['nothing'] })).status, 400)
  t.equal((await api.call('DELETE', `${path}/${id}`)).status, 204)
  for (const method of ['GET', 'DELETE']) t.equal((await api.call(method, `${path}/${id}`)).status, 404)
  t.equal((await api.call('PATCH', `${path}/${id}`, {})).status, 404)
  t.equal((await api.call('GET', path)).body.total, 0)
})

test('webhook endpoints - an organization has a bounded number of them', async (t) => {
  const api = await createTestApi()
  for (let made = 0; made < limits.webhookEndpoints; made++) t.equal((await create(api)).status, 201)
  const { status, body } = await create(api)
  t.same([status, body.error.code], [409, 'too_many_webhook_endpoints'])
})

test('webhook endpoints - of several that are made at once, no more than there is room for', async (t) => {
  const api = await createTestApi()
  for (let made = 2; made < limits.webhookEndpoints; made++) await create(api)
  const answers = await Promise.all(Array.from({ length: 6 }, () => create(api)))
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 409, 409, 409, 409])
  const refused = answers.filter(({ status }) => status === 409).map(({ body }) => body.error.code)
  t.same(new Set(refused), new Set(['too_many_webhook_endpoints']))
  t.equal((await api.call('GET', path)).body.total, limits.webhookEndpoints)
})

test('webhook endpoints - another organization cannot tell them from absent ones', async (t) => {
  const api = await createTestApi()
  const { id } = (await create(api)).body
  const other = await api.addOrganization()
  const row = delivery(id, 'succeeded', 1)
  await api.put(webhookDeliveriesTable, row)
  const asked: readonly (readonly [string, string, unknown?])[] = [
    ['GET', ''],
    ['PATCH', '', { active: false }],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate-secret'],
    ['POST', '/replay', { from: '2026-01-01T00:00:00Z' }],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${row.delivery_id}/replay`],
  ]
  for (const [method, end, body] of asked) {
    const answers = await Promise.all(
      [id, 'whe_none'].map((endpoint) => api.call(method, `${path}/${endpoint}${end}`, body, { key: other.key })),
    )
    for (const answered of answers) t.equal(answered.status, 404, `${method} ${end}`)
    t.equal(answers[0]?.body.error.message, answers[1]?.body.error.message)
  }
  t.equal((await api.call('GET', path, undefined, { key: other.key })).body.total, 0)
  t.equal((await api.call('GET', `${path}/${id}`)).body.active, true)
})

function delivery(endpointId: string, status: WebhookDelivery['status'], number: number): WebhookDelivery {
  const at = Date.UTC(2026, 10, 1) + number
  return {
    delivery_id: `dlv_01JBXK7Q0ZC3T5V9W2Y4A6${String(number).padStart(4, '0')}`,
    endpoint_id: endpointId,
    event: 'session.ended',
    status,
    attempts: 1,
    run: 1,
    response_code: status === 'succeeded' ? 200 : 500,
    last_attempted_at: at,
    ...(status === 'pending' && { next_retry_at: at + 5_000 }),
    ...(status === 'succeeded' && { delivered_at: at }),
  }
}

test('webhook deliveries - are listed newest first, by status and in pages, in the words of the form', async (t) => {
  const api = await createTestApi()
  const a = (await create(api)).body.id
  const b = (await create(api, { payload_format: 'b' })).body.id
  for (const id of [a, b])
    for (const [number, status] of (['succeeded', 'failed', 'pending', 'succeeded'] as const).entries())
      await api.put(webhookDeliveriesTable, delivery(id, status, number))
  const list = (id: string, query = '') => api.call('GET', `${path}/${id}/deliveries${query}`)
  const all = (await list(a)).body
  t.same(
    all.deliveries.map(({ status }: { status: string }) => status),
    ['succeeded', 'pending', 'failed', 'succeeded'],
  )
  t.same(all.data, all.deliveries)
  t.match(all, { total: 4, page: 1, limit: 20 })
  t.match(all.deliveries[0], {
    id: /^dlv_01JBXK7Q0Z[0-9A-HJKMNP-TV-Z]{16}$/,
    event_id: 'evt_01JBXK7Q0ZC3T5V9W2Y4A60003',
    endpoint_id: a,
    event: 'session.ended',
    event_type: 'session.ended',
    response_code: 200,
    http_status: 200,
    attempts: 1,
    next_retry_at: null,
    delivered_at: '2026-11-01T00:00:00.003Z',
  })
  t.equal((await list(b)).body.deliveries[0].status, 'delivered')
  const ids = [...all.deliveries, ...(await list(b)).body.deliveries].map((row: { id: string }) => row.id)
  t.equal(new Set(ids).size, ids.length, 'of one event, each endpoint has a delivery with an id of its own')
  for (const word of ['succeeded', 'delivered']) t.equal((await list(b, `?status=${word}`)).body.total, 2)
  t.match((await list(a, '?status=failed')).body, { total: 1, deliveries: [{ status: 'failed', response_code: 500 }] })
  t.match((await list(a, '?status=succeeded&limit=1&page=2')).body, {
    total: 2,
    deliveries: [{ event_id: 'evt_01JBXK7Q0ZC3T5V9W2Y4A60000' }],
  })
  t.match((await list(a, '?page=9')).body, { total: 4, deliveries: [] })
  for (const query of ['?limit=101', '?limit=0', '?page=0', '?status=lost']) t.equal((await list(a, query)).status, 400)
})

test('webhook replay - a delivery whose event is gone, an unknown one, a period that ends before it begins', async (t) => {
  const api = await createTestApi()
  const { id } = (await create(api)).body
  const row = delivery(id, 'failed', 1)
  await api.put(webhookDeliveriesTable, row)
  const replay = (deliveryId: string) => api.call('POST', `${path}/${id}/deliveries/${deliveryId}/replay`)
  const [shown] = (await api.call('GET', `${path}/${id}/deliveries`)).body.deliveries
  t.match(await replay(shown.id), { status: 409, body: { error: { code: 'event_expired' } } })
  t.match(await replay(row.delivery_id), { status: 409, body: { error: { code: 'event_expired' } } })
  t.equal((await replay('dlv_none')).status, 404)
  const tested = { ...delivery(id, 'succeeded', 2), event: 'webhook.test' }
  await api.put(webhookDeliveriesTable, tested)
  t.match(await replay(tested.delivery_id), {
    status: 409,
    body: { error: { message: /^test events are not stored/ } },
  })
  const period = (body: unknown) => api.call('POST', `${path}/${id}/replay`, body)
  const messageOf = async (body: unknown) => (await period(body)).body.error.message
  t.equal(await messageOf({ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' }), '/to must not be before from')
  t.equal(await messageOf({ from: '2999-01-01T00:00:00Z' }), '/from must be in the past')
  t.equal((await period({ from: '2026-11-01T00:00:00Z', types: ['nothing'] })).status, 400)
  t.equal((await period({})).status, 400)
  const begun = await period({ from: '2026-11-01T00:00:00+01:00', to: '2026-11-02T00:00:00Z' })
  t.match(begun, {
    status: 202,
    body: { from: '2026-10-31T23:00:00.000Z', to: '2026-11-02T00:00:00.000Z', only_failed: true, types: null, sent: 0 },
  })
  await api.call('PATCH', `${path}/${id}`, { active: false })
  t.match(await period({ from: '2026-11-01T00:00:00Z' }), {
    status: 409,
    body: { error: { code: 'webhook_endpoint_inactive' } },
  })
  t.equal((await api.call('POST', `${path}/${id}/test`)).status, 429, 'there is no room for calls here')
})

test('webhook deliveries - the list says how many events wait for their first attempt', async (t) => {
  const api = await createTestApi()
  const { id } = (await create(api, { events: ['session.ended'] })).body
  await api.call('PATCH', `${path}/${id}`, { active: false })
  const { organizationId } = api.operator
  for (const event of ['session.ended', 'session.started', 'session.ended'])
    await api.commit(eventChange({ event, organizationId, subject: 'CP-1', data: {} }, api.now()))
  t.match((await api.call('GET', `${path}/${id}/deliveries`)).body, { total: 0, waiting: 2 })
})
