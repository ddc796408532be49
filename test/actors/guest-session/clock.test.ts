// Guests while somebody sets the clock: requests to the provider go on as if nobody had, and nobody is given up.

import { test } from 'tap'
import { done, minute, stageGuest, unknown } from '../../support/guest-stage.js'

const hour = 60 * minute
const day = 24 * hour

async function owed(aheadMs: number) {
  const stage = stageGuest()
  stage.clock.set(stage.clock.now() + aheadMs)
  await stage.offered()
  const ended_at = new Date(stage.clock.now()).toISOString()
  await stage.session({ status: 'completed', ended_at, energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  return stage
}

test('guest session - a capture that begins while the clock is ahead is retried as often as with a right clock', async (t) => {
  const asked = async (aheadMs: number): Promise<number> => {
    const stage = await owed(aheadMs)
    stage.clock.set(stage.clock.now() - aheadMs)
    await stage.pass(6 * hour, minute)
    return stage.operations().filter((operation) => operation.startsWith('capture')).length
  }
  const usual = await asked(0)
  t.ok(usual > 300, `${usual} times`)
  t.equal(await asked(day), usual)
  t.equal(await asked(9 * day), usual)
})

test('guest session - a clock that jumps ahead gives up no payment', async (t) => {
  const stage = await owed(0)
  await stage.provider(unknown)
  stage.clock.set(stage.clock.now() + 400 * day)
  await stage.pass(10 * minute, minute)
  await stage.provider(unknown)
  t.match(stage.row().payment, { status: 'capture_pending', failures: 2 })
  await stage.pass(10 * minute, minute)
  await stage.provider(done)
  t.equal(stage.row().payment.status, 'captured')
})

test('guest session - a guest who has not plugged in keeps the time for it over a jump of the clock, and no more', async (t) => {
  for (const jump of [2 * day, -6 * hour]) {
    const stage = stageGuest()
    await stage.offered()
    stage.clock.set(stage.clock.now() + jump)
    await stage.pass(14 * minute, minute)
    t.equal(stage.row().status, 'authorizing')
    await stage.pass(2 * minute, minute)
    t.match(stage.row(), { status: 'stopped', end: 'not_started' })
  }
})

test('guest session - an estimated end by a clock that was ahead is the bill after a while', async (t) => {
  const stage = stageGuest()
  stage.clock.set(stage.clock.now() + day)
  await stage.offered()
  await stage.session({ status: 'active' })
  await stage.tell({ type: 'session-changed' })
  const ended_at = new Date(stage.clock.now()).toISOString()
  await stage.session({ status: 'estimated', ended_at, energy_wh: 10_000, cost: 4 })
  await stage.tell({ type: 'session-changed' })
  stage.clock.set(stage.clock.now() - day)
  await stage.pass(17 * minute, minute)
  t.match(stage.row(), { status: 'stopped', end: 'charged', payment: { status: 'capture_pending' } })
})
