// Whether the conditions of a billing rule hold for a session. A field that the session does not have, or a value that cannot be
// compared with it, never holds, and the result says which.

import type { ConditionField, ConditionValue, RuleCondition } from './rule-terms.js'
import { daysOfWeek } from './tariff-terms.js'

/** What is known of a session, under the names of the condition fields. Callers of the test route may send anything. */
export type RuleFields = { readonly [Field in ConditionField]?: unknown }

export interface ConditionResult {
  readonly field: ConditionField
  readonly operator: string
  readonly value: ConditionValue
  /** null: the session does not have the field. */
  readonly actual: unknown
  readonly matched: boolean
  /** Why it could not be compared. */
  readonly reason?: string
}

type Comparable = number | string

const textFields: ReadonlySet<ConditionField> = new Set(['charge_point_id', 'site_id'])
/** Compared without regard to case: id tags are (OCPP 1.6, CiString20), and nobody means `powerloss` to be another reason. */
const foldedFields: ReadonlySet<ConditionField> = new Set(['id_tag', 'stop_reason', 'auth_method'])
/** After the last comes the first again: 22 to 6 is a night, fri to mon a long weekend. */
const cyclicFields: ReadonlySet<ConditionField> = new Set(['start_hour', 'day_of_week'])

/** Monday is 1, as in ISO 8601; `mon` and `Monday` are both understood. */
function dayNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 1 && value <= 7 ? value : undefined
  if (typeof value !== 'string') return undefined
  const index = (daysOfWeek as readonly string[]).indexOf(value.slice(0, 3).toLowerCase())
  return index < 0 ? undefined : index + 1
}

function comparable(field: ConditionField, value: unknown): Comparable | undefined {
  if (field === 'day_of_week') return dayNumber(value)
  if (textFields.has(field) || foldedFields.has(field)) {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined
    return foldedFields.has(field) ? String(value).toUpperCase() : String(value)
  }
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

function between(field: ConditionField, actual: Comparable, low: Comparable, high: Comparable): boolean {
  if (low > high && cyclicFields.has(field)) return actual >= low || actual <= high
  return actual >= low && actual <= high
}

function compare(condition: RuleCondition, actual: Comparable, values: readonly Comparable[]): boolean | string {
  const [first, second] = values
  if (condition.operator === 'in') return values.includes(actual)
  if (condition.operator === 'not_in') return !values.includes(actual)
  if (first === undefined) return 'there is no value to compare with'
  if (condition.operator === 'between') {
    if (second === undefined) return 'between needs two values'
    return between(condition.field, actual, first, second)
  }
  switch (condition.operator) {
    case 'eq':
      return actual === first
    case 'ne':
      return actual !== first
    case 'gt':
      return actual > first
    case 'gte':
      return actual >= first
    case 'lt':
      return actual < first
    case 'lte':
      return actual <= first
    default:
      return 'the operator is not known'
  }
}

function outcomeOf(condition: RuleCondition, given: unknown): boolean | string {
  if (given === undefined || given === null) return 'the session does not have this field'
  const actual = comparable(condition.field, given)
  if (actual === undefined) return 'the actual value cannot be compared'
  const listed: readonly unknown[] = Array.isArray(condition.value) ? condition.value : [condition.value]
  const values = listed.map((value) => comparable(condition.field, value))
  if (values.includes(undefined)) return 'the value cannot be compared'
  return compare(condition, actual, values as Comparable[])
}

export function evaluateCondition(condition: RuleCondition, fields: RuleFields): ConditionResult {
  const given = fields[condition.field]
  const outcome = outcomeOf(condition, given)
  const { field, operator, value } = condition
  const result = { field, operator, value, actual: given ?? null }
  return typeof outcome === 'string' ? { ...result, matched: false, reason: outcome } : { ...result, matched: outcome }
}
