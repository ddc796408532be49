// What the simulations of past sessions share: the period that they take, the pages and totals that they answer, and where one goes on
// that was cut.

import { type Static, Type } from 'typebox'
import { pageFields, pageQuery } from '../../pipeline/paging.js'
import { chargePointId, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { limits } from './limits.js'
import { type Place, simulateSessions, type TermsOf } from './simulate-sessions.js'

export const simulatedPeriod = {
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
}

const period = Type.Object(simulatedPeriod)
export type SimulatedPeriod = Static<typeof period>

const costs = {
  cost: Type.Number({
    description:
      'What was priced at the end, before a total that was agreed in a dispute: no tariff and no rule makes that.',
  }),
  simulated_cost: Type.Number(),
  difference: Type.Number(),
}

export const simulationFields = {
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

/** Both in ms. Throws `validation_error`. */
export function boundsOf({ from, to }: Pick<SimulatedPeriod, 'from' | 'to'>): {
  readonly from: number
  readonly to: number
} {
  const bounds = { from: parseTimestamp(from) ?? 0, to: parseTimestamp(to) ?? 0 }
  if (bounds.to <= bounds.from) throw invalid([{ path: '/to', message: 'must be after from' }])
  return bounds
}

/** The body of the answer. Throws `validation_error`. */
export async function simulationOf(
  asked: SimulatedPeriod,
  about: { readonly organizationId: string; readonly termsOf: TermsOf; readonly ofTariffId?: string | undefined },
  services: Services,
) {
  const { from, to } = boundsOf(asked)
  const after = placeOf(asked.cursor)
  const { page = 1, per_page = 50 } = asked
  const { sessions, listed, totals, covered, skipped, cutAt } = await simulateSessions(
    { view: services.view(), begin: services.longReads.of(about.organizationId) },
    {
      ...about,
      from,
      to,
      // A cursor of another period does not lead out of this one.
      after: after !== undefined && after.endedAt >= from ? after : undefined,
      chargePointId: asked.charge_point_id,
      siteId: asked.site_id,
      changedOnly: asked.changed_only ?? false,
      page,
      perPage: per_page,
    },
  )
  return {
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
  }
}
