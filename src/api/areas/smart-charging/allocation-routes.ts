// How the power of a site is shared at this moment, and why; how it would be, and how it would have been.

import { type Static, Type } from 'typebox'
import { siteAddress } from '../../../actors/messages/site.js'
import type { DescribeMessage, RebalanceMessage, SimulateMessage, SiteReply } from '../../../actors/site/messages.js'
import type { Site } from '../../../records/site.js'
import { siteConfigurationsTable } from '../../../records/site-configuration.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { createFairQueue } from '../../../runtime/thread/fair-queue.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { sites } from '../sites/area.js'
import { warningsSchema } from '../sites/power-warnings.js'
import { area } from './area.js'
import { configurationBody } from './configuration.js'
import { requireSound } from './configuration-checks.js'
import { storedConfiguration } from './configuration-routes.js'
import { exceedsGridCapacity, siteNotManaged } from './errors.js'
import { limits } from './limits.js'
import { pastAllocation, pastAllocationSchema } from './past-allocation.js'
import { periodFields, periodOf } from './period.js'

const kilowatts = (description?: string) => Type.Number(description === undefined ? {} : { description })

const chargerSchema = Type.Object({
  charge_point_id: Type.String(),
  connector_id: Type.Integer(),
  transaction_id: Type.Integer(),
  session_id: Type.String(),
  demand_kw: kilowatts(
    'What the car could take, as far as is known: all that its connector can give, until it has drawn less for two minutes.',
  ),
  allocated_kw: kilowatts(
    'The limit that it is to have: a multiple of 0.1 A on each phase, rounded up where it covers the demand. Of a car whose limit cannot be changed now, what is counted.',
  ),
  counted_kw: kilowatts(
    'What it may draw at most, as far as can be known: a limit counts when the charge point has confirmed it.',
  ),
  drawn_kw: nullable(kilowatts('As last metered; null before the first meter value.')),
  alone_kw: nullable(kilowatts('What it would get if no other car shared.')),
  state: Type.Enum(['applied', 'pending', 'rejected', 'paused', 'offline', 'ignored'], {
    description:
      '`applied`: the charge point has confirmed the limit, or one that is less than 0.5 A lower on each phase: so small a raise is not sent. `pending`: it has not yet. `paused`: it has confirmed that its car waits. `rejected`: it takes no limits. ' +
      '`offline`: it cannot be reached. `ignored`: it has confirmed a limit, and draws more.',
  }),
  reason: Type.String({
    description:
      'Why it has that limit: demand, share, minimum, line, priority, floor, paused_budget, paused_line, paused_minimum, profile (a roaming partner has set a charging profile), or its state.',
  }),
  explanation: Type.String({ description: 'The same in words, with the numbers.' }),
  phases: Type.Integer({
    description: 'On how many phases it draws; all that it has, until its meter values show it.',
  }),
  applied_at: nullable(timestamp('When its limit was confirmed last.')),
})

const allocationSchema = named('PowerAllocation', {
  site_id: Type.String(),
  strategy: Type.String(),
  total_budget_kw: kilowatts('What the site may take now, its energy assets included.'),
  allocated_kw: kilowatts('The sum of the allocated_kw of the cars.'),
  counted_kw: kilowatts(
    'What all connectors of the site may draw together, as far as can be known: the sum of the counted_kw of the cars, and of what is counted for connectors without a car.',
  ),
  reserved_kw: kilowatts(
    'What is set aside for connectors without a car, beside allocated_kw: at least what is counted for them.',
  ),
  drawn_kw: kilowatts('The sum of what the cars draw, as last metered.'),
  chargers: Type.Array(chargerSchema),
  unlimited: Type.Array(
    Type.Object({ charge_point_id: Type.String(), counted_kw: kilowatts(), reason: Type.String() }),
    { description: 'Charge points that take no standing limit, and what the site sets aside for them.' },
  ),
  warnings: warningsSchema,
  computed_at: timestamp(),
})

const rebalanceSchema = named('PowerRebalance', {
  site_id: Type.String(),
  applied_at: timestamp(),
  chargers_recalculated: Type.Integer(),
  chargers: Type.Array(chargerSchema),
})

const getAllocation = area.route({
  method: 'GET',
  path: '/{site_id}/allocation',
  operationId: 'getPowerAllocation',
  summary: 'Get how the power of a site is shared now, and why',
  of: sites,
  responses: { 200: allocationSchema },
  errors: [siteNotManaged, overloaded],
  sheddable: 'command',
  async handle({ row }, services) {
    return { status: 200, body: await askSite(row, 'describe', services) }
  },
})

