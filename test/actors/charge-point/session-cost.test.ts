// What a session costs, from its start under a tariff to its end, and to the correction of its end.

import { test } from 'tap'
import { billingRulesTable } from '../../../src/records/billing-rule.js'
import { tariffAssignmentsTable, tariffsTable } from '../../../src/records/tariff.js'
import { tariffSnapshotsTable } from '../../../src/records/tariff-snapshot.js'
import { rule, tariff } from '../../pricing/examples.js'
import { charging, minuteMs } from './charge.js'

const perKwh = { components: [{ type: 'energy' as const, price: 0.4 }], tax_percentage: 20 }
const discount = { organization_id: 'org_1', actions: [{ type: 'discount_percent' as const, value: 50 }] }

test('session cost - energy, the fee and idle time are priced at the close, in the commit that ends the session', async (t) => {
  const charge = await charging({
    components: [
      { type: 'energy', price: 0.4 },
      { type: 'flat', price: 1 },
      { type: 'idle', price: 6, grace_minutes: 10 },
    ],
    tax_percentage: 20,
  })
  const transactionId = await charge.start()
  await charge.status('Charging')
  charge.pass(60 * minuteMs)
  await charge.status('SuspendedEV')
  charge.pass(30 * minuteMs)
  await charge.stop(transactionId)
  const session = charge.session(transactionId)
  // 10 kWh, one fee, 20 of 30 idle minutes: 4 + 1 + 2, and a fifth of it.
  t.match(session, { status: 'completed', tariff_id: 'trf_1', currency: 'EUR', cost: 8.4, auth_method: 'rfid' })
  t.notOk('cost_so_far' in session)
  t.match(charge.cost(transactionId)?.priced, { subtotal: 7, tax: 1.4, total: 8.4 })
  t.same(
    charge.cost(transactionId)?.priced.lines.map(({ type, amount }) => [type, amount]),
    [
      ['energy', 4],
      ['flat', 1],
      ['idle', 2],
    ],
  )
  t.match(charge.events('session.started'), [
    {
      id: session.session_id,
      session_id: session.session_id,
      charge_point_id: 'CP-1',
      connector_id: 1,
      id_tag: 'TAG-1',
      driver_id: 'TAG-1',
      authorization_method: 'rfid',
      tariff_id: 'trf_1',
      site_id: null,
    },
  ])
  const parts = { subtotal: 7, tax: 1.4, meter_start: 1_000, meter_stop: 11_000, tariff_id: 'trf_1', flags: [] }
  t.match(charge.events('session.ended'), [{ cost: 8.4, currency: 'EUR', energy_kwh: 10, ...parts }])
})

test('session cost - sessions of one tariff share one stored snapshot', async (t) => {
  const charge = await charging(perKwh)
  for (let times = 0; times < 3; times++) {
    const transactionId = await charge.start()
    charge.pass(60 * minuteMs)
    await charge.stop(transactionId)
    charge.pass(60 * minuteMs)
  }
  t.equal(charge.view().list(tariffSnapshotsTable, []).length, 1)
})

test('session cost - a tariff that is replaced or deleted in the middle reaches the next session, not this one', async (t) => {
  const charge = await charging(perKwh)
  const first = await charge.start()
  await charge.put(tariffsTable, tariff({ ...perKwh, currency: 'USD', version: 2, tax_percentage: 0 }))
  charge.pass(60 * minuteMs)
  await charge.stop(first)
  t.match(charge.session(first), { cost: 4.8, currency: 'EUR' })
  const second = await charge.start({ meterStart: 11_000 })
  await charge.remove(tariffsTable, ['trf_1'])
  await charge.remove(tariffAssignmentsTable, ['CP-1'])
  charge.pass(60 * minuteMs)
  await charge.stop(second, { meterStop: 21_000 })
  t.match(charge.session(second), { cost: 4, currency: 'USD' })
  const third = await charge.start({ meterStart: 21_000 })
  charge.pass(60 * minuteMs)
  await charge.stop(third, { meterStop: 31_000 })
  const session = charge.session(third)
  t.notOk('cost' in session || 'currency' in session || 'tariff_id' in session)
  t.equal(charge.cost(third), undefined)
  t.match(charge.events('session.ended').at(-1), { cost: null, currency: null })
})

test('session cost - a late StopTransaction prices anew, by the rules of the first close', async (t) => {
  const charge = await charging(perKwh)
  await charge.put(billingRulesTable, rule(discount))
  const transactionId = await charge.start()
  charge.pass(30 * minuteMs)
  await charge.meter(transactionId, 6_000)
  charge.pass(30 * minuteMs)
  await charge.start({ meterStart: 20_000, idTag: 'TAG-2' })
  // 5 kWh: 2.00, half of it, and the tax.
  t.match(charge.session(transactionId), { status: 'estimated', cost: 1.2, stop_reason: 'PowerLoss' })
  await charge.put(billingRulesTable, rule({ ...discount, active: false, version: 2 }))
  await charge.put(
    billingRulesTable,
    rule({ ...discount, rule_id: 'rul_2', actions: [{ type: 'set_total', value: 99 }] }),
  )
  charge.restart()
  await charge.attach(1, 100)
  await charge.stop(transactionId)
  t.match(charge.session(transactionId), { status: 'completed', cost: 2.4 })
  t.equal(charge.cost(transactionId)?.rules.length, 1)
  t.same(
    charge.events('session.ended').map(({ status, cost }) => [status, cost]),
    [
      ['estimated', 1.2],
      ['completed', 2.4],
    ],
  )
})

