// The payments of guests over the built service and the sandbox provider, whose files say what was really set aside and taken.

import { test } from 'tap'
import { sessionOf, sessionsOf } from '../support/charge-point.js'
import {
  accounts,
  again,
  ask,
  authorize,
  begin,
  finish,
  setUp,
  setUpAlone,
  setUpAt,
  statusIs,
} from '../support/guest.js'
import { connectOcpp } from '../support/ocpp-client.js'
import { until } from '../support/until.js'

test('guest payments - a capture that fails is shown, and tried again until it is made, once', async (t) => {
  const { service, client } = await setUp()
  for (const method of ['pm_card_capture_fails_once', 'pm_card_capture_answer_lost']) {
    const { token, idTag } = await authorize(service, client, method)
    const { id } = await begin(client, idTag)
    await finish(client, id)
    t.match((await statusIs(service, token, 'capture_pending')).body, { status: 'stopped', final_cost: 4 })
    t.match((await statusIs(service, token, 'captured')).body, { captured_amount: 4, payment_error: null })
    const account = accounts(service).find((one) => one.method === method)
    t.match(account, { captures: { length: 1 }, capture_requests: 2 })
  }
})

test('guest payments - a capture that is refused for good is shown as failed', async (t) => {
  const { service, client } = await setUp()
  const { token, idTag } = await authorize(service, client, 'pm_card_capture_refused')
  await finish(client, (await begin(client, idTag)).id)
  t.match((await statusIs(service, token, 'failed')).body, {
    final_cost: 4,
    captured_amount: null,
    payment_error: String,
  })
})

test('guest payments - no more is taken than was set aside', async (t) => {
  const { service, client } = await setUp(['--guest-preauthorisation-amount', '3'])
  const { token, idTag } = await authorize(service, client)
  await finish(client, (await begin(client, idTag)).id)
  t.match((await statusIs(service, token, 'captured')).body, {
    final_cost: 4,
    captured_amount: 3,
    authorized_amount: 3,
    written_off_amount: 1,
  })
  t.match(accounts(service), [{ captures: [{ amount_minor: 300 }] }])
  const [session] = await sessionsOf(service, client.id)
  t.match(session, { cost: 4, payment: { captured_amount: 3, refunded_amount: 0, written_off_amount: 1 } })
})

test('guest payments - over kills, what is owed is refunded, and what was set aside is captured, once each', async (t) => {
  const { service, client } = await setUpAlone(t)
  const refundFails = 'pm_card_refund_fails_once'
  const captureFails = 'pm_card_capture_fails_once'
  const accountsOf = (method: string) => accounts(service).filter((account) => account.method === method)
  const { client: charging } = await setUpAt(service)
  const set = await authorize(service, charging, captureFails)
  const running = await begin(charging, set.idTag)

  const { token, idTag } = await authorize(service, client, refundFails)
  const { id } = await begin(client, idTag)
  await finish(client, id)
  const { session_id, written_off_amount } = (await statusIs(service, token, 'captured')).body
  t.equal(written_off_amount, 0)
  const opened = await service.request('POST', `/api/v1/portal/sessions/${session_id}/dispute`, { reason: 'too dear' })
  const dispute = `/api/v1/billing/disputes/${opened.body.dispute_id}`
  t.equal((await service.request('PATCH', dispute, { status: 'accepted', amount: 3 })).status, 200)
  await service.stop('SIGKILL')

  const second = await again(t, service)
  await t.test('a cost that is corrected after the capture is refunded over a failing provider', async (t) => {
    const status = await until(async () => {
      const { body } = await ask(second, 'GET', token, 'status')
      return body.refunded_amount === 1 && body
    })
    t.match(status, {
      final_cost: 3,
      captured_amount: 4,
      refund_pending_amount: 0,
      owed_amount: 0,
      payment_error: null,
    })
    t.match(accountsOf(refundFails), [{ captures: [{ amount_minor: 400 }], refunds: [{ amount_minor: 100 }] }])
    t.equal(accountsOf(refundFails)[0]?.refunds?.length, 1)
    t.match((await sessionOf(second, client.id, id)).payment, {
      status: 'captured',
      captured_amount: 4,
      refunded_amount: 1,
      written_off_amount: 0,
    })
  })
  await t.test('killed between the pre-authorisation and the capture, and before the second try', async (t) => {
    t.match((await ask(second, 'GET', set.token, 'status')).body, { payment_status: 'authorized' })
    const back = await connectOcpp(`${second.ocppUrl}/${charging.id}`)
    await finish(back, running.id)
    await statusIs(second, set.token, 'capture_pending')
    await second.stop('SIGKILL')

    const third = await again(t, service)
    const captured = (await statusIs(third, set.token, 'captured')).body
    t.match(captured, { status: 'stopped', final_cost: 4, captured_amount: 4 })
    t.match(accountsOf(captureFails), [{ captures: [{ amount_minor: 400 }], capture_requests: 2 }])
  })
})
