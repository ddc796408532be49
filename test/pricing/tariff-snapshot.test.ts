import fc from 'fast-check'
import { test } from 'tap'
import { minorUnitsOf } from '../../src/pricing/money.js'
import { selectRates } from '../../src/pricing/select-rates.js'
import { hashOf, snapshotOf } from '../../src/pricing/tariff-snapshot.js'
import { tariffs } from './arbitraries.js'
import { component, minute, snapshot, start, tariff } from './examples.js'

/** The same object with its fields in reverse. */
function reversed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(reversed) as Value
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).reverse()
  return Object.fromEntries(fields.map(([name, field]) => [name, reversed(field)])) as Value
}

test('tariff snapshot - the defaults stand in it, so that a change of them reaches no old session', (t) => {
  const own = tariff({ currency: 'KWD', tax_percentage: 5, components: [{ type: 'energy', price: null }] })
  const made = snapshotOf(own, selectRates(own, [], [], start, 'Asia/Kuwait'), 'Asia/Kuwait')
  t.same(made, {
    tariff_id: 'trf_1',
    name: 'Public',
    currency: 'KWD',
    minor_units: 3,
    tax_percentage: 5,
    band: null,
    components: [{ type: 'energy', price: 0, step_size: 1, grace_minutes: 0 }],
    time_zone: 'Asia/Kuwait',
  })
  t.end()
})

test('tariff snapshot - sessions of one tariff at different times share one', (t) => {
  const own = tariff({ components: [component('energy', 0.5)] })
  const at = (time: number) => hashOf(snapshotOf(own, selectRates(own, [], [], time, 'UTC'), 'UTC'))
  t.equal(at(start), at(start + 90 * minute))
  t.end()
})

test('tariff snapshot - the hash does not depend on the order of fields', (t) => {
  fc.assert(fc.property(tariffs, (made) => hashOf(made) === hashOf(reversed(made))))
  t.end()
})

test('tariff snapshot - the hash depends on every field and on the order of components', (t) => {
  const made = snapshot([component('energy', 0.5), component('flat', 1)])
  const others = [
    { ...made, tariff_id: 'trf_2' },
    { ...made, tax_percentage: 1 },
    { ...made, band: 'night' },
    { ...made, time_zone: 'Asia/Tokyo' },
    { ...made, components: made.components.toReversed() },
    { ...made, components: [component('energy', 0.51), component('flat', 1)] },
  ]
  t.equal(new Set([made, ...others].map(hashOf)).size, others.length + 1)
  t.match(hashOf(made), /^[0-9a-f]{64}$/)
  t.end()
})

test('currency - decimals are those of ISO 4217', (t) => {
  const expected = { EUR: 2, usd: 2, HUF: 2, JPY: 0, KRW: 0, ISK: 0, KWD: 3, IQD: 3, TND: 3, CLF: 4 }
  t.same(Object.fromEntries(Object.keys(expected).map((currency) => [currency, minorUnitsOf(currency)])), expected)
  t.end()
})
