// The worked examples of OCPI 2.2.1 (11.4), with their numbers. Tax is one percentage of the whole tariff here, so examples whose
// components are taxed differently are held to their amounts before tax: 2, 4, 5, 7, 9, 11, 12 and 13. Prices that follow the measured
// current cannot be said: 11 to 13 keep to one side of their threshold and are said as rate bands.

import { test } from 'tap'
import { priceSession } from '../../src/pricing/price-session.js'
import { selectRates } from '../../src/pricing/select-rates.js'
import { snapshotOf } from '../../src/pricing/tariff-snapshot.js'
import type { RateBand, ScheduleEntry } from '../../src/pricing/tariff-terms.js'
import { component, minute, rule, session, snapshot, start, tariff } from './examples.js'

const energy = component('energy', 0.25)
const fee = component('flat', 0.5)

test('OCPI example 1 - energy', (t) => {
  const priced = priceSession(session(20), snapshot([energy], 10), [])
  t.match(priced, { subtotal: 5, tax: 0.5, total: 5.5 })
  t.end()
})

test('OCPI example 2 - energy and a fee', (t) => {
  const priced = priceSession(session(20), snapshot([fee, energy]), [])
  t.match(priced, { subtotal: 5.5, lines: [{ amount: 0.5 }, { amount: 5 }] })
  t.end()
})

test('OCPI example 3 - a minimum price, as a rule', (t) => {
  const minimum = [rule({ actions: [{ type: 'minimum_cost', value: 0.5 }] })]
  t.match(priceSession(session(20), snapshot([energy], 10), minimum), { adjustments: [], total: 5.5 })
  t.match(priceSession(session(1.2), snapshot([energy], 10), minimum), {
    subtotal: 0.3,
    adjustments: [{ amount: 0.2 }],
    tax: 0.05,
    total: 0.55,
  })
  t.end()
})

test('OCPI example 4 - 40 minutes parked are billed as 45', (t) => {
  const parking = component('idle', 2, 900)
  const priced = priceSession(session(20, 60, 40), snapshot([fee, energy, parking]), [])
  t.match(priced, { subtotal: 7, lines: [{ amount: 0.5 }, { amount: 5 }, { quantity: 0.75, amount: 1.5 }] })
  t.end()
})

test('OCPI example 5 - a maximum price, as a rule', (t) => {
  const maximum = [rule({ actions: [{ type: 'maximum_cost', value: 10 }] })]
  t.equal(priceSession(session(50), snapshot([fee, energy]), maximum).total, 10)
  t.equal(priceSession(session(30), snapshot([fee, energy]), maximum).total, 8)
  t.end()
})

test('OCPI example 6 - time', (t) => {
  const priced = priceSession(session(0, 150), snapshot([component('time', 2, 60)], 10), [])
  t.match(priced, { subtotal: 5, tax: 0.5, total: 5.5, lines: [{ quantity: 2.5 }] })
  t.end()
})

test('OCPI example 7 - time and parking', (t) => {
  const components = [component('time', 3, 60), component('idle', 5, 300)]
  const priced = priceSession(session(0, 150, 42), snapshot(components), [])
  t.match(priced, { subtotal: 11.25, lines: [{ amount: 7.5 }, { quantity: 0.75, amount: 3.75 }] })
  t.end()
})

test('OCPI example 8 - a tax with decimals', (t) => {
  const priced = priceSession(session(0, 150), snapshot([component('time', 1.9, 300)], 5.2), [])
  t.match(priced, { subtotal: 4.75, tax: 0.25, total: 5, trace: { rounding: { exact_tax: '0.247' } } })
  t.end()
})

test('OCPI example 9 - 20.45 kWh in steps of 100 Wh', (t) => {
  const priced = priceSession(session(20.45), snapshot([fee, component('energy', 0.25, 100)]), [])
  t.match(priced, { subtotal: 5.63, lines: [{ amount: 0.5 }, { quantity: 20.5, amount: 5.13 }] })
  t.equal(priced.trace.rounding.exact_subtotal, '5.625')
  t.end()
})

const bands: RateBand[] = [
  { band: 'workday', components: [component('flat', 2.5), component('time', 1, 900), component('idle', 5, 300)] },
  { band: 'saturday', components: [component('flat', 2.5), component('time', 1.25, 600), component('idle', 6, 300)] },
]
const schedule: ScheduleEntry[] = [
  { band: 'workday', days: ['mon', 'tue', 'wed', 'thu', 'fri'], start_time: '09:00', end_time: '18:00' },
  { band: 'saturday', days: ['sat'], start_time: '10:00', end_time: '17:00' },
]
const priced = (startedAt: number, chargingMinutes: number, parkedMinutes: number) => {
  const selected = selectRates(tariff(), bands, schedule, startedAt, 'UTC')
  const charged = startedAt + chargingMinutes * minute
  const endedAt = charged + parkedMinutes * minute
  const spans = [{ state: 'idle' as const, from: charged }]
  return priceSession(session(0, 0, 0, { startedAt, endedAt, spans }), snapshotOf(tariff(), selected, 'UTC'), [])
}

test('OCPI examples 11 and 12 - Monday 09:30, 165 minutes of charging, 42 of parking', (t) => {
  t.match(priced(start, 165, 42), { subtotal: 9, lines: [{ amount: 2.5 }, { amount: 2.75 }, { amount: 3.75 }] })
  t.end()
})

test('OCPI example 13 - Saturday 13:30, 114 minutes of charging, 71 of parking', (t) => {
  const saturday = priced(Date.parse('2026-06-06T13:30:00Z'), 114, 71)
  t.equal(saturday.trace.rounding.exact_subtotal, '12.375')
  t.equal(saturday.subtotal, 12.38)
  t.end()
})
