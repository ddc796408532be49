// The table of what billing rules may say, row by row; and that whatever passes can be compared.

import fc from 'fast-check'
import { test } from 'tap'
import { limits } from '../../src/api/areas/billing-rules/limits.js'
import { actionFaults, conditionFaults, valueFault } from '../../src/api/areas/billing-rules/rule-checks.js'
import { evaluateCondition } from '../../src/pricing/rule-conditions.js'
import {
  type ConditionValue,
  conditionFields,
  conditionOperators,
  type RuleCondition,
} from '../../src/pricing/rule-terms.js'

type Row = readonly [field: string, operator: string, value: unknown, path?: string]

const table: readonly Row[] = [
  ['energy_kwh', 'gte', 10.5],
  ['energy_kwh', 'eq', 0],
  ['energy_kwh', 'gt', -1, '/value'],
  ['energy_kwh', 'gt', '10', '/value'],
  ['energy_kwh', 'gt', Number.POSITIVE_INFINITY, '/value'],
  ['energy_kwh', 'gt', [10], '/value'],
  ['energy_kwh', 'in', 10, '/value'],
  ['energy_kwh', 'in', [], '/value'],
  ['energy_kwh', 'between', [1, 2]],
  ['energy_kwh', 'between', [2, 2]],
  ['energy_kwh', 'between', [2, 1], '/value'],
  ['energy_kwh', 'between', [1], '/value'],
  ['energy_kwh', 'between', [1, 2, 3], '/value'],
  ['energy_kwh', 'between', 5, '/value'],
  ['energy_kwh', 'between', [1, 'two'], '/value/1'],
  ['duration_minutes', 'lte', 90],
  ['idle_minutes', 'gt', 15],
  ['base_cost', 'gt', 100],
  ['start_hour', 'between', [22, 5]],
  ['start_hour', 'eq', 23],
  ['start_hour', 'eq', 24, '/value'],
  ['start_hour', 'eq', 7.5, '/value'],
  ['connector_id', 'in', [1, 2]],
  ['connector_id', 'in', [1, 2.5, -1], '/value/1'],
  ['connector_id', 'between', [2, 1], '/value'],
  ['day_of_week', 'in', ['sat', 'sun']],
  ['day_of_week', 'eq', 'Saturday'],
  ['day_of_week', 'between', ['fri', 'mon']],
  ['day_of_week', 'gte', 'sat'],
  ['day_of_week', 'eq', 'satyr', '/value'],
  ['day_of_week', 'eq', 6, '/value'],
  ['day_of_week', 'in', ['sat', 'holiday'], '/value/1'],
  ['id_tag', 'eq', '04A2B3'],
  ['id_tag', 'not_in', ['04A2B3', '04A2B4']],
  ['id_tag', 'eq', 42, '/value'],
  ['id_tag', 'eq', 'x'.repeat(21), '/value'],
  ['id_tag', 'gt', 'A', '/operator'],
  ['charge_point_id', 'ne', 'CP-1'],
  ['charge_point_id', 'between', ['A', 'B'], '/operator'],
  ['site_id', 'eq', '', '/value'],
  ['stop_reason', 'in', ['PowerLoss', 'Reboot']],
  ['stop_reason', 'lt', 'Local', '/operator'],
  ['auth_method', 'eq', 'guest'],
  ['auth_method', 'eq', null, '/value'],
  ['auth_method', 'in', 'guest', '/value'],
  ['auth_method', 'in', Array.from({ length: limits.conditionValues + 1 }, () => 'guest'), '/value'],
]

const conditionOf = (field: string, operator: string, value: unknown) =>
  ({ field, operator, value }) as unknown as RuleCondition

test('rule checks - every field and operator, with the place of what is wrong', (t) => {
  for (const [field, operator, value, path] of table) {
    const paths = conditionFaults(conditionOf(field, operator, value), '').map((fault) => fault.path)
    const what = `${field} ${operator} ${JSON.stringify(value)?.slice(0, 40)}`
    if (path === undefined) t.same(paths, [], what)
    else t.equal(paths[0], path, what)
  }
  t.same(
    conditionFaults(conditionOf('connector_id', 'in', [1, 2.5, -1]), '/conditions/3').map(({ path }) => path),
    ['/conditions/3/value/1', '/conditions/3/value/2'],
  )
  t.end()
})

test('rule checks - what `between` takes is said for each kind of field', (t) => {
  const messageFor = (field: string) => conditionFaults(conditionOf(field, 'between', 5), '')[0]?.message
  t.match(messageFor('energy_kwh'), 'with the lower value first')
  t.match(messageFor('start_hour'), '[22, 5] spans midnight')
  t.match(messageFor('day_of_week'), '["friday", "monday"] spans the weekend')
  t.end()
})

test('rule checks - whatever passes can be compared with any value of its field', (t) => {
  const single = fc.oneof(
    fc.constantFrom('mon', 'Sunday', 'TAG', 'CP-1', '', '7'),
    fc.integer({ min: -2, max: 1_001 }),
    fc.double(),
  )
  const value = fc.oneof(single, fc.array(single, { maxLength: 4 }))
  let accepted = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...conditionFields),
      fc.constantFrom(...conditionOperators),
      value,
      single,
      (...given) => {
        const [field, operator, wanted, actual] = given
        const condition = { field, operator, value: wanted as ConditionValue }
        if (conditionFaults(condition, '').length > 0 || valueFault(field, actual) !== undefined) return true
        accepted++
        return evaluateCondition(condition, { [field]: actual }).reason === undefined
      },
    ),
    { numRuns: 3_000 },
  )
  t.ok(accepted > 50, `${accepted} conditions were compared`)
  t.end()
})

test('rule checks - a discount is at most everything, a surcharge may be more', (t) => {
  t.same(actionFaults({ type: 'discount_percent', value: 100 }, '/actions/0'), [])
  t.match(actionFaults({ type: 'discount_percent', value: 100.1 }, '/actions/0'), [{ path: '/actions/0/value' }])
  t.same(actionFaults({ type: 'surcharge_percent', value: 300 }, ''), [])
  t.same(actionFaults({ type: 'discount_fixed', value: 300 }, ''), [])
  t.end()
})
