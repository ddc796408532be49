// Sessions in the driver portal: what was charged, what it cost line by line, and disputes about it.

import { Type } from 'typebox'
import { disputeExists, sessionNotPriced } from '../../../actors/charge-point/errors.js'
import { type Session, sessionStatuses } from '../../../records/session.js'
import { overloaded } from '../../../runtime/errors.js'
import { filledLines } from '../../../runtime/fault-words.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { principalName } from '../../surfaces/principal.js'
import { askAboutDispute, disputeSchema, disputeView, sessionDisputeSchema } from '../disputes/disputes.js'
import { limits as disputeLimits } from '../disputes/limits.js'
import { sessions } from '../sessions/area.js'
import { costBreakdownSchema, costBreakdownView } from '../sessions/cost-breakdown.js'
import { sessionNotEnded } from '../sessions/errors.js'
import { readSessions, sessionFilters, sessionListDescription, sessionPeriod } from '../sessions/session-lists.js'
import { costAtEnd, notPriced, sessionPrice } from '../sessions/session-price.js'
import { sessionView } from '../sessions/sessions.js'
import { area } from './area.js'

const portalSession = named('PortalSession', {
  session_id: Type.String(),
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  id_tag: Type.String(),
  started_at: timestamp(),
  ended_at: nullable(timestamp()),
  energy_kwh: Type.Number(),
  cost: nullable(Type.Number({ description: 'Including tax. For a running session, the cost so far.' })),
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

const listPortalSessions = area.list('', {
  operationId: 'listPortalSessions',
  summary: 'List sessions for the portal, newest first',
  description: `${sessionListDescription} \`id_tag\` selects the sessions of one driver.`,
  filters: { id_tag: sessionFilters.id_tag, status: sessionFilters.status, ...sessionPeriod },
  row: portalSession,
  perPage: 20,
  maximum: 100,
  async read({ principal, query }, services) {
    const view = services.view()
    const { rows, total } = await readSessions(
      { view, longReads: services.longReads },
      principal.organization.organization_id,
      query,
    )
    const now = services.clock.now()
    return { rows: rows.map((row) => portalView(view, row, now)), total }
  },
})

const getCostBreakdown = area.get('/{session_id}/cost-breakdown', {
  operationId: 'getCostBreakdown',
  summary: 'Get the cost of a session, line by line',
  description:
    'A running session is priced as of now. If no tariff applied when the session began, returns 409 `session_not_priced`.',
  of: sessions,
  answer: costBreakdownSchema,
  errors: [sessionNotPriced],
  read({ row }, services) {
    const price = sessionPrice(services.view(), row, services.clock.now())
    if (price === undefined) throw notPriced()
    return costBreakdownView(price)
  },
})

const disputeSession = area.route({
  method: 'POST',
  path: '/{session_id}/dispute',
  operationId: 'disputeSession',
  summary: 'Dispute the cost of a session',
  description:
    'Only for a session that has ended and has a cost. A session has at most one undecided dispute: opening another returns 409 `dispute_exists`.',
  of: sessions,
  body: Type.Object({
    reason: Type.String({ minLength: 1, maxLength: 2_000, ...filledLines }),
    expected_cost: Type.Optional(Type.Number({ minimum: 0, maximum: disputeLimits.disputedAmount })),
  }),
  responses: { 201: disputeSchema },
  errors: [sessionNotEnded, sessionNotPriced, disputeExists, overloaded],
  examples: { idle: { reason: 'I was charged for idle time after the charge point had failed.', expected_cost: 12.4 } },
  async handle({ row, principal, body }, services) {
    // Throws what is missing where the session has no cost.
    costAtEnd(services.view(), row)
    const { session_id: sessionId, charge_point_id } = row
    const { reason, expected_cost: expectedCost } = body
    const message = { type: 'open-dispute', sessionId, reason, expectedCost, by: principalName(principal) } as const
    const dispute = await askAboutDispute(services, charge_point_id, message)
    return { status: 201, body: disputeView(dispute, { view: services.view() }) }
  },
})

export const portalSessionRoutes = [listPortalSessions, getCostBreakdown, disputeSession]
