// POST /api/v1/billing/tariffs/simulate: what the sessions of a past period would have cost under another tariff.

import { Type } from 'typebox'
import type { ErrorDetail } from '../../../runtime/errors.js'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { limits as simulationLimits } from '../billing-rules/limits.js'
import type { TermsOf } from '../billing-rules/simulate-sessions.js'
import { boundsOf, simulatedPeriod, simulationFields, simulationOf } from '../billing-rules/simulation.js'
import { area } from './area.js'
import { givenTariffFields, type SnapshotAt, tariffOf } from './given-tariff.js'

const simulateBody = Type.Object({
  ...givenTariffFields,
  sessions_of_tariff_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only sessions that began with this tariff.',
    }),
  ),
  ...simulatedPeriod,
})

const simulationSchema = named('TariffSimulation', simulationFields)

/** The tariff in the place of the one that applied, and the rules of the close. Amounts of two currencies cannot be compared. */
const withTariff =
  (snapshotAt: SnapshotAt): TermsOf =>
  ({ started_at }, { rules, priced }) => {
    const snapshot = snapshotAt(Date.parse(started_at))
    return snapshot.currency === priced.currency ? { snapshot, rules } : undefined
  }

const simulate = area.route({
  method: 'POST',
  path: '/billing/tariffs/simulate',
  operationId: 'simulateTariff',
  changesNothing: true,
  summary: 'Simulate a tariff on the sessions of a past period',
  description:
    'Nothing is created or changed. The sessions are priced again as if this tariff had applied at their starts, with its bands and its schedule, ' +
    'and with the billing rules by which they were priced. Costs include tax. Sessions in another currency are skipped. At most ' +
    `${simulationLimits.simulatedSessions} sessions are read, the earliest first; if there are more, \`cut\` is true and \`next_cursor\` continues ` +
    'behind them. Totals cover the sessions of this answer.',
  scopes: ['read:billing'],
  body: simulateBody,
  responses: { 200: simulationSchema },
  sheddable: 'list',
  examples: {
    dearer: {
      tariff: {
        name: 'Public charging',
        currency: 'EUR',
        tax_percentage: 20,
        components: [{ type: 'energy', price: 0.55 }],
      },
      from: '2026-10-01T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
    },
  },
  async handle({ principal, body }, services) {
    boundsOf(body)
    const faults: ErrorDetail[] = []
    const snapshotAt = tariffOf(body, { view: services.view(), principal }, faults)
    if (faults.length > 0) throw invalid(faults)
    if (snapshotAt === undefined) throw invalid([{ path: '', message: 'needs tariff_id or tariff' }])
    const { organization_id: organizationId } = principal.organization
    const about = { organizationId, termsOf: withTariff(snapshotAt), ofTariffId: body.sessions_of_tariff_id }
    return { status: 200, body: await simulationOf(body, about, services) }
  },
})

export const simulateTariffRoutes = [simulate]
