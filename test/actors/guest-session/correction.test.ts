// What becomes of a guest's payment when the cost of the charge is corrected after its end.

import { type Test, test } from 'tap'
import { declared } from '../../support/declared-events.js'
import { done, id, minute, stageGuest, unknown } from '../../support/guest-stage.js'

const ended = { ended_at: '2026-11-01T00:03:00.000Z', currency: 'EUR' }
const refused = { ok: true, value: { type: 'refused', reason: 'the account is closed' } } as const

/** A charge that was closed by estimate at 7 EUR, and captured. */
async function captured() {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ ...ended, status: 'estimated', energy_wh: 7_000, cost: 7 })
  await stage.tell({ type: 'stop' }, true)
  await stage.provider(done)
  return stage
}

function money(t: Test, stage: ReturnType<typeof stageGuest>, fields: object): void {
  const event = declared(stage.outbox()).findLast((told) => told.event.startsWith('guest_session.'))
  t.match(event?.data, fields)
}

test('guest session - a cost that is corrected to less after the capture is refunded, once, and said', async (t) => {
  const stage = await captured()
  await stage.session({ ...ended, status: 'completed', energy_wh: 5_000, cost: 5 })
  await stage.tell({ type: 'session-changed' })
  t.match(stage.asked().at(-1), {
    operation: 'refund',
    key: `${id}/refund/1`,
    authorization: 'ref_1',
    amountMinor: 200,
    currency: 'EUR',
  })
  t.match(stage.row(), { final_cost: 5, energy_wh: 5_000, payment: { refunds: [{ status: 'pending' }] } })
  money(t, stage, { final_cost: 5, captured_amount: 7, refunded_amount: 0, refund_pending_amount: 2 })
  await stage.tell({ type: 'session-changed' })
  await stage.provider(done)
  await stage.tell({ type: 'session-changed' })
  t.same(stage.operations().slice(2), [`refund ${id}/refund/1`])
  money(t, stage, { captured_amount: 7, refunded_amount: 2, refund_pending_amount: 0, written_off_amount: 0 })
  t.same(stage.events().slice(-2), ['guest_session.corrected', 'guest_session.refunded'])
  t.same(stage.wakeUps(), [])
})

test('guest session - a cost that is corrected to more after the capture is written off, and said', async (t) => {
  const stage = await captured()
  await stage.session({ ...ended, status: 'completed', energy_wh: 9_000, cost: 9 })
  await stage.tell({ type: 'session-changed' })
  t.equal(stage.operations().length, 2, 'the provider is asked for nothing')
  t.equal(stage.row().final_cost, 9)
  money(t, stage, { final_cost: 9, captured_amount: 7, refunded_amount: 0, written_off_amount: 2 })
  t.same(stage.events().slice(-2), ['guest_session.corrected', 'alert.triggered'])
})

test('guest session - what was written off is the first to go when the cost falls again', async (t) => {
  const stage = await captured()
  for (const [cost, written_off_amount, refund_pending_amount] of [
    [5, 0, 2],
    [6, 1, 2],
    [4, 0, 3],
  ] as const) {
    await stage.session({ ...ended, status: 'completed', cost })
    await stage.tell({ type: 'session-changed' })
    money(t, stage, { final_cost: cost, written_off_amount, refund_pending_amount })
  }
  await stage.provider(done)
  await stage.provider(done)
  money(t, stage, { refunded_amount: 3, refund_pending_amount: 0, written_off_amount: 0 })
})

test('guest session - a correction while the capture is under way waits for it', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ ...ended, status: 'completed', cost: 7 })
  await stage.tell({ type: 'session-changed' })
  await stage.provider(unknown)
  await stage.session({ ...ended, status: 'completed', cost: 5 })
  await stage.tell({ type: 'session-changed' })
  await stage.pass(3_000)
  t.match(stage.asked().at(-1), { operation: 'capture', amountMinor: 700 }, 'what was asked first may have been done')
  await stage.provider(done)
  t.match(stage.asked().at(-1), { operation: 'refund', amountMinor: 200 })
})

test('guest session - a refund survives a shard that ends before and after the provider was asked', async (t) => {
  const stage = await captured()
  await stage.session({ ...ended, status: 'completed', cost: 5 })
  await stage.wake('session/1')
  stage.restart()
  await stage.pass(2_000)
  t.match(stage.asked().at(-1), { operation: 'refund', amountMinor: 200 }, 'the change was told by its wake-up alone')
  stage.restart()
  await stage.pass(2_000)
  t.equal(stage.operations().filter((operation) => operation.startsWith('refund')).length, 2)
  t.same(new Set(stage.operations().slice(2)), new Set([`refund ${id}/refund/1`]), 'under the same key')
  await stage.provider(done)
  t.match(stage.row().payment.refunds, [{ status: 'refunded' }])
  t.same(stage.wakeUps(), [])
})

test('guest session - a refund that the provider refuses is owed, with an alert; one that it does not answer is tried again', async (t) => {
  const stage = await captured()
  await stage.session({ ...ended, status: 'completed', cost: 5 })
  await stage.tell({ type: 'session-changed' })
  await stage.provider(unknown)
  t.match(stage.row().payment.refunds, [{ status: 'pending', failures: 1 }])
  await stage.pass(3_000)
  await stage.provider(refused)
  money(t, stage, { refunded_amount: 0, refund_pending_amount: 0, owed_amount: 2, written_off_amount: 0 })
  t.same(stage.events().slice(-2), ['guest_session.payment_failed', 'alert.triggered'])
  await stage.pass(60 * minute, minute)
  t.equal(stage.operations().length, 4, 'it is not asked again')
})

test('guest session - a cost in a currency other than that of what was set aside is written off, and nothing is taken', async (t) => {
  const stage = stageGuest()
  await stage.offered()
  await stage.session({ ...ended, status: 'completed', cost: 7, currency: 'USD' })
  await stage.tell({ type: 'session-changed' })
  t.equal(stage.operations().at(-1), `release ${id}`)
  await stage.provider(done)
  money(t, stage, { final_cost: 7, currency: 'USD', captured_amount: null, written_off_amount: 7 })
})
