// Rules that a request gives to be tried: stored ones by their ids, and others that need not be stored.

import { type Static, Type } from 'typebox'
import type { BillingRule } from '../../../records/billing-rule.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { rules as ownRules } from './area.js'
import { limits } from './limits.js'
import { newRuleBody, ruleFaults, storedFields } from './rules.js'

export const givenRulesFields = {
  rules: Type.Optional(
    Type.Array(newRuleBody, { maxItems: limits.billingRules, description: 'Rules that need not be stored.' }),
  ),
  rule_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: limits.billingRules,
      uniqueItems: true,
      description: 'The ids of stored rules, which are simulated whether they are active or not.',
    }),
  ),
}

const givenRules = Type.Object(givenRulesFields)
export type GivenRules = Static<typeof givenRules>

/** Made one after the other and now, so that those of one priority run in the order given, after stored ones. */
function unstoredRule(given: Static<typeof newRuleBody>, at: number, organizationId: string, now: number): BillingRule {
  const time = formatTimestamp(now + at)
  return {
    rule_id: `rules/${at}`,
    organization_id: organizationId,
    version: 0,
    ...storedFields(given),
    created_at: time,
    updated_at: time,
  }
}

/** `path` is their place in the body. Faults are added to `faults`, and the rules that have none returned. */
export function rulesOf(
  { rules = [], rule_ids = [] }: GivenRules,
  { view, principal, now }: { readonly view: ReadView; readonly principal: Principal; readonly now: number },
  faults: ErrorDetail[],
  path = '',
): BillingRule[] {
  faults.push(...rules.flatMap((rule, at) => ruleFaults(rule, `${path}/rules/${at}`)))
  const stored: BillingRule[] = []
  for (const [at, id] of rule_ids.entries()) {
    const rule = ownRules.find(view, principal, id)
    if (rule === undefined) faults.push({ path: `${path}/rule_ids/${at}`, message: 'is not the id of a billing rule' })
    else stored.push({ ...rule, active: true })
  }
  const { organization_id } = principal.organization
  return [...stored, ...rules.map((rule, at) => unstoredRule(rule, at, organization_id, now))]
}
