// Guest sessions over the built service: who may begin one, where, and how it ends.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { bootChargePoint, command, historyOf, secondsAgo, sessionOf } from '../support/charge-point.js'
import {
  accounts,
  ask,
  authorize,
  begin,
  finish,
  type GuestChargePoint,
  guestPath,
  setUp,
  setUpAlone,
  setUpWithoutTariff,
  statusIs,
  wish,
} from '../support/guest.js'
import { changeOwnSettings } from '../support/organization.js'
import type { Service } from '../support/service.js'
import { until } from '../support/until.js'

async function reserve(service: Service, client: GuestChargePoint, connector_id: number): Promise<string> {
  const asked = service.request('POST', '/api/v1/reservations', {
    charge_point_id: client.id,
    connector_id,
    expiry_date: secondsAgo(-3600),
    id_tag: 'TAG-9',
  })
  await client.answerNext({ status: 'Accepted' })
  return (await asked).body.reservation_id
}

test('guest sessions - a guest charges, stops, and pays what it cost, once', async (t) => {
  const { service, client } = await setUp()
  const { answer, token, idTag } = await authorize(service, client)
  t.equal(answer.status, 201)
  t.match(answer.body, { status: 'authorizing', payment_status: 'authorized', currency: 'EUR', authorized_amount: 50 })
  t.match(token, /^gst_[A-Za-z0-9_-]{22}$/)
  t.equal(idTag.length, 20)
  t.equal((await client.call('Authorize', { idTag })).payload.idTagInfo.status, 'Accepted')
  t.match((await ask(service, 'GET', token, 'status')).body, { status: 'authorizing', final_cost: null })
  t.equal((await ask(service, 'GET', token, 'receipt')).status, 409)

  const { id, status } = await begin(client, idTag)
  t.equal(status, 'Accepted')
  await until(async () => (await ask(service, 'GET', token, 'status')).body.status === 'charging')
  await client.call('MeterValues', {
    connectorId: 1,
    transactionId: id,
    meterValue: [{ timestamp: secondsAgo(600), sampledValue: [{ value: '6000' }] }],
  })
  const running = (await ask(service, 'GET', token, 'status')).body
  t.match(running, { energy_kwh: 5, cost_so_far: 2, currency: 'EUR', final_cost: null })

  const stopping = ask(service, 'POST', token, 'stop')
  t.match(await client.answerNext({ status: 'Accepted' }), [2, String, 'RemoteStopTransaction', { transactionId: id }])
  await finish(client, id)
  const stopped = await stopping
  t.equal(stopped.status, 200)
  t.match(stopped.body, { status: 'stopped', energy_kwh: 10, final_cost: 4, currency: 'EUR' })
  t.match(stopped.body, { payment_status: 'captured', captured_amount: 4, end_reason: 'charged' })
  t.match(accounts(service), [{ captures: [{ amount_minor: 400 }], capture_requests: 1, amount_minor: 5000 }])
  t.equal((await sessionOf(service, client.id, id)).auth_method, 'guest')

  t.match(
    (await ask(service, 'POST', token, 'stop')).body,
    { status: 'stopped', final_cost: 4 },
    'again changes nothing',
  )
  t.equal(accounts(service)[0]?.capture_requests, 1)
  const receipt = await ask(service, 'GET', token, 'receipt')
  t.match(receipt.headers.get('content-type'), /pdf/)
  t.ok(receipt.body.startsWith('%PDF'))
  t.equal(
    (await client.call('Authorize', { idTag })).payload.idTagInfo.status,
    'Expired',
    'the tag is good for nothing more',
  )
})

