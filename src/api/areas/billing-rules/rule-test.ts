// A billing rule tried on a session that somebody thought up: the fields as one object, by the names that conditions use.

import { type Static, Type } from 'typebox'
import { isCurrency } from '../../../pricing/currencies.js'
import { evaluateRule } from '../../../pricing/evaluate-rule.js'
import { minorUnitsOf } from '../../../pricing/money.js'
import type { RuleFields } from '../../../pricing/rule-conditions.js'
import { type ConditionField, conditionFields } from '../../../pricing/rule-terms.js'
import type { BillingRule } from '../../../records/billing-rule.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { anyObject, named, nullable } from '../../pipeline/schemas.js'
import { valueFault } from './rule-checks.js'
import { conditionSchema } from './rules.js'

export const ruleTestBody = anyObject(
  `The hypothetical session, with any of these fields: ${conditionFields.join(', ')}; and \`currency\`, to whose minor unit amounts are rounded ` +
    "(the organization's default if you leave it out). `base_cost` is 0 if you leave it out.",
)

export const ruleTestSchema = named('BillingRuleTest', {
  rule_id: Type.String(),
  matched: Type.Boolean(),
  condition_results: Type.Array(
    Type.Object({
      ...conditionSchema.properties,
      actual: Type.Unknown({ description: 'null means that the session does not have the field.' }),
      matched: Type.Boolean(),
      reason: nullable(Type.String({ description: 'Why the value could not be compared.' })),
    }),
  ),
  applied_actions: Type.Array(
    Type.Object({
      type: Type.String({ examples: ['discount_percent'] }),
      value: Type.Number({ examples: [10] }),
      effect: Type.String(),
    }),
  ),
  base_cost: Type.Number(),
  adjusted_cost: Type.Number(),
  difference: Type.Number(),
  missing_fields: Type.Array(Type.String(), {
    description: 'Fields that the rule uses and the request does not contain.',
  }),
  unknown_fields: Type.Array(Type.String(), { description: 'Fields in the request that no condition can use.' }),
})

/** Names listed back to a caller. */
const namesListed = 50

export function ruleTestFaults(given: Readonly<Record<string, unknown>>): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  for (const field of conditionFields) {
    const value = Object.hasOwn(given, field) ? given[field] : undefined
    if (value === undefined || value === null) continue
    const message = valueFault(field, value)
    if (message !== undefined) faults.push({ path: `/${field}`, message })
  }
  const { currency } = given
  if (currency !== undefined && !(typeof currency === 'string' && isCurrency(currency)))
    faults.push({ path: '/currency', message: 'is not an ISO 4217 currency' })
  return faults
}

/** `given` has passed ruleTestFaults. */
export function testRule(
  rule: BillingRule,
  given: Readonly<Record<string, unknown>>,
  defaultCurrency: string,
): Static<typeof ruleTestSchema> {
  const fields: Partial<Record<ConditionField, unknown>> = { base_cost: 0 }
  const has = (name: string): boolean => Object.hasOwn(given, name) && given[name] !== null
  for (const field of conditionFields) if (has(field)) fields[field] = given[field]
  const currency = typeof given.currency === 'string' ? given.currency : defaultCurrency
  const evaluated = evaluateRule(rule, fields as RuleFields, fields.base_cost as number, minorUnitsOf(currency))
  const lookedAt = new Set<string>(['base_cost', ...rule.conditions.map(({ field }) => field)])
  const known = new Set<string>([...conditionFields, 'currency'])
  return {
    ...evaluated,
    condition_results: evaluated.condition_results.map(({ value, ...result }) => ({
      ...result,
      operator: result.operator as Static<typeof conditionSchema>['operator'],
      value: typeof value === 'object' ? [...value] : value,
      reason: result.reason ?? null,
    })),
    applied_actions: [...evaluated.applied_actions],
    missing_fields: [...lookedAt].filter((name) => !has(name)),
    unknown_fields: Object.keys(given)
      .filter((name) => !known.has(name))
      .slice(0, namesListed),
  }
}
