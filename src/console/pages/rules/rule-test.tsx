// A rule on a session that somebody makes up: what of it the rule looks at, which conditions hold, and what it makes of the cost. Worked out by the service
// for the rule as it is saved; nothing is charged.

import { useState } from 'preact/hooks'
import { type ApiError, api, ask, type Schema } from '../../client/api.js'
import { asApiError } from '../../client/resource.js'
import { me } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Field } from '../../parts/field.js'
import { Choices, Fields } from '../../parts/fields.js'
import { numberIn } from '../../parts/form.js'
import { Amount, amountOf } from '../../parts/money.js'
import { Refusal, Refused } from '../../parts/refusal.js'
import { type ConditionField, fields, operators } from './draft.js'

type Tested = Schema<'BillingRuleTest'>

export function RuleTest({ rule }: { readonly rule: Schema<'BillingRule'> }) {
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({ base_cost: '10' })
  const [shown, setShown] = useState<{ readonly tested?: Tested; readonly error?: ApiError }>({})
  const used = [...new Set<ConditionField>([...rule.conditions.map(({ field }) => field), 'base_cost'])]

  async function test(): Promise<void> {
    const given = used.filter((field) => (texts[field] ?? '').trim() !== '')
    const body = Object.fromEntries(given.map((field) => [field, valueIn(field, texts[field] ?? '')]))
    const params = { path: { rule_id: rule.rule_id } }
    try {
      setShown({ tested: await ask(api.POST('/api/v1/billing/rules/{rule_id}/test', { params, body })) })
    } catch (error) {
      setShown({ error: asApiError(error) })
    }
  }

  return (
    <Refused error={shown.error}>
      <Choices name="Test it on a session that you make up">
        <Fields>
          {used.map((field) => (
            <Field
              key={field}
              label={fields[field].name}
              path={`/${field}`}
              value={texts[field] ?? ''}
              fleeting
              onChange={(text) => setTexts({ ...texts, [field]: text })}
              {...(fields[field].isNumber && { inputmode: 'decimal' as const })}
            />
          ))}
        </Fields>
        <Button icon="calculator" onClick={() => void test()}>
          Test the saved rule on it
        </Button>
      </Choices>
      {shown.tested !== undefined && <Outcome of={shown.tested} />}
      <Refusal error={shown.error} />
    </Refused>
  )
}

/** What is no number is sent as it stands, and refused. */
function valueIn(field: ConditionField, text: string): string | number {
  const number = numberIn(text)
  return fields[field].isNumber && !Number.isNaN(number) ? number : text.trim()
}

function Outcome({ of }: { readonly of: Tested }) {
  const currency = me.value?.organization.currency ?? ''
  const amount = (value: number) => <Amount of={amountOf(value, currency)} currency={currency} />
  return (
    <div class="stack" role="status">
      <p>
        {of.matched ? (
          <>
            The rule applies: {amount(of.base_cost)} becomes <b>{amount(of.adjusted_cost)}</b>, before tax.
          </>
        ) : (
          <>The rule does not apply: it stays at {amount(of.base_cost)}, before tax.</>
        )}
      </p>
      <ul>
        {of.condition_results.map(({ field, operator, value, actual, matched, reason }, at) => (
          <li key={at}>
            {fields[field].name} {operators[operator]} {[value].flat().join(', ')}:{' '}
            <b>{matched ? 'holds' : 'does not hold'}</b>
            {`, ${reason ?? `it is ${String(actual)}`}`}
          </li>
        ))}
        {of.applied_actions.map(({ effect }, at) => (
          <li key={`action ${at}`}>{effect}</li>
        ))}
      </ul>
    </div>
  )
}
