// What a condition or an action of a billing rule must look like, by its field, operator and type: more than a schema can say.
// What passes here is what evaluateCondition can compare.

import { limits as pricingLimits } from '../../../pricing/limits.js'
import type { ActionType, ConditionField, ConditionOperator } from '../../../pricing/rule-terms.js'
import { daysOfWeek } from '../../../pricing/tariff-terms.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { limits } from './limits.js'

interface NumberKind {
  readonly kind: 'number'
  readonly minimum: number
  readonly maximum: number
  readonly whole: boolean
  /** After the highest comes the lowest again: between 22 and 6 is the night. */
  readonly cyclic: boolean
}

interface TextKind {
  readonly kind: 'text'
  readonly longest: number
}

interface DayKind {
  readonly kind: 'day'
}

type FieldKind = NumberKind | TextKind | DayKind

const amount: NumberKind = { kind: 'number', minimum: 0, maximum: 1_000_000_000, whole: false, cyclic: false }

const kinds: Readonly<Record<ConditionField, FieldKind>> = {
  energy_kwh: amount,
  duration_minutes: amount,
  idle_minutes: amount,
  base_cost: { ...amount, maximum: pricingLimits.costMinorUnits },
  start_hour: { kind: 'number', minimum: 0, maximum: 23, whole: true, cyclic: true },
  connector_id: { kind: 'number', minimum: 0, maximum: 1_000, whole: true, cyclic: false },
  day_of_week: { kind: 'day' },
  id_tag: { kind: 'text', longest: 20 },
  charge_point_id: { kind: 'text', longest: 48 },
  site_id: { kind: 'text', longest: 64 },
  stop_reason: { kind: 'text', longest: 64 },
  auth_method: { kind: 'text', longest: 64 },
}

/** Texts have no order. */
const textOperators: ReadonlySet<ConditionOperator> = new Set(['eq', 'ne', 'in', 'not_in'])

const dayNames = new Set(
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].flatMap((name) => [
    name,
    name.slice(0, 3),
  ]),
)

/** What is wrong with one value of a field, in words. */
export function valueFault(field: ConditionField, value: unknown): string | undefined {
  const kind = kinds[field]
  switch (kind.kind) {
    case 'number':
      return numberFault(kind, value)
    case 'day':
      if (typeof value === 'string' && dayNames.has(value.toLowerCase())) return undefined
      return `must be one of ${daysOfWeek.join(', ')}`
    default:
      if (typeof value !== 'string') return 'must be a text'
      return value === '' || value.length > kind.longest ? `must have 1 to ${kind.longest} characters` : undefined
  }
}

function numberFault({ minimum, maximum, whole }: NumberKind, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
  if (whole && !Number.isInteger(value)) return 'must be a whole number'
  return value < minimum || value > maximum ? `must be ${minimum} to ${maximum}` : undefined
}

export interface GivenCondition {
  readonly field: ConditionField
  readonly operator: ConditionOperator
  readonly value: unknown
}

/** `path` is the condition's place in the body. */
export function conditionFaults({ field, operator, value }: GivenCondition, path: string): ErrorDetail[] {
  const kind = kinds[field]
  if (kind.kind === 'text' && !textOperators.has(operator))
    return [{ path: `${path}/operator`, message: `must be one of ${[...textOperators].join(', ')} for ${field}` }]
  const where = `${path}/value`
  if (operator === 'in' || operator === 'not_in') {
    if (!Array.isArray(value) || value.length < 1 || value.length > limits.conditionValues)
      return [{ path: where, message: `must be an array of 1 to ${limits.conditionValues} values for ${operator}` }]
    return listFaults(field, value, where)
  }
  if (operator === 'between') {
    if (!Array.isArray(value) || value.length !== 2)
      return [{ path: where, message: `must be an array of two ${pairOf(kind)}` }]
    const faults = listFaults(field, value, where)
    const [low, high] = value as readonly number[]
    const ordered = kind.kind !== 'number' || kind.cyclic || (low as number) <= (high as number)
    return faults.length > 0 || ordered ? faults : [{ path: where, message: 'must have the lower value first' }]
  }
  if (Array.isArray(value)) return [{ path: where, message: `must be a single value for ${operator}` }]
  const fault = valueFault(field, value)
  return fault === undefined ? [] : [{ path: where, message: fault }]
}

/** What `between` takes. */
function pairOf(kind: FieldKind): string {
  if (kind.kind === 'day') return 'days for between; ["friday", "monday"] spans the weekend'
  if (kind.kind === 'number' && kind.cyclic) return 'hours for between; [22, 5] spans midnight'
  return 'values for between, with the lower value first'
}

function listFaults(field: ConditionField, values: readonly unknown[], path: string): ErrorDetail[] {
  return values.flatMap((value, at) => {
    const message = valueFault(field, value)
    return message === undefined ? [] : [{ path: `${path}/${at}`, message }]
  })
}

/** `path` is the action's place in the body; the schema has seen to numbers that are not negative. */
export function actionFaults(
  action: { readonly type: ActionType; readonly value: number },
  path: string,
): ErrorDetail[] {
  if (action.type !== 'discount_percent' || action.value <= 100) return []
  return [{ path: `${path}/value`, message: 'must be at most 100 percent' }]
}
