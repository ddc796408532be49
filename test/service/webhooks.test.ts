// Webhooks of the built service, at real receivers: what arrives, in which form, and that two verifiers which share no code
// with the service accept the signatures: the public library of Standard Webhooks, and the interface's own words.

import { Webhook } from 'standardwebhooks'
import { t, test } from 'tap'
import { bootChargePoint, startRequest } from '../support/charge-point.js'
import { faultOfEvent } from '../support/declared-events.js'
import { connectOcpp, type OcppClient } from '../support/ocpp-client.js'
import { makeOrganization, tenantOf } from '../support/organization.js'
import { hasBodySignature, type Received, startReceiver } from '../support/receiver.js'
import { until } from '../support/until.js'
import { deliveriesOf, makeEndpoint, startLaboratory, webhooksPath } from '../support/webhooks.js'

/** Each test has an organization of its own there. */
const laboratory = await startLaboratory(t)

/** How long a receiver of form A may take; a little less, as it is measured at the receiver. */
const hangsMs = 9_900
/** Until the first retry in form B. */
const retryMs = 5_000

function libraryAccepts({ headers, body }: Received, secret: string): boolean {
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined
  } catch {
    return false
  }
}

/** Statuses in turn, so that each is a change. */
async function changeStatus(client: OcppClient, connectorId: number, times: number): Promise<void> {
  for (let number = 0; number < times; number++)
    await client.call('StatusNotification', {
      connectorId,
      errorCode: 'NoError',
      status: number % 2 === 0 ? 'Preparing' : 'Available',
    })
}

