// Why a session costs what it costs: the trace that was stored when it was priced, the bill step by step, and the rules that changed
// nothing. Of a running session the same, by the same function, as of now. It computes no price of its own.

import { type Static, Type } from 'typebox'
import { sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { billStepKinds, billSteps, unmatchedRules } from '../../../pricing/explain-cost.js'
import type { PricedSession } from '../../../pricing/price-session.js'
import type { PricingTrace } from '../../../pricing/pricing-trace.js'
import { componentTypes } from '../../../pricing/tariff-terms.js'
import { billingRulesTable } from '../../../records/billing-rule.js'
import type { Session } from '../../../records/session.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { area, sessions } from './area.js'
import { costBreakdownSchema, costBreakdownView } from './cost-breakdown.js'
import { notPriced, type SessionPrice, sessionPrice } from './session-price.js'

const sample = nullable(Type.Object({ at: timestamp(), register_wh: Type.Number() }))
const exactText = (description: string) => Type.String({ description: `${description} A decimal number.` })

const traceSchema = named('PricingTrace', {
  tariff: Type.Object({
    name: Type.String(),
    band: nullable(Type.String({ description: 'The rate band that the schedule named when the session started.' })),
    time_zone: Type.String(),
  }),
  time: Type.Object({
    started_at: timestamp(),
    ended_at: timestamp('For a running session, the time as of which it is priced.'),
    started_at_local: Type.String({ description: 'On the wall clock by which rules compare hours and days.' }),
    running: Type.Boolean(),
    duration_seconds: Type.Number(),
    idle_seconds: Type.Number(),
    suspended_by_vehicle_seconds: Type.Number(),
    suspended_by_charge_point_seconds: Type.Number(),
    idle_spans: Type.Array(Type.Object({ from: timestamp(), to: timestamp() })),
  }),
  energy: Type.Object({
    source: Type.Enum(['session', 'samples', 'none']),
    measured_wh: Type.Number(),
    samples: Type.Integer(),
    first_sample: sample,
    last_sample: sample,
  }),
  lines: Type.Array(
    Type.Object({
      type: Type.Enum([...componentTypes]),
      price: Type.Number(),
      unit: Type.Enum(['Wh', 's', 'session']),
      measured: Type.Number(),
      grace: Type.Number({ description: 'What is free, in the same unit.' }),
      step_size: Type.Number(),
      step_applied: Type.Boolean({
        description: 'false if `step_size` did not count, because idle time was rounded instead.',
      }),
      billed: Type.Number({ description: 'After grace and `step_size`.' }),
      exact_amount: exactText('The amount before rounding.'),
    }),
  ),
  unused_components: Type.Array(
    Type.Object({
      type: Type.Enum([...componentTypes]),
      price: Type.Number(),
      step_size: Type.Number(),
      grace_minutes: Type.Number(),
    }),
    { description: 'Further components of a type, of which only the first counts.' },
  ),
  rules: Type.Array(
    Type.Object({
      rule_id: Type.String(),
      name: Type.String(),
      priority: Type.Number(),
      matched: Type.Boolean(),
      condition_results: Type.Array(
        Type.Object({
          field: Type.String(),
          operator: Type.String(),
          value: Type.Unknown(),
          actual: Type.Unknown({ description: 'null means that the session does not have the field.' }),
          matched: Type.Boolean(),
          reason: nullable(Type.String({ description: 'Why the value could not be compared.' })),
        }),
      ),
      applied_actions: Type.Array(
        Type.Object({ type: Type.String(), value: nullable(Type.Number()), effect: Type.String() }),
      ),
      cost_before: Type.Number(),
      cost_after: Type.Number(),
    }),
    { description: 'Every rule that was active, in the order in which they run.' },
  ),
  rounding: Type.Object({
    minor_units: Type.Integer({ description: 'How many decimals the currency has.' }),
    mode: Type.Enum(['half_up']),
    exact_subtotal: exactText('The sum of the lines before rounding.'),
    exact_tax: exactText('The tax before rounding.'),
  }),
  notes: Type.Array(Type.String(), { description: 'What is unusual about the price.' }),
})

const stepSchema = named('BillStep', {
  kind: Type.Enum([...billStepKinds]),
  name: Type.String({ description: 'What is billed, or the name of the rule.' }),
  rule_id: nullable(Type.String({ description: 'Of a rule; of a `dispute`, the id of the dispute.' })),
  line: nullable(
    Type.Integer({
      description: 'Of a line: its position, from 0, in the lines of the breakdown and in those of the trace.',
    }),
  ),
  effect: nullable(Type.String({ description: 'What an action of a rule did, in words.' })),
  exact_amount: exactText('The amount before rounding.'),
  amount: exactText('What the step adds to the bill, with all decimals of the currency.'),
  sum: exactText('The bill after this step.'),
})

const reasons = ['conditions_not_met', 'inactive', 'created_later'] as const

const idleRuleSchema = named('RuleNotApplied', {
  rule_id: Type.String(),
  name: Type.String(),
  priority: Type.Number(),
  reason: Type.Enum([...reasons], {
    description:
      '`conditions_not_met`: the rule was active, and a condition did not hold. `inactive`: it was not active when the session was ' +
      'priced. `created_later`: it did not exist then.',
  }),
  words: Type.Array(Type.String(), { description: 'The reason in words, one sentence for each condition.' }),
})

const explanationSchema = named('CostExplanation', {
  session_id: Type.String(),
  final: Type.Boolean({ description: 'false while the session is running.' }),
  priced_at: timestamp('The time at which the cost was calculated.'),
  currency: Type.String(),
  total: exactText('The cost including tax: the sum of the amounts of all steps.'),
  steps: Type.Array(stepSchema),
  rules_not_applied: Type.Array(idleRuleSchema),
  breakdown: costBreakdownSchema,
  trace: traceSchema,
})

type RuleNotApplied = Static<typeof idleRuleSchema>

/** Rules of today that the price knows nothing of: they were inactive when it was made, or not there yet. */
function unknownRules(view: ReadView, session: Session, priced: PricedSession): readonly RuleNotApplied[] {
  const known = new Set(priced.trace.rules.map(({ rule_id }) => rule_id))
  const ended = session.ended_at
  return view
    .listBy(billingRulesTable, 'byPriority', [session.organization_id])
    .filter(({ rule_id }) => !known.has(rule_id))
    .map(({ rule_id, name, priority, created_at }) => {
      const isLater = ended !== undefined && Date.parse(created_at) > Date.parse(ended)
      const words = isLater
        ? 'The rule was created after the session had ended.'
        : 'The rule was not active when the session was priced.'
      return { rule_id, name, priority, reason: isLater ? 'created_later' : 'inactive', words: [words] }
    })
}

/** As it is stored, but that every field is there. */
function traceView(trace: PricingTrace) {
  const rules = trace.rules.map((rule) => ({
    ...rule,
    condition_results: rule.condition_results.map((result) => ({ ...result, reason: result.reason ?? null })),
  }))
  return { ...trace, rules }
}

function explanationView(view: ReadView, session: Session, price: SessionPrice) {
  const { priced } = price
  const steps = billSteps(priced)
  const unmatched = unmatchedRules(priced).map(
    ({ words, ...rule }): RuleNotApplied => ({ ...rule, reason: 'conditions_not_met', words: [...words] }),
  )
  return {
    session_id: session.session_id,
    final: price.final,
    priced_at: price.pricedAt,
    currency: priced.currency,
    total: steps.at(-1)?.sum ?? '0',
    steps,
    rules_not_applied: [...unmatched, ...unknownRules(view, session, priced)],
    breakdown: costBreakdownView(price),
    trace: traceView(priced.trace),
  }
}

const getCostExplanation = area.get('/{session_id}/cost-explanation', {
  operationId: 'getCostExplanation',
  summary: 'Get why a session costs what it costs',
  description:
    'Returns the trace that was stored when the session was priced, the bill in steps whose amounts add up to the cost, and the rules ' +
    'that changed nothing, with the reason. A running session is priced as of now, by the same function. If no tariff applied when the ' +
    'session began, returns 409 `session_not_priced`.',
  scopes: ['read:billing'],
  of: sessions,
  answer: explanationSchema,
  errors: [sessionNotPriced],
  read({ row }, services) {
    const view = services.view()
    const price = sessionPrice(view, row, services.clock.now())
    if (price === undefined) throw notPriced()
    return explanationView(view, row, price)
  },
})

export const costExplanationRoutes = [getCostExplanation]
