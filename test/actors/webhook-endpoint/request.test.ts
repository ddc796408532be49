// What a receiver is sent: the two forms, and signatures that the public library of Standard Webhooks accepts, over rotations.

import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { test } from 'tap'
import { bodyOf, requestOf, signatureHeaders } from '../../../src/actors/webhook-endpoint/request.js'
import { rotated, secretOf, standardKey } from '../../../src/actors/webhook-endpoint/secrets.js'
import { eventSelectors } from '../../../src/events/selection.js'
import type { WebhookEndpoint } from '../../../src/records/webhook-endpoint.js'

const event = {
  id: 'evt_01JBXK7Q0ZC3T5V9W2Y4A6B8D0',
  at: Date.UTC(2026, 10, 1, 12),
  event: 'session.started',
  organizationId: 'org_1',
  subject: 'CP-1',
  data: { session_id: 'ses_1', driver: 'Zoë 🚗' },
}
const made = secretOf(Buffer.alloc(32, 7))
const plain = 'my own secret text'.replaceAll(' ', '_')

function verifies(headers: Readonly<Record<string, string>>, body: string, librarySecret: string): boolean {
  try {
    return new Webhook(librarySecret).verify(body, headers) !== undefined
  } catch {
    return false
  }
}

const hex = (secret: string, body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

test('webhook request - the body is the envelope of the form', (t) => {
  t.same(JSON.parse(bodyOf(event, 'a')), {
    event: 'session.started',
    timestamp: '2026-11-01T12:00:00.000Z',
    data: event.data,
  })
  t.match(JSON.parse(bodyOf(event, 'b')), {
    id: event.id,
    event: 'session.started',
    created_at: '2026-11-01T12:00:00.000Z',
    api_version: /^\d{4}-\d{2}-\d{2}$/,
    object: event.data,
  })
  t.end()
})

/** Those of form A, and those that form B alone has. */
const ofFormA = [
  ...['charge_point.connected', 'charge_point.disconnected', 'charge_point.status_changed', 'session.started'],
  ...['session.ended', 'session.cost_updated', 'commissioning.started', 'commissioning.completed'],
  ...['commissioning.failed', 'alert.triggered', 'alert.resolved', 'firmware.update_started'],
  ...['firmware.update_completed', 'handover.completed'],
]
const ofFormB = ['charge_point.fault', 'session.authorized', 'billing.invoice_ready']

test('webhook request - the events of both forms can be asked for by name, and go out in either envelope', (t) => {
  for (const name of [...ofFormA, ...ofFormB]) {
    t.ok(eventSelectors.includes(name), name)
    t.match(JSON.parse(bodyOf({ ...event, event: name }, 'a')), { event: name, timestamp: String, data: event.data })
    t.match(JSON.parse(bodyOf({ ...event, event: name }, 'b')), { event: name, id: event.id, object: event.data })
  }
  t.end()
})

test('webhook request - both signature headers and those of Standard Webhooks are over the bytes that are sent', (t) => {
  const now = Date.now()
  for (const [secret, librarySecret] of [
    [made, made],
    // A receiver with a text of its own gives the library the base64 of it.
    [plain, Buffer.from(plain).toString('base64')],
    ['whsec_not base64!'.replace(' ', '-'), Buffer.from('whsec_not-base64!').toString('base64')],
  ] as const) {
    const body = bodyOf(event, 'b')
    const headers = signatureHeaders({ secrets: [{ secret }] }, { id: event.id, body, now })
    t.ok(verifies(headers, body, librarySecret), secret)
    t.notOk(verifies(headers, `${body} `, librarySecret))
    t.equal(headers['x-webhook-signature'], hex(secret, body))
    t.equal(headers['x-service-signature'], hex(secret, body))
    t.equal(headers['webhook-id'], event.id)
    t.equal(headers['webhook-timestamp'], String(Math.floor(now / 1000)))
  }
  t.end()
})

test('webhook secrets - whsec_ and base64 are the bytes that it stands for, padded or not', (t) => {
  t.same(standardKey(made), Buffer.alloc(32, 7))
  t.same(standardKey(made.replace('=', '')), Buffer.alloc(32, 7))
  t.same(standardKey('whsec_'), Buffer.from('whsec_'))
  t.same(standardKey(plain), Buffer.from(plain))
  t.end()
})

test('webhook secrets - in a rotation all that are valid sign, the plain headers by the oldest, until the overlap is over', (t) => {
  const now = Date.now()
  const hour = 3_600_000
  const second = secretOf(Buffer.alloc(32, 2))
  const third = secretOf(Buffer.alloc(32, 3))
  const body = bodyOf(event, 'a')
  const sign = (secrets: WebhookEndpoint['secrets'], at: number) =>
    signatureHeaders({ secrets }, { id: event.id, body, now: at })

  const once = rotated([{ secret: made }], second, now, now + 24 * hour)
  for (const secret of [made, second]) t.ok(verifies(sign(once, now), body, secret))
  t.equal(sign(once, now)['x-webhook-signature'], hex(made, body))
  const after = sign(once, now + 24 * hour)
  t.equal(after['x-webhook-signature'], hex(second, body))
  t.equal(after['webhook-signature']?.split(' ').length, 1)

  const twice = rotated(once, third, now + hour, now + 25 * hour)
  for (const secret of [made, second, third]) t.ok(verifies(sign(twice, now), body, secret))
  t.equal(sign(twice, now + 24 * hour)['x-webhook-signature'], hex(second, body), 'the first one ends when it was to')

  t.same(rotated(once, third, now, now), [{ secret: third }], 'a leaked one ends at once')
  t.same(rotated(once, second, now, now), [{ secret: second }], 'the present one again ends the overlap')
  t.end()
})

test('webhook request - goes to the url of the endpoint, with the time of its form', (t) => {
  const endpoint = { url: 'https://example.com/hooks', payload_format: 'b', secrets: [{ secret: made }] }
  const request = requestOf(endpoint as unknown as WebhookEndpoint, event, '{}', Date.now())
  t.match(request, { method: 'POST', url: endpoint.url, body: '{}', timeoutMs: 30_000 })
  t.equal(request.headers['content-type'], 'application/json')
  t.end()
})
