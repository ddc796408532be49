// POST /api/v1/billing/rules/simulate: what the sessions of a past period would have cost under other billing rules.

import { type Static, Type } from 'typebox'
import type { BillingRule } from '../../../records/billing-rule.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { limits } from '../../../runtime/limits.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { pageFields, pageQuery } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import type { Principal } from '../../surfaces/principal.js'
import { findRule, newRuleBody, ruleFaults, storedFields } from './rules.js'
import { type Place, simulateRules } from './simulate-rules.js'

const simulateBody = Type.Object({
  rules: Type.Optional(
    Type.Array(newRuleBody, { maxItems: limits.billingRules, description: 'rules that need not be stored' }),
  ),
  rule_ids: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      maxItems: limits.billingRules,
      uniqueItems: true,
      description: 'stored rules, which run here whether they are active or not',
    }),
  ),
  from: timestamp('sessions that ended then or later'),
  to: timestamp('and before this'),
  charge_point_id: Type.Optional(chargePointId()),
  site_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  changed_only: Type.Optional(Type.Boolean({ default: false, description: 'lists only sessions whose cost differs' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`next_cursor` of a simulation that was cut' })),
  page: Type.Optional(pageQuery(50, 200).page),
  per_page: Type.Optional(pageQuery(50, 200).per_page),
})

const costs = { cost: Type.Number(), simulated_cost: Type.Number(), difference: Type.Number() }

const simulationSchema = named('BillingRuleSimulation', {
  from: timestamp(),
  to: timestamp(),
  sessions: Type.Array(
    Type.Object({
      session_id: Type.String(),
      charge_point_id: Type.String(),
      ended_at: timestamp(),
      currency: Type.String(),
      ...costs,
      matched_rules: Type.Array(Type.String(), {
        description: 'by id; of those without one the place in the request, such as `rules/0`',
      }),
    }),
  ),
  ...pageFields,
  totals: Type.Array(
    Type.Object({ currency: Type.String(), sessions: Type.Integer(), changed_sessions: Type.Integer(), ...costs }),
    { description: 'of all sessions covered, by currency' },
  ),
  sessions_covered: Type.Integer(),
  sessions_skipped: Type.Integer({ description: 'of which too little is stored to price them again; in no total' }),
  cut: Type.Boolean({ description: `whether sessions of the period are left: ${limits.simulatedSessions} are read` }),
  next_cursor: nullable(Type.String()),
})

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

/** Throws `validation_error`. */
function rulesOf(
  { rules, rule_ids }: Static<typeof simulateBody>,
  view: ReadView,
  principal: Principal,
  now: number,
): BillingRule[] {
  if (rules === undefined && rule_ids === undefined)
    throw invalid([{ path: '/rules', message: 'or rule_ids is required; an empty array is a period without rules' }])
  const faults: ErrorDetail[] = (rules ?? []).flatMap((rule, at) => ruleFaults(rule, `/rules/${at}`))
  const stored: BillingRule[] = []
  for (const [at, id] of (rule_ids ?? []).entries()) {
    const rule = findRule(view, principal, id)
    if (rule === undefined) faults.push({ path: `/rule_ids/${at}`, message: 'is no billing rule' })
    else stored.push({ ...rule, active: true })
  }
  if (faults.length > 0) throw invalid(faults)
  const { organization_id } = principal.organization
  return [...stored, ...(rules ?? []).map((rule, at) => unstoredRule(rule, at, organization_id, now))]
}

function cursorOf({ endedAt, sessionId }: Place): string {
  return Buffer.from(`${endedAt} ${sessionId}`).toString('base64url')
}

/** Throws `validation_error` for what no simulation has given. */
function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, endedAt, sessionId] = /^(-?\d{1,16}) (\S{1,64})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (endedAt !== undefined && sessionId !== undefined) return { endedAt: Number(endedAt), sessionId }
  throw invalid([{ path: '/cursor', message: 'is not one that a simulation has given' }])
}

const simulate = defineRoute({
  method: 'POST',
  path: '/api/v1/billing/rules/simulate',
  operationId: 'simulateBillingRules',
  changesNothing: true,
  summary: 'Price the sessions of a past period under other billing rules',
  description:
    'Creates and changes nothing. The rules given take the place of those by which the sessions were priced; the tariffs are those of ' +
    `their starts. Costs are with tax. At most ${limits.simulatedSessions} sessions are read, the earliest first; \`cut\` says whether ` +
    'there are more, and `next_cursor` goes on there. Totals are of the sessions that this answer covers.',
  tags: ['Billing rules'],
  surface: operator,
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
    const from = parseTimestamp(body.from) ?? 0
    const to = parseTimestamp(body.to) ?? 0
    if (to <= from) throw invalid([{ path: '/to', message: 'must be after from' }])
    const rules = rulesOf(body, view, principal, services.clock.now())
    const after = placeOf(body.cursor)
    const { page = 1, per_page = 50 } = body
    const simulation = await simulateRules(view, {
      organizationId: principal.organization.organization_id,
      rules,
      from,
      to,
      // A cursor of another period does not lead out of this one.
      after: after !== undefined && after.endedAt >= from ? after : undefined,
      chargePointId: body.charge_point_id,
      siteId: body.site_id,
      changedOnly: body.changed_only ?? false,
      page,
      perPage: per_page,
    })
    const { sessions, listed, totals, covered, skipped, cutAt } = simulation
    return {
      status: 200,
      body: {
        from: formatTimestamp(from),
        to: formatTimestamp(to),
        sessions,
        total: listed,
        page,
        per_page,
        totals,
        sessions_covered: covered,
        sessions_skipped: skipped,
        cut: cutAt !== undefined,
        next_cursor: cutAt === undefined ? null : cursorOf(cutAt),
      },
    }
  },
})

export const simulateRulesRoutes = [simulate]
