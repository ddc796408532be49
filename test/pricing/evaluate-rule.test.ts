import { test } from 'tap'
import { evaluateRule } from '../../src/pricing/evaluate-rule.js'
import type { RuleAction, RuleCondition } from '../../src/pricing/rule-terms.js'
import { rule } from './examples.js'

const matched = (condition: RuleCondition, fields: object): boolean =>
  evaluateRule(rule({ conditions: [condition] }), fields, 0, 2).matched

const adjusted = (base: number, ...actions: RuleAction[]): number =>
  evaluateRule(rule({ actions }), {}, base, 2).adjusted_cost

test('billing rule - every operator compares as it is named', (t) => {
  const cases: [RuleCondition['operator'], RuleCondition['value'], number, boolean][] = [
    ['eq', 5, 5, true],
    ['eq', 5, 6, false],
    ['ne', 5, 6, true],
    ['ne', 5, 5, false],
    ['gt', 5, 5, false],
    ['gt', 5, 5.1, true],
    ['gte', 5, 5, true],
    ['gte', 5, 4.9, false],
    ['lt', 5, 5, false],
    ['lt', 5, 4.9, true],
    ['lte', 5, 5, true],
    ['lte', 5, 5.1, false],
    ['in', [1, 5], 5, true],
    ['in', [1, 5], 2, false],
    ['not_in', [1, 5], 2, true],
    ['not_in', [1, 5], 5, false],
    ['between', [1, 5], 5, true],
    ['between', [1, 5], 5.1, false],
    ['between', [5, 1], 3, false],
  ]
  for (const [operator, value, actual, expected] of cases)
    t.equal(matched({ field: 'energy_kwh', operator, value }, { energy_kwh: actual }), expected, `${operator} ${value}`)
  t.end()
})

test('billing rule - a missing field never matches, not even ne and not_in, and the result says why', (t) => {
  for (const operator of ['eq', 'ne', 'in', 'not_in'] as const) {
    const conditions = [{ field: 'site_id', operator, value: ['site_1'] } as const]
    const result = evaluateRule(rule({ conditions, actions: [{ type: 'set_total', value: 1 }] }), {}, 7, 2)
    t.match(result, { matched: false, applied_actions: [], base_cost: 7, adjusted_cost: 7, difference: 0 })
    t.match(result.condition_results, [{ field: 'site_id', actual: null, matched: false, reason: /does not have/ }])
  }
  t.end()
})

test('billing rule - a value of another kind does not match', (t) => {
  t.notOk(matched({ field: 'energy_kwh', operator: 'ne', value: 'much' }, { energy_kwh: 5 }))
  t.notOk(matched({ field: 'energy_kwh', operator: 'gt', value: 1 }, { energy_kwh: { much: true } }))
  t.notOk(matched({ field: 'energy_kwh', operator: 'between', value: [1] }, { energy_kwh: 5 }))
  t.end()
})

test('billing rule - tags and reasons ignore case, days have short and long names, nights go over midnight', (t) => {
  t.ok(matched({ field: 'id_tag', operator: 'eq', value: 'abc' }, { id_tag: 'ABC' }))
  t.ok(matched({ field: 'stop_reason', operator: 'in', value: ['evdisconnected'] }, { stop_reason: 'EVDisconnected' }))
  t.notOk(matched({ field: 'charge_point_id', operator: 'eq', value: 'cp-1' }, { charge_point_id: 'CP-1' }))
  t.ok(matched({ field: 'day_of_week', operator: 'eq', value: 'Saturday' }, { day_of_week: 'sat' }))
  t.ok(matched({ field: 'day_of_week', operator: 'between', value: ['fri', 'mon'] }, { day_of_week: 'sun' }))
  t.notOk(matched({ field: 'day_of_week', operator: 'between', value: ['fri', 'mon'] }, { day_of_week: 'wed' }))
  t.ok(matched({ field: 'start_hour', operator: 'between', value: [22, 5] }, { start_hour: 3 }))
  t.notOk(matched({ field: 'start_hour', operator: 'between', value: [22, 5] }, { start_hour: 12 }))
  t.end()
})

test('billing rule - every action does what it is named, in order, and never goes below 0', (t) => {
  t.equal(adjusted(5.63, { type: 'discount_percent', value: 10 }), 5.07)
  t.equal(adjusted(5, { type: 'discount_percent', value: 150 }), 0)
  t.equal(adjusted(5, { type: 'surcharge_percent', value: 10 }), 5.5)
  t.equal(adjusted(5, { type: 'discount_fixed', value: 2 }), 3)
  t.equal(adjusted(5, { type: 'discount_fixed', value: 9 }, { type: 'surcharge_fixed', value: 1 }), 1)
  t.equal(adjusted(5, { type: 'minimum_cost', value: 7 }), 7)
  t.equal(adjusted(5, { type: 'minimum_cost', value: 3 }), 5)
  t.equal(adjusted(5, { type: 'maximum_cost', value: 3 }), 3)
  t.equal(adjusted(5, { type: 'maximum_cost', value: 7 }), 5)
  t.equal(adjusted(5, { type: 'set_total', value: 1.005 }), 1.01)
  t.end()
})

test('billing rule - the test answer names each effect', (t) => {
  const actions: RuleAction[] = [
    { type: 'discount_percent', value: 20 },
    { type: 'minimum_cost', value: 1 },
  ]
  const result = evaluateRule(rule({ actions }), {}, 10, 2)
  t.same(result, {
    rule_id: 'rul_1',
    matched: true,
    condition_results: [],
    applied_actions: [
      { type: 'discount_percent', value: 20, effect: 'discount of 20%: 10.00 becomes 8.00' },
      { type: 'minimum_cost', value: 1, effect: 'minimum cost of 1.00: 8.00 is unchanged' },
    ],
    base_cost: 10,
    adjusted_cost: 8,
    difference: -2,
  })
  t.end()
})
