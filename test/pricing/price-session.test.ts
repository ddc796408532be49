import { test } from 'tap'
import { limits } from '../../src/pricing/limits.js'
import { priceSession } from '../../src/pricing/price-session.js'
import { conditionFields } from '../../src/pricing/rule-terms.js'
import { component, minute, rule, session, snapshot, start } from './examples.js'

test('pricing - a null price has become 0 and leaves a line of 0', (t) => {
  t.match(priceSession(session(5), snapshot([component('energy', 0)]), []), { lines: [{ amount: 0 }], total: 0 })
  t.end()
})

test('pricing - lines whose fractions add up to a cent sum to the subtotal', (t) => {
  // 0.004 and 0.004 are 0.008: a cent in the subtotal, so a cent in one of the lines.
  const priced = priceSession(session(0.01, 0), snapshot([component('energy', 0.4), component('flat', 0.004)]), [])
  t.equal(priced.subtotal, 0.01)
  t.same(
    priced.lines.map((line) => line.amount),
    [0.01, 0],
  )
  t.end()
})

test('pricing - half a cent is rounded up', (t) => {
  t.equal(priceSession(session(1), snapshot([component('energy', 1.005)]), []).total, 1.01)
  t.equal(priceSession(session(1), snapshot([component('energy', 0.1)], 5), []).tax, 0.01)
  t.end()
})

test('pricing - yen have no decimals, dinars three', (t) => {
  const yen = priceSession(session(10.5), snapshot([component('energy', 31.7)], 10, 'JPY'), [])
  t.match(yen, { subtotal: 333, tax: 33, total: 366, currency: 'JPY' })
  const dinars = priceSession(session(10.5), snapshot([component('energy', 0.0317)], 10, 'KWD'), [])
  t.match(dinars, { subtotal: 0.333, tax: 0.033, total: 0.366 })
  t.end()
})

test('pricing - tax of 0 and of 100 percent', (t) => {
  t.match(priceSession(session(3), snapshot([component('energy', 0.33)], 0), []), { tax: 0, total: 0.99 })
  t.match(priceSession(session(3), snapshot([component('energy', 0.33)], 100), []), { tax: 0.99, total: 1.98 })
  t.end()
})

test('pricing - idle time is free within its grace, and then time itself is rounded', (t) => {
  const tariff = snapshot([component('time', 6, 3600), component('idle', 12, 600, 30)])
  const within = priceSession(session(0, 61, 30), tariff, [])
  t.match(within.lines, [
    { type: 'time', quantity: 2, amount: 12 },
    { type: 'idle', quantity: 0, amount: 0 },
  ])
  const beyond = priceSession(session(0, 61, 41), tariff, [])
  t.match(beyond.lines, [
    { type: 'time', quantity: 1.016667, amount: 6.1 },
    { type: 'idle', quantity: 0.333333, amount: 4 },
  ])
  t.match(beyond.trace.lines[1], { measured: 41 * 60, grace: 30 * 60, billed: 20 * 60, step_size: 600 })
  t.equal(beyond.trace.lines[0]?.step_applied, false)
  t.end()
})

test('pricing - suspended charging is time, not idle time', (t) => {
  const spans = [
    { state: 'suspended-evse' as const, from: start + 10 * minute, to: start + 20 * minute },
    { state: 'suspended-ev' as const, from: start + 20 * minute, to: start + 25 * minute },
  ]
  const priced = priceSession(session(0, 60, 0, { spans }), snapshot([component('time', 1), component('idle', 9)]), [])
  t.match(priced, { total: 1, trace: { time: { idle_seconds: 0, suspended_by_charge_point_seconds: 600 } } })
  t.end()
})

test('pricing - overlapping idle spans, and spans outside the session, are counted once and clipped', (t) => {
  const spans = [
    { state: 'idle' as const, from: start + 50 * minute },
    { state: 'idle' as const, from: start + 40 * minute, to: start + 55 * minute },
    { state: 'idle' as const, from: start - 40 * minute, to: start },
  ]
  const priced = priceSession(session(0, 60, 0, { spans }), snapshot([component('idle', 6)]), [])
  t.match(priced, { total: 2, trace: { time: { idle_spans: { length: 1 } } } })
  t.end()
})

test('pricing - a fee is due once, and a second component of a type is not used', (t) => {
  const priced = priceSession(session(0, 0), snapshot([component('flat', 1), component('flat', 2)]), [])
  t.match(priced, { total: 1, trace: { unused_components: [{ price: 2 }] } })
  t.end()
})

test('pricing - a session with no meter value pays time and fee, and its trace says so', (t) => {
  const { energyWh: _, ...facts } = session(0)
  const priced = priceSession(facts, snapshot([component('energy', 1), component('time', 2), component('flat', 3)]), [])
  t.match(priced, { total: 5, trace: { energy: { source: 'none' }, notes: [/no meter value/] } })
  t.end()
})

test('pricing - the session’s own energy wins over absurd samples; without it the registers count', (t) => {
  const samples = [
    { at: start, registerWh: 1_000 },
    { at: start + minute, registerWh: 3_500 },
  ]
  const absurd = [...samples, { at: start + 2 * minute, registerWh: 9e15 }]
  const tariff = snapshot([component('energy', 1)])
  t.equal(priceSession(session(2, 60, 0, { samples: absurd }), tariff, []).total, 2)
  const { energyWh: _, ...facts } = session(0, 60, 0, { samples })
  t.match(priceSession(facts, tariff, []), { total: 2.5, trace: { energy: { last_sample: { register_wh: 3_500 } } } })
  t.end()
})

