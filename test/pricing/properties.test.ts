import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { test } from 'tap'
import { floorOf, fraction, minus, plus, sumOf as sumOfFractions } from '../../src/emsp/fraction.js'
import { apportion, Exact } from '../../src/pricing/money.js'
import { type PricedSession, priceSession } from '../../src/pricing/price-session.js'
import type { SessionFacts } from '../../src/pricing/session-facts.js'
import { rules, sessions, tariffs, wildSessions, wildTariffs } from './arbitraries.js'
import { component, session, snapshot } from './examples.js'

function sumOf(amounts: readonly number[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0))
}

/** As decimals of the numbers that leave: what a reader of the JSON would add up. */
function assertSums(priced: PricedSession): void {
  const lines = sumOf(priced.lines.map((line) => line.amount))
  if (!lines.equals(priced.subtotal)) throw new Error(`lines ${lines} are not the subtotal ${priced.subtotal}`)
  const total = sumOf([priced.subtotal, ...priced.adjustments.map(({ amount }) => amount), priced.tax])
  if (!total.equals(priced.total)) throw new Error(`${total} is not the total ${priced.total}`)
  if (!(priced.total >= 0)) throw new Error(`the total is ${priced.total}`)
  const minor = total.times(10 ** priced.trace.rounding.minor_units)
  if (!minor.isInteger()) throw new Error(`${total} has too many decimals`)
}

const exactLine = (priced: PricedSession, type: string) =>
  priced.trace.lines.find((line) => line.type === type)?.exact_amount ?? '0'

test('pricing - lines sum to the subtotal; subtotal, adjustments and tax to the total', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, rules, (facts, tariff, list) => assertSums(priceSession(facts, tariff, list))),
    { numRuns: 500 },
  )
  t.end()
})

test('pricing - nothing that a session or a tariff holds makes it throw or breaks its sums', (t) => {
  fc.assert(
    fc.property(wildSessions, wildTariffs, rules, (facts, tariff, list) =>
      assertSums(priceSession(facts, tariff, list)),
    ),
    { numRuns: 1_000 },
  )
  t.end()
})

test('pricing - an amount that is nearly a half is not stated as one', (t) => {
  const tariff = snapshot([component('flat', 999.999_999_999_999_5), component('idle', 12.075)])
  const { subtotal, trace } = priceSession(session(0, 0, 60), tariff, [])
  t.equal(trace.rounding.exact_subtotal, '1012.074999999999')
  t.equal(subtotal, 1012.07)
  t.end()
})

test('pricing - the subtotal is the exact sum, rounded half up once', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, (facts, tariff) => {
      const priced = priceSession(facts, tariff, [])
      const exact = new Decimal(priced.trace.rounding.exact_subtotal)
      t.equal(priced.subtotal, exact.toDecimalPlaces(tariff.minor_units, Decimal.ROUND_HALF_UP).toNumber())
    }),
    { numRuns: 100 },
  )
  t.end()
})

test('pricing - amounts that go on behind the point and are half a minor unit together are rounded up, as that half', (t) => {
  const parts = fc.array(
    fc.record({
      over: fc.integer({ min: 1, max: 10_000_000_000 }),
      under: fc.constantFrom(3, 9, 36, 144, 3_600, 3_600_000),
    }),
    { minLength: 1, maxLength: 4 },
  )
  fc.assert(
    fc.property(parts, (given) => {
      const exact = given.map(({ over, under }) => new Exact(over).div(under))
      const sum = sumOfFractions(given.map(({ over, under }) => fraction(BigInt(over), BigInt(under))))
      const half = plus(fraction(floorOf(sum)), fraction(3n, 2n))
      const rest = minus(half, sum)
      const last = new Exact(rest.over.toString()).div(rest.under.toString())
      t.equal(apportion([...exact, last]).sum, Number(floorOf(half)) + 1)
    }),
    { numRuns: 1_000 },
  )
  t.end()
})

test('pricing - a line is within one minor unit of its exact amount', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, (facts, tariff) => {
      const priced = priceSession(facts, tariff, [])
      return priced.lines.every((line, index) => {
        const exact = new Decimal(priced.trace.lines[index]?.exact_amount ?? Number.NaN)
        return exact
          .minus(line.amount)
          .abs()
          .times(10 ** tariff.minor_units)
          .lessThan(1)
      })
    }),
  )
  t.end()
})

test('pricing - more energy never costs less', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, fc.double({ min: 0, max: 50_000, noNaN: true }), (facts, tariff, moreWh) => {
      const more = { ...facts, energyWh: (facts.energyWh ?? 0) + moreWh }
      return priceSession(more, tariff, []).total >= priceSession(facts, tariff, []).total
    }),
  )
  t.end()
})

test('pricing - two sessions pay for the energy of one, and at most one step more', (t) => {
  const wholeWh = fc.integer({ min: 0, max: 200_000 })
  fc.assert(
    fc.property(sessions, tariffs, wholeWh, wholeWh, (facts, tariff, firstWh, secondWh) => {
      const costOf = (energyWh: number) =>
        new Decimal(exactLine(priceSession({ ...facts, energyWh }, tariff, []), 'energy'))
      const apart = costOf(firstWh).plus(costOf(secondWh))
      const whole = costOf(firstWh + secondWh)
      const energy = tariff.components.find(({ type }) => type === 'energy')
      const step = new Decimal(energy?.price ?? 0).times(energy?.step_size ?? 0).div(1000)
      // What is read are the trace's decimals: the last digit of each may be rounded.
      return apart.gte(whole.minus(1e-11)) && apart.lte(whole.plus(step).plus(1e-11))
    }),
  )
  t.end()
})

test('pricing - facts, tariff and rules that went through JSON cost the same, field for field', (t) => {
  const through = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
  fc.assert(
    fc.property(sessions, tariffs, rules, (facts, tariff, list) => {
      const finite = list.map((rule) => ({
        ...rule,
        actions: rule.actions.filter(({ value }) => Number.isFinite(value) && !Object.is(value, -0)),
      }))
      const once = priceSession(facts, tariff, finite)
      t.same(
        JSON.stringify(priceSession(through<SessionFacts>(facts), through(tariff), through(finite))),
        JSON.stringify(once),
      )
    }),
    { numRuns: 100 },
  )
  t.end()
})

test('pricing - the order in which rules are given changes nothing', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, rules, (facts, tariff, list) => {
      const distinct = list.map((rule, index) => ({ ...rule, rule_id: `rul_${index}` }))
      const forth = priceSession(facts, tariff, distinct)
      const back = priceSession(facts, tariff, distinct.toReversed())
      return JSON.stringify(forth) === JSON.stringify(back)
    }),
  )
  t.end()
})