test('guest sessions - what cannot be paid or started leaves nothing set aside', async (t) => {
  const { service, client } = await setUp()
  const post = (fields: Readonly<Record<string, unknown>>) =>
    service.request('POST', `${guestPath}/authorize`, { ...wish(client), ...fields })
  const declined = await post({ payment_method_id: 'pm_card_declined' })
  t.match(declined, { status: 402, body: { error: { code: 'payment_declined' } } })
  t.equal((await post({ payment_method_id: 'pm_unheard_of' })).status, 402)
  t.match(await post({ payment_method_id: 'pm_card_unreachable' }), { status: 503 })
  t.match(await post({ connector_id: 3 }), { status: 400 })
  t.match(await post({ charge_point_id: 'NO-SUCH' }), { status: 404 })
  const refused = await authorize(service, client, 'pm_card_ok', 'Rejected')
  t.match(refused.answer, { status: 422, body: { error: { code: 'ocpp_rejected', charge_point_id: client.id } } })
  t.equal(refused.answer.body.error.message, 'the charge point refused: it answered Rejected')
  await until(() => accounts(service).every(({ released }) => released))
  t.equal((await begin(client, refused.idTag)).status, 'Expired', 'a start that comes all the same is not for nothing')
  await client.close()
  await until(async () => (await command(service, client.id, 'soft_reset')).body.error.code === 'charge_point_offline')
  t.match(await post({}), { status: 422, body: { error: { code: 'charge_point_offline' } } })
  const setAside = accounts(service).filter(({ amount_minor }) => amount_minor > 0)
  t.equal(setAside.length, 1, 'the card is not asked while the charge point is away')
})

test('guest sessions - one that is stopped before it began costs nothing', async (t) => {
  const { service, client } = await setUp()
  const { token, idTag } = await authorize(service, client)
  t.match(await ask(service, 'POST', token, 'stop'), {
    status: 200,
    body: { status: 'stopped', final_cost: 0, payment_status: 'released', end_reason: 'cancelled' },
  })
  t.match(accounts(service), [{ released: true, captures: [] }])
  t.equal((await begin(client, idTag)).status, 'Expired')
  t.equal((await ask(service, 'GET', token, 'receipt')).status, 409)
})

