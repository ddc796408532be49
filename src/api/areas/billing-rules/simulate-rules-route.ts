// POST /api/v1/billing/rules/simulate: what the sessions of a past period would have cost under other billing rules.

import { type Static, Type } from 'typebox'
import type { BillingRule } from '../../../records/billing-rule.js'
import type { ErrorDetail } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { pageFields, pageQuery } from '../../pipeline/paging.js'
import { chargePointId, named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import type { Principal } from '../../surfaces/principal.js'
import { area, rules as ownRules } from './area.js'
import { limits } from './limits.js'
import { newRuleBody, ruleFaults, storedFields } from './rules.js'
import { type Place, simulateRules } from './simulate-rules.js'

const simulateBody = Type.Object({
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
  from: timestamp('Only sessions that ended at this time or later.'),
  to: timestamp('Only sessions that ended before this time.'),
  charge_point_id: Type.Optional(chargePointId()),
  site_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  changed_only: Type.Optional(
    Type.Boolean({ default: false, description: 'true lists only sessions whose cost differs.' }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 200, description: 'The `next_cursor` of a simulation that was cut.' }),
  ),
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
        description:
          'The ids of the rules that matched; for a rule without an id its position in the request, such as `rules/0`.',
      }),
    }),
  ),
  ...pageFields,
  totals: Type.Array(
    Type.Object({ currency: Type.String(), sessions: Type.Integer(), changed_sessions: Type.Integer(), ...costs }),
    { description: 'The totals of all sessions covered, by currency.' },
  ),
  sessions_covered: Type.Integer(),
  sessions_skipped: Type.Integer({
    description: 'Sessions that cannot be priced again because too little is stored of them. No total includes them.',
  }),
  cut: Type.Boolean({
    description: `Whether the period has more sessions than the ${limits.simulatedSessions} that are read.`,
  }),
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
    throw invalid([{ path: '', message: 'needs rules or rule_ids; send an empty array to simulate no rules' }])
  const faults: ErrorDetail[] = (rules ?? []).flatMap((rule, at) => ruleFaults(rule, `/rules/${at}`))
  const stored: BillingRule[] = []
  for (const [at, id] of (rule_ids ?? []).entries()) {
    const rule = ownRules.find(view, principal, id)
    if (rule === undefined) faults.push({ path: `/rule_ids/${at}`, message: 'is not the id of a billing rule' })
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
  throw invalid([{ path: '/cursor', message: 'is not a cursor that a simulation has returned' }])
}

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
    const from = parseTimestamp(body.from) ?? 0
    const to = parseTimestamp(body.to) ?? 0
    if (to <= from) throw invalid([{ path: '/to', message: 'must be after from' }])
    const rules = rulesOf(body, view, principal, services.clock.now())
    const after = placeOf(body.cursor)
    const { page = 1, per_page = 50 } = body
    const organizationId = principal.organization.organization_id
    const simulation = await simulateRules(
      { view, begin: services.longReads.of(organizationId) },
      {
        organizationId,
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
      },
    )
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
