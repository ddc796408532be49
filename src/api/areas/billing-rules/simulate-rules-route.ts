// POST /api/v1/billing/rules/simulate: what the sessions of a past period would have cost under other billing rules.

import { Type } from 'typebox'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { area } from './area.js'
import { givenRulesFields, rulesOf } from './given-rules.js'
import { limits } from './limits.js'
import { withRules } from './simulate-sessions.js'
import { boundsOf, simulatedPeriod, simulationFields, simulationOf } from './simulation.js'

const simulateBody = Type.Object({ ...givenRulesFields, ...simulatedPeriod })

const simulationSchema = named('BillingRuleSimulation', simulationFields)

const simulate = area.route({
  method: 'POST',
  path: '/simulate',
  operationId: 'simulateBillingRules',
  changesNothing: true,
  summary: 'Simulate billing rules on the sessions of a past period',
  description:
    'Nothing is created or changed. The sessions are priced again with these rules in the place of those that applied, and with the tariffs ' +
    `of their starts. Costs include tax. At most ${limits.simulatedSessions} sessions are read, the earliest first; if there are more, \`cut\` ` +
    'is true and `next_cursor` continues behind them. Totals cover the sessions of this answer.',
  scopes: ['write:billing', 'read:billing'],
  body: simulateBody,
  responses: { 200: simulationSchema },
  sheddable: 'list',
  examples: {
    surcharge: {
      rules: [
        {
          name: 'Long stays',
          priority: 1,
          conditions: [{ field: 'idle_minutes', operator: 'gt', value: 60 }],
          actions: [{ type: 'surcharge_fixed', value: 5 }],
        },
      ],
      from: '2026-10-01T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
    },
  },
  async handle({ principal, body }, services) {
    const view = services.view()
    boundsOf(body)
    if (body.rules === undefined && body.rule_ids === undefined)
      throw invalid([{ path: '', message: 'needs rules or rule_ids; send an empty array to simulate no rules' }])
    const faults: ErrorDetail[] = []
    const rules = rulesOf(body, { view, principal, now: services.clock.now() }, faults)
    if (faults.length > 0) throw invalid(faults)
    const { organization_id: organizationId } = principal.organization
    return {
      status: 200,
      body: await simulationOf(body, { organizationId, termsOf: withRules(view, rules) }, services),
    }
  },
})

export const simulateRulesRoutes = [simulate]