test('session cost - a tariff that cannot be read keeps no session from starting and ending', async (t) => {
  const charge = await charging({ ...perKwh, components: undefined as never })
  const transactionId = await charge.start()
  charge.pass(60 * minuteMs)
  await charge.stop(transactionId)
  const session = charge.session(transactionId)
  t.match(session, { status: 'completed', energy_wh: 10_000, flags: ['tariff_unusable'] })
  t.notOk('cost' in session)
})

test('session cost - a rule or a snapshot that cannot be read keeps no session from ending', async (t) => {
  const charge = await charging(perKwh)
  await charge.put(billingRulesTable, rule({ ...discount, conditions: null as never }))
  const transactionId = await charge.start()
  charge.pass(60 * minuteMs)
  await charge.stop(transactionId)
  t.match(charge.session(transactionId), { status: 'completed', flags: ['not_priced'] })
  t.match(charge.events('session.ended'), [{ cost: null, currency: 'EUR' }])
  const next = await charge.start({ meterStart: 11_000 })
  await charge.remove(billingRulesTable, ['rul_1'])
  await charge.remove(tariffSnapshotsTable, [String(charge.session(next).tariff_snapshot)])
  await charge.meter(next, 12_000)
  await charge.stop(next, { meterStop: 12_000 })
  t.match(charge.session(next), { status: 'completed', flags: ['not_priced'] })
})

test('running cost - it is told when it has changed, at most once a minute, also over a restart', async (t) => {
  const charge = await charging({
    components: [
      { type: 'energy', price: 0.4 },
      { type: 'flat', price: 1 },
    ],
  })
  const transactionId = await charge.start()
  t.equal(charge.session(transactionId).cost_so_far, 1)
  await charge.meter(transactionId, 1_000)
  t.same(charge.events('session.cost_updated'), [], 'nothing has changed yet')
  await charge.meter(transactionId, 3_500)
  charge.pass(30_000)
  await charge.meter(transactionId, 4_000)
  t.match(charge.events('session.cost_updated'), [{ cost: 2, currency: 'EUR', energy_kwh: 2.5 }])
  charge.restart()
  await charge.attach(1, 100)
  charge.pass(20_000)
  await charge.meter(transactionId, 5_000)
  t.equal(charge.events('session.cost_updated').length, 1)
  charge.pass(10_000)
  await charge.meter(transactionId, 6_000)
  t.match(charge.events('session.cost_updated').at(-1), { cost: 3, energy_kwh: 5 })
  charge.pass(2 * minuteMs)
  await charge.meter(transactionId, 6_000)
  t.equal(charge.events('session.cost_updated').length, 2, 'the same again is no news')
  await charge.stop(transactionId)
  await charge.meter(transactionId, 12_000)
  t.equal(charge.events('session.cost_updated').length, 2, 'a session that has ended has one cost')
})

test('running cost - a status alone may change it', async (t) => {
  const charge = await charging({ components: [{ type: 'time', price: 6 }] })
  await charge.start()
  charge.pass(10 * minuteMs)
  await charge.status('SuspendedEV')
  t.match(charge.events('session.cost_updated'), [{ cost: 1, duration_seconds: 600 }])
})

test('statuses - they are those of the session, in their order, and bounded', async (t) => {
  const charge = await charging(perKwh)
  await charge.status('Preparing')
  const transactionId = await charge.start()
  await charge.status('Charging')
  await charge.status('Charging')
  await charge.status('Faulted', { connectorId: 2 })
  charge.pass(minuteMs)
  await charge.status('SuspendedEV', { timestamp: '2025-12-31T00:00:00Z' })
  t.same(
    charge.session(transactionId).statuses?.map(({ status, at }) => [status, at - Date.parse('2026-01-02')]),
    [
      ['Charging', 0],
      ['SuspendedEV', minuteMs],
    ],
  )
  for (let times = 0; times < 300; times++) {
    charge.pass(1_000)
    await charge.status(times % 2 === 0 ? 'Charging' : 'SuspendedEVSE')
  }
  const { statuses = [], earlier_statuses: earlier } = charge.session(transactionId)
  t.equal(statuses.length, 102)
  t.match(earlier, { until: statuses[0]?.at, has_charged: true })
  t.match(statuses.at(-1), { status: 'SuspendedEVSE', at: charge.clock.wall })
})

test('statuses - what the connector told while the start waited in its queue is the session’s', async (t) => {
  const charge = await charging(perKwh)
  const begun = charge.now()
  charge.pass(20 * minuteMs)
  await charge.status('SuspendedEV')
  const transactionId = await charge.start({ timestamp: begun })
  t.match(charge.session(transactionId).statuses, [{ status: 'SuspendedEV' }])
})

test('session cost - what was agreed in a dispute holds when a late StopTransaction prices anew', async (t) => {
  const charge = await charging(perKwh)
  const transactionId = await charge.start()
  charge.pass(30 * minuteMs)
  await charge.meter(transactionId, 6_000)
  await charge.start({ meterStart: 20_000, idTag: 'TAG-2' })
  const { session_id: sessionId } = charge.session(transactionId)
  await charge.ask({ type: 'open-dispute', sessionId, reason: 'it was cold' })
  await charge.ask({ type: 'decide-dispute', sessionId, ordinal: 0, status: 'accepted', amount: 1, by: 'somebody' })
  t.match(charge.session(transactionId), { status: 'estimated', cost: 1 })
  charge.restart()
  await charge.attach(1, 100)
  await charge.stop(transactionId)
  t.match(charge.session(transactionId), { status: 'completed', cost: 1 })
  t.match(charge.cost(transactionId)?.priced, { subtotal: 4, total: 1 })
})