test('pricing - negative energy and a stop before the start cost nothing', (t) => {
  const tariff = snapshot([component('energy', 1), component('time', 1), component('idle', 1)])
  const priced = priceSession(session(-4, 60, 0, { endedAt: start - minute }), tariff, [])
  t.match(priced, { total: 0, trace: { notes: { length: 2 }, time: { duration_seconds: 0 } } })
  t.end()
})

test('pricing - huge numbers are bounded and the sums still hold', (t) => {
  const tariff = snapshot([component('energy', 1e300, 1e300), component('time', 1e300), component('flat', 1e300)], 100)
  const priced = priceSession(session(1e300, 1e12), { ...tariff, minor_units: 4 }, [
    rule({ actions: [{ type: 'surcharge_percent', value: 1e300 }] }),
  ])
  t.equal(priced.lines[0]?.unit_price, limits.price)
  t.ok(Number.isSafeInteger(Math.round(priced.total * 1e4)))
  t.equal(priced.total, priced.subtotal + (priced.adjustments[0]?.amount ?? 0) + priced.tax)
  t.end()
})

test('pricing - a running session is priced as of a time', (t) => {
  const { endedAt: _, ...facts } = session(1)
  const tariff = snapshot([component('time', 60)])
  const running = { ...facts, spans: [], asOf: start + 30 * minute }
  t.match(priceSession(running, tariff, []), { total: 30, trace: { time: { running: true } } })
  t.equal(priceSession({ ...running, asOf: start + 31 * minute }, tariff, []).total, 31)
  t.end()
})

test('pricing - rules are known to the trace with what they saw, and tax is taken of what they leave', (t) => {
  const discount = rule({
    name: 'Members',
    conditions: [{ field: 'id_tag', operator: 'in', value: ['tag-1'] }],
    actions: [{ type: 'discount_percent', value: 10 }],
  })
  const priced = priceSession(session(10), snapshot([component('energy', 0.5)], 20), [discount])
  t.match(priced, {
    subtotal: 5,
    adjustments: [{ rule_id: 'rul_1', name: 'Members', amount: -0.5, effect: /5\.00 becomes 4\.50/ }],
    tax: 0.9,
    total: 5.4,
  })
  t.match(priced.trace.rules, [{ matched: true, condition_results: [{ actual: 'TAG-1' }], cost_after: 4.5 }])
  t.end()
})

test('pricing - rules run by priority, of equal ones the older first; inactive ones do not run', (t) => {
  const older = rule({ rule_id: 'rul_z', priority: 5, actions: [{ type: 'set_total', value: 10 }] })
  const newer = rule({
    rule_id: 'rul_a',
    priority: 5,
    actions: [{ type: 'discount_fixed', value: 1 }],
    created_at: '2026-02-01T00:00:00.000Z',
  })
  const last = rule({ rule_id: 'rul_b', priority: 6, actions: [{ type: 'surcharge_percent', value: 100 }] })
  const off = rule({ rule_id: 'rul_c', active: false, actions: [{ type: 'set_total', value: 0 }] })
  const priced = priceSession(session(1), snapshot([component('energy', 3)]), [last, newer, off, older])
  t.equal(priced.total, 18)
  t.same(
    priced.adjustments.map(({ rule_id, amount }) => [rule_id, amount]),
    [
      ['rul_z', 7],
      ['rul_a', -1],
      ['rul_b', 9],
    ],
  )
  t.end()
})

test('pricing - the conditions of a later rule see the cost before any rule', (t) => {
  const first = rule({ actions: [{ type: 'set_total', value: 1 }] })
  const second = rule({
    rule_id: 'rul_2',
    conditions: [{ field: 'base_cost', operator: 'gte', value: 3 }],
    actions: [{ type: 'surcharge_fixed', value: 1 }],
  })
  t.equal(priceSession(session(1), snapshot([component('energy', 3)]), [first, second]).total, 2)
  t.end()
})

test('pricing - every field that a condition may name is the session’s own', (t) => {
  const facts = session(5, 60, 30, { siteId: 'site_1', stopReason: 'Local', authMethod: 'rfid', connectorId: 2 })
  const conditions = conditionFields.map((field) => ({ field, operator: 'ne' as const, value: 'another' }))
  const priced = priceSession(facts, snapshot([component('energy', 3)]), [rule({ conditions })])
  const actual = priced.trace.rules[0]?.condition_results.map(({ field, actual }) => [field, actual])
  t.same(Object.fromEntries(actual ?? []), {
    energy_kwh: 5,
    duration_minutes: 90,
    idle_minutes: 30,
    start_hour: 9,
    day_of_week: 'mon',
    id_tag: 'TAG-1',
    charge_point_id: 'CP-1',
    site_id: 'site_1',
    connector_id: 2,
    base_cost: 15,
    stop_reason: 'Local',
    auth_method: 'rfid',
  })
  t.end()
})

test('pricing - start hour and day of week are those of the organization’s time zone', (t) => {
  const night = rule({
    conditions: [
      { field: 'start_hour', operator: 'between', value: [22, 5] },
      { field: 'day_of_week', operator: 'eq', value: 'tue' },
    ],
    actions: [{ type: 'set_total', value: 0 }],
  })
  // Monday 15:30 UTC is Tuesday 00:30 in Tokyo.
  const facts = session(1, 60, 0, { startedAt: Date.parse('2026-06-01T15:30:00Z') })
  const tariff = snapshot([component('energy', 3)])
  t.equal(priceSession(facts, { ...tariff, time_zone: 'Asia/Tokyo' }, [night]).total, 0)
  t.equal(priceSession(facts, tariff, [night]).total, 3)
  t.end()
})