test('webhooks - a session arrives in both forms, and two independent verifiers accept every delivery of the run', async (t) => {
  const service = await tenantOf(laboratory)
  const receiver = await startReceiver(t)
  const plain = 'the-secret-of-form-b'
  const a = await makeEndpoint(service, `${receiver.url}/a`)
  const b = await makeEndpoint(service, `${receiver.url}/b`, {
    payload_format: 'b',
    secret: plain,
    events: ['session.started', 'session.ended'],
  })
  const client = await bootChargePoint(service, 'CP-1')
  await changeStatus(client, 1, 6)
  const { payload } = await client.call('StartTransaction', startRequest())
  const { transactionId } = payload
  await client.call('StopTransaction', { transactionId, meterStop: 2_000, timestamp: new Date().toISOString() })
  const named = (path: string, event: string) =>
    receiver.received.find((one) => one.path === path && one.json.event === event)
  await until(() => named('/a', 'session.ended') !== undefined && named('/b', 'session.ended') !== undefined)

  const ofA = receiver.received.filter(({ path }) => path === '/a')
  const ofB = receiver.received.filter(({ path }) => path === '/b')
  t.ok(ofA.length >= 9, `${ofA.length} deliveries`)
  t.ok(ofA.every((one) => libraryAccepts(one, a.secret)))
  t.ok(ofA.every((one) => hasBodySignature(one, 'x-webhook-signature', a.secret)))
  t.ok(ofB.every((one) => libraryAccepts(one, Buffer.from(plain).toString('base64'))))
  t.ok(ofB.every((one) => hasBodySignature(one, 'x-service-signature', plain)))
  t.notOk(ofA.some((one) => libraryAccepts(one, b.secret) || hasBodySignature(one, 'x-webhook-signature', b.secret)))

  t.same(
    ofA.map(({ json }) => faultOfEvent(json.event, json.data)).filter((fault) => fault !== undefined),
    [],
  )
  t.same(
    ofA.map(({ json }) => json.data.status).filter((status) => status === 'Preparing' || status === 'Available'),
    ['Preparing', 'Available', 'Preparing', 'Available', 'Preparing', 'Available'],
    'in their order',
  )
  t.same(
    ofB.map(({ json }) => json.event),
    ['session.started', 'session.ended'],
  )
  const started = ofB[0]?.json
  t.match(started, { id: ofB[0]?.headers['webhook-id'], api_version: String, created_at: String })
  t.match(started.object, { charge_point_id: 'CP-1', connector_id: 1, id_tag: 'TAG-1' })
  t.match(ofB[0]?.headers, { 'user-agent': /^ampshard\//, 'content-type': 'application/json' })

  const listed = await until(async () => {
    const found = await deliveriesOf(service, b.id)
    return found.length === 2 && found
  })
  t.match(listed, [
    { event_type: 'session.ended', status: 'delivered', http_status: 200, attempts: 1 },
    { event_type: 'session.started', status: 'delivered', http_status: 200, attempts: 1 },
  ])
  for (const secret of [a.secret, plain]) t.notOk(service.output().includes(secret))
  const metrics = await laboratory.request('GET', '/metrics')
  t.match(metrics.body, /ampshard_webhook_attempts_total\{shard="0",outcome="succeeded"\} \d+/)
  await client.close()
})

test('webhooks - in a rotation a receiver with either secret accepts, and then only with the new one', async (t) => {
  const service = await tenantOf(laboratory)
  const receiver = await startReceiver(t)
  const old = await makeEndpoint(service, receiver.url)
  const testOf = async () => {
    const { status, body } = await service.request('POST', `${webhooksPath}/${old.id}/test`)
    t.same([status, body.status, body.response_code], [200, 'succeeded', 200])
    return receiver.received.at(-1) as Received
  }
  const rotate = async (body?: unknown): Promise<string> =>
    (await service.request('POST', `${webhooksPath}/${old.id}/rotate-secret`, body)).body.secret
  const secret = await rotate()
  const during = await testOf()
  for (const either of [old.secret, secret]) t.ok(libraryAccepts(during, either))
  t.ok(
    hasBodySignature(during, 'x-webhook-signature', old.secret),
    'receivers that know of one secret still have the old one',
  )
  t.equal(await rotate({ secret, overlap_seconds: 0 }), null)
  const after = await testOf()
  t.ok(libraryAccepts(after, secret))
  t.notOk(libraryAccepts(after, old.secret))
  t.ok(hasBodySignature(after, 'x-webhook-signature', secret))
})

test('webhooks - a test tells what the receiver answered, or why there was no answer', async (t) => {
  const service = await tenantOf(laboratory)
  const receiver = await startReceiver(t, () => ({ status: 403 }))
  const { id } = await makeEndpoint(service, receiver.url, { active: false, events: ['session.started'] })
  const refused = await service.request('POST', `${webhooksPath}/${id}/test`)
  t.match(refused.body, { event: 'webhook.test', status: 'failed', attempts: 1, response_code: 403 })
  t.match(receiver.received[0]?.json, { event: 'webhook.test', data: { endpoint_id: id } })
  await receiver.stop()
  const unreachable = await service.request('POST', `${webhooksPath}/${id}/test`)
  t.match(unreachable.body, { status: 'failed', response_code: null, error: /refused/ })
})

test('webhooks - the events of an organization go to its own endpoints alone', async (t) => {
  const service = await tenantOf(laboratory)
  const receiver = await startReceiver(t)
  const other = await makeOrganization(laboratory)
  await makeEndpoint(service, `${receiver.url}/first`)
  await makeEndpoint(other, `${receiver.url}/second`)
  const first = await bootChargePoint(service, 'TWO-1')
  await other.request('POST', '/api/v1/chargepoints', {
    charge_point_id: 'TWO-2',
    name: 'Second',
    latitude: 1,
    longitude: 1,
    address: 'Somewhere 2',
    connector_count: 1,
    max_power_kw: 22,
  })
  const second = await connectOcpp(`${service.ocppUrl}/TWO-2`)
  await second.boot()
  const arrived = (path: string) => receiver.received.filter((one) => one.path === path)
  await until(() => arrived('/first').length > 0 && arrived('/second').length > 0)
  t.ok(arrived('/first').every(({ json }) => json.data.charge_point_id === 'TWO-1'))
  t.ok(arrived('/second').every(({ json }) => json.data.charge_point_id === 'TWO-2'))
  await first.close()
  await second.close()
})

test('webhooks - an endpoint that hangs holds a few connections, then one, and delays no other', async (t) => {
  const service = await tenantOf(laboratory)
  const healthy = await startReceiver(t)
  const hanging = await startReceiver(t, () => 'hang')
  await makeEndpoint(service, hanging.url)
  await makeEndpoint(service, healthy.url)
  const clients = await Promise.all(
    Array.from({ length: 10 }, (_, number) => bootChargePoint(service, `HANG-${number}`)),
  )
  await Promise.all(clients.map((client) => changeStatus(client, 1, 20)))
  await until(() => healthy.received.filter(({ json }) => json.event === 'charge_point.status_changed').length >= 200)
  const lags = healthy.received.map(({ at, json }) => at - Date.parse(json.timestamp)).sort((one, two) => one - two)
  t.ok((lags[Math.floor(lags.length * 0.99)] ?? 0) < hangsMs, `p99 ${lags[Math.floor(lags.length * 0.99)]} ms`)
  t.ok((await hanging.connections()) <= 4, 'as many as it is tried with')
  // None of them has an end before this, and so none has a successor.
  const [first] = hanging.received
  t.ok(hanging.received.filter(({ at }) => at < (first?.at ?? 0) + hangsMs).length <= 4)
  const order = clients.map((_, number) =>
    healthy.received.filter(({ json }) => json.data.charge_point_id === `HANG-${number}` && json.data.previous_status),
  )
  for (const own of order)
    t.same(
      own.map(({ json }) => json.data.status),
      Array.from({ length: own.length }, (_, at) => ((at + 20 - own.length) % 2 === 0 ? 'Preparing' : 'Available')),
    )
  await Promise.all(clients.map((client) => client.close()))
})

test('webhooks - an endpoint that is removed while a delivery is under way is sent nothing more', async (t) => {
  const service = await tenantOf(laboratory)
  const hanging = await startReceiver(t, () => 'hang')
  const { id } = await makeEndpoint(service, hanging.url)
  const client = await bootChargePoint(service, 'REMOVED-1')
  await until(() => hanging.received.length === 1)
  t.equal((await service.request('DELETE', `${webhooksPath}/${id}`)).status, 204)
  t.equal((await service.request('GET', `${webhooksPath}/${id}/deliveries`)).status, 404)
  const receiver = await startReceiver(t)
  await makeEndpoint(service, receiver.url)
  await changeStatus(client, 1, 5)
  await until(() => receiver.received.length >= 5)
  t.equal(hanging.received.length, 1)
  await client.close()
})

test('webhooks - a failed delivery is retried after 5 s in form B, and a replay sends it again under its id', async (t) => {
  const service = await tenantOf(laboratory)
  let requests = 0
  const receiver = await startReceiver(t, () => ({ status: ++requests === 1 ? 500 : 200 }))
  const { id } = await makeEndpoint(service, receiver.url, { payload_format: 'b', events: ['charge_point.connected'] })
  const client = await bootChargePoint(service, 'RETRIED-1')
  const failed = await until(async () => (await deliveriesOf(service, id, '&status=pending'))[0])
  t.ok((await service.request('GET', `${webhooksPath}/${id}`)).body.failing_since)
  const wanted = Date.parse(failed.next_retry_at)
  t.ok(wanted - Date.parse(failed.last_attempted_at) >= retryMs)
  await until(() => receiver.received.length === 2)
  const late = (receiver.received[1]?.at ?? 0) - wanted
  t.ok(late >= -5 && late < retryMs, `the retry is ${late} ms late`)
  const delivered = await until(async () => (await deliveriesOf(service, id, '&status=delivered'))[0])
  t.match(delivered, { id: failed.id, attempts: 2, next_retry_at: null })
  const replayed = await service.request('POST', `${webhooksPath}/${id}/deliveries/${failed.id}/replay`)
  t.equal(replayed.status, 202)
  await until(() => receiver.received.length === 3)
  // A delivery that is under way is not sent again.
  await until(async () => (await deliveriesOf(service, id, '&status=delivered')).length === 1)
  const from = new Date(Date.parse(failed.last_attempted_at) - 60_000).toISOString()
  const period = await service.request('POST', `${webhooksPath}/${id}/replay`, { from, only_failed: false })
  t.equal(period.status, 202)
  await until(() => receiver.received.length === 4)
  t.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  t.equal((await service.request('GET', `${webhooksPath}/${id}`)).body.failing_since, null)
  await client.close()
})