const rebalance = area.route({
  method: 'POST',
  path: '/{site_id}/rebalance',
  operationId: 'rebalanceSite',
  summary: 'Compute the limits of a site anew, and send them again',
  description:
    'Limits are computed anew by themselves whenever a session starts or stops, a car takes more or less, or the budget changes. This also sends those again that are as they should be.',
  of: sites,
  responses: { 200: rebalanceSchema },
  errors: [siteNotManaged, overloaded],
  sheddable: 'command',
  async handle({ row }, services) {
    const { site_id, computed_at, chargers } = await askSite(row, 'rebalance', services)
    return { status: 200, body: { site_id, applied_at: computed_at, chargers_recalculated: chargers.length, chargers } }
  },
})

const simulate = area.route({
  method: 'POST',
  path: '/{site_id}/simulate',
  operationId: 'simulateAllocation',
  summary: 'Compute how the power of a site would be shared, now or over a past period',
  description:
    'Computes the limits of the cars that charge now as they would be with another configuration, at another time, or both. Changes nothing, and sends nothing to charge points. ' +
    'The field `state` says how each charge point is now. With `past`, computes for each bucket of a past period the limits that the charge points would have had, from what they drew then, ' +
    `and answers with a PastPowerAllocation. A period has at most ${limits.simulatedBuckets} buckets, and buckets and charge points of the site multiplied are at most ${limits.simulatedShares}.`,
  of: sites,
  changesNothing: true,
  scopes: ['read:charge_points'],
  body: Type.Object({
    configuration: Type.Optional(configurationBody),
    at: Type.Optional(timestamp('The time at which the schedule is looked up; now if you leave it out.')),
    past: Type.Optional(
      Type.Object(periodFields, {
        description: 'A period in which charge points of the site were limited. Not with `at`.',
      }),
    ),
  }),
  responses: { 200: Type.Union([allocationSchema, pastAllocationSchema]) },
  errors: [exceedsGridCapacity, siteNotManaged, overloaded],
  sheddable: 'command',
  examples: {
    less: { configuration: { max_power_kw: 20, strategy: 'equal' } },
    tonight: { at: '2026-12-24T18:30:00Z' },
    october: {
      configuration: { max_power_kw: 20, strategy: 'equal' },
      past: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z', bucket: '1hour' },
    },
  },
  async handle({ row, principal, body: { configuration, at, past } }, services) {
    if (configuration !== undefined) requireSound(row, configuration, services.view(), principal)
    const supposed = configuration && storedConfiguration(row, configuration, 1, services)
    if (past !== undefined) {
      if (at !== undefined) throw invalid([{ path: '/at', message: 'cannot be given together with past' }])
      const period = periodOf(past, limits.simulatedBuckets, '/past/end')
      const view = services.view()
      const holding = supposed ?? view.get(siteConfigurationsTable, [row.site_id])
      if (holding === undefined) throw notManaged()
      const reads = { view, begin: services.longReads.of(row.organization_id) }
      return { status: 200, body: await pastAllocation(reads, row, holding, period) }
    }
    const message: SimulateMessage = {
      type: 'simulate',
      organizationId: row.organization_id,
      ...(supposed !== undefined && { configuration: supposed }),
      ...(at !== undefined && { at: Date.parse(at) }),
    }
    return { status: 200, body: await allocationOf(row, message, services) }
  },
})

function notManaged() {
  return siteNotManaged(
    'the site has no smart-charging configuration: set one with PUT /api/v1/smart-charging/sites/{site_id}/config',
  )
}

function askSite(site: Site, type: 'describe' | 'rebalance', services: Services) {
  return allocationOf(site, { type, organizationId: site.organization_id }, services)
}

/** What is asked of a site costs as much as it has cars, and waits among what its charge points say: an organization asks for a few at a time. */
const questions = createFairQueue({
  atOnce: limits.questions,
  atOncePerOwner: limits.questionsOfOrganization,
  waiting: limits.waitingQuestions,
  waitingPerOwner: limits.waitingQuestionsOfOrganization,
})

/** Throws `site_not_managed`, and `not_found` for one that was removed meanwhile. */
async function allocationOf(
  { site_id, organization_id }: Site,
  message: DescribeMessage | RebalanceMessage | SimulateMessage,
  services: Services,
): Promise<Static<typeof allocationSchema>> {
  const asked = questions.run(organization_id, () => askActor(services, siteAddress(site_id), message))
  if (asked === undefined)
    throw overloaded('too many questions of this organization to its sites are waiting; try again later')
  const reply = (await asked) as SiteReply
  if (reply.type === 'unknown') throw notFound('there is no such site')
  if (reply.type === 'unmanaged') throw notManaged()
  return { ...reply.allocation, chargers: [...reply.allocation.chargers], unlimited: [...reply.allocation.unlimited] }
}

export const allocationRoutes = [getAllocation, rebalance, simulate]
