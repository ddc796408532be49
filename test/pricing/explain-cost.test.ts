import { Decimal } from 'decimal.js'
import fc from 'fast-check'
import { test } from 'tap'
import { withAgreedTotal } from '../../src/pricing/agreed-total.js'
import { type BillStep, billSteps, unmatchedRules } from '../../src/pricing/explain-cost.js'
import { amountText } from '../../src/pricing/money.js'
import { type PricedSession, priceSession } from '../../src/pricing/price-session.js'
import { rules, sessions, tariffs, wildSessions, wildTariffs } from './arbitraries.js'
import { component, rule, session, snapshot } from './examples.js'

const sumOf = (steps: readonly BillStep[]): Decimal =>
  steps.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))

/** As it is read back from the store. */
const stored = (priced: PricedSession): PricedSession => JSON.parse(JSON.stringify(priced))

function assertExplains(priced: PricedSession): void {
  const steps = billSteps(stored(priced))
  const minorUnits = priced.trace.rounding.minor_units
  if (!sumOf(steps).equals(priced.total)) throw new Error(`the steps come to ${sumOf(steps)}, not ${priced.total}`)
  if (!new Decimal(steps.at(-1)?.sum ?? Number.NaN).equals(priced.total))
    throw new Error('the last sum is not the total')
  const minor = new Decimal(10).pow(-minorUnits)
  for (const { amount, exact_amount, kind } of steps) {
    if ((amount.split('.')[1] ?? '').length !== minorUnits) throw new Error(`${amount} has other decimals`)
    if (new Decimal(exact_amount).minus(amount).abs().greaterThanOrEqualTo(minor))
      throw new Error(`the ${kind} of ${amount} is exactly ${exact_amount}`)
  }
  const changes = steps.filter(({ kind, amount }) => kind === 'rule' && Number(amount) !== 0)
  const adjustments = priced.adjustments.map(({ amount }) =>
    amountText(Math.round(amount * 10 ** minorUnits), minorUnits),
  )
  if (changes.map(({ amount }) => amount).join() !== adjustments.join()) throw new Error('a rule has another step')
}

test('explanation - its steps add up to the cost, each within a minor unit of its exact amount', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, rules, (facts, tariff, list) => assertExplains(priceSession(facts, tariff, list))),
    { numRuns: 1_000 },
  )
  t.end()
})

test('explanation - its steps add up whatever a session or a tariff holds', (t) => {
  fc.assert(
    fc.property(wildSessions, wildTariffs, rules, (facts, tariff, list) => {
      const priced = stored(priceSession(facts, tariff, list))
      if (!sumOf(billSteps(priced)).equals(priced.total)) throw new Error(`not ${priced.total}`)
    }),
    { numRuns: 500 },
  )
  t.end()
})

test('explanation - a total that was agreed in a dispute is a step of its own, and the steps still add up', (t) => {
  fc.assert(
    fc.property(sessions, tariffs, rules, fc.nat({ max: 100 }), (facts, tariff, list, share) => {
      const before = priceSession(facts, tariff, list)
      const units = 10 ** tariff.minor_units
      const total = Math.floor((before.total * units * share) / 100) / units
      const priced = withAgreedTotal(before, { dispute_id: 'dsp_1', total })
      const steps = billSteps(stored(priced))
      const disputes = steps.filter(({ kind }) => kind === 'dispute').length
      return sumOf(steps).equals(priced.total) && disputes === (priced === before ? 0 : 1)
    }),
  )
  t.end()
})

test('explanation - a rule by percent shows what it took before it was rounded', (t) => {
  const tariff = snapshot([component('energy', 0.49)], 19)
  const less = rule({ rule_id: 'rul_1', actions: [{ type: 'discount_percent', value: 5 }] })
  const steps = billSteps(priceSession(session(42.318), tariff, [less]))
  t.match(steps, [
    { kind: 'line', line: 0, exact_amount: '20.73582', amount: '20.74', sum: '20.74' },
    { kind: 'rule', rule_id: 'rul_1', exact_amount: '-1.037', amount: '-1.04', sum: '19.70' },
    { kind: 'tax', exact_amount: '3.743', amount: '3.74', sum: '23.44' },
  ])
  t.end()
})

test('explanation - a rule that did not run says which condition did not hold, and what it asks for', (t) => {
  const night = rule({
    rule_id: 'rul_night',
    name: 'Night',
    conditions: [
      { field: 'start_hour', operator: 'between', value: [22, 5] },
      { field: 'energy_kwh', operator: 'gte', value: 10 },
      { field: 'site_id', operator: 'in', value: ['sit_1', 'sit_2'] },
    ],
  })
  const priced = priceSession(session(42.318), snapshot([component('energy', 0.49)], 0), [night])
  const [unmatched, ...others] = unmatchedRules(stored(priced))
  t.same(others, [])
  t.match(unmatched, { rule_id: 'rul_night', name: 'Night' })
  t.match(unmatched?.words[0], /^The hour of the start was \d+, and the rule asks for between 22 and 5\.$/)
  t.equal(
    unmatched?.words[1],
    'The rule asks for the site to be one of sit_1, sit_2, and the session does not have this field.',
  )
  t.end()
})
