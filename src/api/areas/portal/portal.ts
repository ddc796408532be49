// The driver portal: what was charged, what it cost line by line, and disputes about it. Receipts are in receipts.ts.

import { Type } from 'typebox'
import { disputeExists, sessionNotPriced } from '../../../actors/charge-point/errors.js'
import type { PricedSession } from '../../../pricing/price-session.js'
import { type Session, sessionStatuses } from '../../../records/session.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { notBlank } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { defineList } from '../../pipeline/list-route.js'
import { defineRoute } from '../../pipeline/route.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { operator } from '../../surfaces/operator.js'
import { askAboutDispute, disputeSchema, disputeView, sessionDisputeSchema } from '../disputes/disputes.js'
import { limits as disputeLimits } from '../disputes/limits.js'
import { sessions } from '../sessions/area.js'
import { sessionNotEnded } from '../sessions/errors.js'
import { readSessions, sessionFilters, sessionListDescription, sessionPeriod } from '../sessions/session-lists.js'
import { costAtEnd, notPriced, sessionPrice } from '../sessions/session-price.js'
import { sessionView } from '../sessions/sessions.js'

const portalSession = named('PortalSession', {
  session_id: Type.String(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  started_at: timestamp(),
  ended_at: nullable(timestamp()),
  energy_kwh: Type.Number(),
  cost: nullable(Type.Number({ description: 'with tax; of a running session, as of now' })),
  currency: nullable(Type.String()),
  status: Type.Enum([...sessionStatuses]),
  dispute: sessionDisputeSchema,
})

function portalView(view: ReadView, session: Session, now: number) {
  const shown = sessionView(view, session, now)
  const { session_id, charge_point_id, connector_id, id_tag, started_at, ended_at, energy_kwh } = shown
  // The cost of a session that has ended stands in its own row: a page need not read how it came about.
  const price = session.ended_at === undefined ? sessionPrice(view, session, now)?.priced : undefined
  return {
    session_id,
    charge_point_id,
    connector_id,
    id_tag,
    started_at,
    ended_at,
    energy_kwh,
    cost: price?.total ?? session.cost ?? null,
    currency: price?.currency ?? session.currency ?? null,
    status: session.status,
    dispute: shown.dispute,
  }
}

const listPortalSessions = defineList({
  surface: operator,
  path: '/api/v1/portal/sessions',
  operationId: 'listPortalSessions',
  summary: 'List the sessions of the portal, newest first',
  description: `${sessionListDescription} \`id_tag\` has those of one driver.`,
  tags: ['Portal'],
  scopes: ['read:sessions'],
  filters: { id_tag: sessionFilters.id_tag, status: sessionFilters.status, ...sessionPeriod },
  row: portalSession,
  perPage: 20,
  maximum: 100,
  async read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = await readSessions(view, principal.organization.organization_id, query)
    const now = services.clock.now()
    return { rows: rows.map((row) => portalView(view, row, now)), total }
  },
})

const breakdown = named('CostBreakdown', {
  session_id: Type.String(),
  currency: Type.String(),
  tariff_id: Type.String(),
  lines: Type.Array(
    Type.Object({
      type: Type.Enum(['energy', 'time', 'idle', 'flat']),
      description: Type.String(),
      quantity: Type.Number(),
      unit: Type.Enum(['kWh', 'h', 'session']),
      unit_price: Type.Number(),
      amount: Type.Number(),
    }),
  ),
  adjustments: Type.Array(
    Type.Object({ rule_id: Type.String(), name: Type.String(), effect: Type.String(), amount: Type.Number() }),
  ),
  subtotal: Type.Number({ description: 'the sum of the lines, before adjustments and tax' }),
  tax_percentage: Type.Number(),
  tax: Type.Number(),
  total: Type.Number(),
  final: Type.Boolean({ description: 'false while the session runs' }),
  priced_at: timestamp('when this was worked out'),
})

function breakdownView({ trace: _, ...priced }: PricedSession) {
  return priced
}

const getCostBreakdown = defineRoute({
  method: 'GET',
  path: '/api/v1/portal/sessions/{session_id}/cost-breakdown',
  operationId: 'getCostBreakdown',
  summary: 'Read what a session costs, line by line',
  description: 'A running session is priced as of now. One that began without a tariff is 409 `session_not_priced`.',
  tags: ['Portal'],
  surface: operator,
  scopes: ['read:sessions'],
  params: sessions.params,
  responses: { 200: breakdown },
  errors: [notFound, sessionNotPriced],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    const price = sessionPrice(view, sessions.own(view, principal, params.session_id), services.clock.now())
    if (price === undefined) throw notPriced()
    const { priced, final, pricedAt } = price
    return { status: 200, body: { ...breakdownView(priced), final, priced_at: pricedAt } }
  },
})

const disputeSession = defineRoute({
  method: 'POST',
  path: '/api/v1/portal/sessions/{session_id}/dispute',
  operationId: 'disputeSession',
  summary: 'Dispute the cost of a session',
  description:
    'Only for a session that has ended and has a cost. A session has at most one dispute that is not decided: another is 409 `dispute_exists`.',
  tags: ['Portal'],
  surface: operator,
  scopes: ['write:sessions'],
  params: sessions.params,
  body: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: 2_000, ...notBlank }),
    expected_cost: Type.Optional(Type.Number({ minimum: 0, maximum: disputeLimits.disputedAmount })),
  }),
  responses: { 201: disputeSchema },
  errors: [notFound, sessionNotEnded, sessionNotPriced, disputeExists, overloaded],
  sheddable: 'never',
  examples: { idle: { reason: 'I was charged for idle time while the charger had failed.', expected_cost: 12.4 } },
  async handle({ principal, params, body }, services) {
    const view = services.view()
    const session = sessions.own(view, principal, params.session_id)
    // Says what is missing where the session has no cost.
    costAtEnd(view, session)
    const { session_id: sessionId, charge_point_id } = session
    const message = { type: 'open-dispute', sessionId, reason: body.reason, expectedCost: body.expected_cost } as const
    return { status: 201, body: disputeView(await askAboutDispute(services, charge_point_id, message)) }
  },
})

export const portalRoutes = [listPortalSessions, getCostBreakdown, disputeSession]