test('guest sessions - a token opens its own session, in its own organization, and is stored nowhere', async (t) => {
  const { service, client } = await setUpAlone(t)
  const { token } = await authorize(service, client)
  const other = await service.request('POST', '/api/v1/organizations', {
    name: 'Another',
    country: 'NL',
    contact_email: 'operations@example.com',
  })
  const headers = { authorization: `Bearer ${other.body.api_key}` }
  t.equal((await service.request('GET', `${guestPath}/${token}/status`, undefined, headers)).status, 404)
  t.equal((await service.request('POST', `${guestPath}/${token}/stop`, undefined, headers)).status, 404)
  t.equal((await ask(service, 'GET', `${token.slice(0, -1)}_`, 'status')).status, 404)
  const { headers: _, ...replayed } = await service.request('POST', `${guestPath}/${token}/stop`, undefined, {
    'idempotency-key': 'stop-1',
  })
  t.match(replayed, { status: 200, body: { session_token: token } })
  t.notOk(service.output().includes(token.slice(4)))
  await service.stop('SIGTERM')
  const stored = readdirSync(service.data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  t.ok(stored.length > 1)
  t.notOk(stored.some((bytes) => bytes.includes(token.slice(4))))
})

test('guest sessions - a tag is good for one charge, at its charge point', async (t) => {
  const { service, client } = await setUp()
  const other = await bootChargePoint(service, 'GUEST-OTHER-1')
  const { idTag } = await authorize(service, client)
  t.equal((await begin(other, idTag)).status, 'Invalid')
  const timestamp = secondsAgo(1800)
  const first = await begin(client, idTag.toLowerCase(), 1, timestamp)
  t.equal(first.status, 'Accepted')
  t.strictSame(await begin(client, idTag.toLowerCase(), 1, timestamp), first, 'a repeat is the same charge')
  t.equal((await begin(client, idTag, 2)).status, 'ConcurrentTx')
})

test('guest sessions - a tag that was tried elsewhere is good at its charge point, where a tag may charge once', async (t) => {
  const { service, client } = await setUp()
  t.equal((await changeOwnSettings(service, { concurrent_transactions: 'reject' })).status, 200)
  const other = await bootChargePoint(service, 'GUEST-OTHER-2')
  const { token, idTag } = await authorize(service, client)
  const elsewhere = await begin(other, idTag)
  t.equal(elsewhere.status, 'Invalid')
  const { id, status } = await begin(client, idTag)
  t.equal(status, 'Accepted')
  await finish(other, elsewhere.id)
  await finish(client, id)
  t.match((await statusIs(service, token, 'captured')).body, { captured_amount: 4 })
})

test('guest sessions - a connector that is reserved is not for guests, before anything is set aside', async (t) => {
  const { service, client } = await setUp()
  const reservation = await reserve(service, client, 1)
  t.match(await service.request('POST', `${guestPath}/authorize`, wish(client)), {
    status: 409,
    body: { error: { code: 'connector_in_use', message: /reserved/ } },
  })
  const cancelled = service.request('DELETE', `/api/v1/reservations/${reservation}`)
  await client.answerNext({ status: 'Accepted' })
  await cancelled
  t.equal((await authorize(service, client)).answer.status, 201, 'once it is cancelled')
  t.equal(accounts(service).length, 1)
})

test('guest sessions - one whose connector is reserved before the guest plugs in ends without cost', async (t) => {
  const { service, client } = await setUp()
  const { token, idTag } = await authorize(service, client)
  await reserve(service, client, 1)
  const start = { connectorId: 1, idTag, meterStart: 1000, timestamp: secondsAgo(-1) }
  const { payload } = await client.call('StartTransaction', start)
  t.equal(payload.idTagInfo.status, 'Invalid')
  t.match(await sessionOf(service, client.id, payload.transactionId), {
    flags: ['not_authorized', 'reserved_for_another'],
  })
  const { body } = await statusIs(service, token, 'released')
  t.match(body, { status: 'stopped', final_cost: 0, end_reason: 'reserved' })
  t.match(accounts(service), [{ released: true, captures: [] }])
})

test('guest sessions - a charge that ends at the charge point is captured, and stopping it then is no error', async (t) => {
  const { service, client } = await setUp()
  const { token, idTag } = await authorize(service, client)
  const { id } = await begin(client, idTag)
  await finish(client, id)
  await statusIs(service, token, 'captured')
  t.match(await ask(service, 'POST', token, 'stop'), { status: 200, body: { status: 'stopped', final_cost: 4 } })
  t.notOk((await historyOf(service, client.id)).some((entry) => entry.command === 'RemoteStopTransaction'))
})

test('guest sessions - a connector has one guest at a time, and none while it charges', async (t) => {
  const { service, client } = await setUp()
  const post = (connector_id: number) =>
    service.request('POST', `${guestPath}/authorize`, { ...wish(client), connector_id })
  const both = Promise.all([post(1), post(1)])
  await client.answerNext({ status: 'Accepted' })
  const [won, lost] = (await both).sort((a, b) => a.status - b.status)
  t.equal(won?.status, 201)
  t.match(lost, { status: 409, body: { error: { code: 'connector_in_use', charge_point_id: client.id } } })
  t.equal(accounts(service).length, 1, 'nothing was set aside for the other')
  t.match(await post(1), { status: 409, body: { error: { code: 'connector_in_use' } } })

  await ask(service, 'POST', won?.body.session_token, 'stop')
  const { idTag, token } = await authorize(service, client)
  const { id } = await begin(client, idTag)
  t.match((await ask(service, 'GET', token, 'receipt')).body.error, { code: 'session_not_ended' })
  await begin(client, 'TAG-1', 2)
  t.match(await post(2), { status: 409, body: { error: { code: 'connector_in_use' } } }, 'somebody else charges there')
  await finish(client, id)
  await statusIs(service, token, 'captured')
  t.equal((await authorize(service, client)).answer.status, 201, 'the connector is free again')
})

test('guest sessions - a charge point without a tariff takes no guest; the default tariff of the organization is one', async (t) => {
  const { service, client } = await setUpWithoutTariff()
  const refused = await service.request('POST', `${guestPath}/authorize`, wish(client))
  t.match(refused, { status: 409, body: { error: { code: 'no_tariff', charge_point_id: client.id } } })
  const components = [{ type: 'energy', price: 0.5 }]
  const { body } = await service.request('POST', '/api/v1/billing/tariffs', { name: 'A', currency: 'USD', components })
  await changeOwnSettings(service, { default_tariff_id: body.tariff_id })
  const { answer, token, idTag } = await authorize(service, client)
  t.match(answer, { status: 201, body: { currency: 'USD' } })
  await finish(client, (await begin(client, idTag)).id)
  t.match((await statusIs(service, token, 'captured')).body, { final_cost: 5, currency: 'USD' })
})
