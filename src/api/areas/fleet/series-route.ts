// What the fleet was doing, over time: as it was sampled.

import { Type } from 'typebox'
import { fleetMetricNames, fleetSamplesTable, fleetSteps, stepStart } from '../../../records/fleet-sample.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp, parseTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'
import { limits } from './limits.js'

const seconds = fleetSteps.map((step) => step.seconds)

const getSeries = area.get('/series', {
  operationId: 'getFleetSeries',
  summary: 'Get what the fleet was doing over time',
  description:
    'Sampled at the end of each minute (UTC): `power_watts`, `online`, `charging`, `faulted` and `sessions` are as of then, and means over longer steps. `started` counts the sessions that began, and `failed_starts` those of them that were refused ' +
    '(`not_authorized`, `concurrent_transaction`, `reserved_for_another`); a charge point that was offline may report a session too late to be counted. `energy_wh` is the energy of the power as it was metered last: bills go by the meter. ' +
    'Steps of 60 seconds are kept for 48 hours, of 900 for 90 days, and of 86,400 for five years.',
  scopes: ['read:analytics'],
  query: Type.Object({
    metrics: Type.Optional(
      Type.Array(Type.Enum([...fleetMetricNames]), {
        maxItems: fleetMetricNames.length,
        description: 'All of them unless given. Separate several with commas, or give the parameter more than once.',
      }),
    ),
    from: timestamp('The first step is the one that this time is in.'),
    to: timestamp('Steps that begin before this time are shown.'),
    step: Type.Optional(Type.Integer({ enum: seconds, default: 900, description: 'How long a step is, in seconds.' })),
  }),
  answer: named('FleetSeries', {
    starts_at: timestamp('When the first step begins.'),
    step_seconds: Type.Integer({
      description: 'Value i of each metric is of the step that begins i steps after `starts_at`.',
    }),
    points: Type.Integer({ description: 'How many values each metric has.' }),
    metrics: Type.Record(Type.String(), Type.Array(nullable(Type.Number())), {
      description: 'By metric; null is a step of which nothing is known.',
    }),
  }),
  sheddable: 'list',
  read({ principal, query }, services) {
    const step = fleetSteps.find((one) => one.seconds === (query.step ?? 900)) ?? fleetSteps[1]
    const stepMs = step.seconds * 1000
    const from = stepStart(step, parseTimestamp(query.from) ?? 0)
    const to = parseTimestamp(query.to) ?? 0
    if (to <= from) throw invalid([{ path: 'to', message: 'must be after from' }])
    const points = Math.ceil((to - from) / stepMs)
    if (points > limits.seriesPoints) {
      const message = `is too far from from: the period has ${points} steps, and an answer at most ${limits.seriesPoints}. Ask for a shorter period or longer steps`
      throw invalid([{ path: 'to', message }])
    }
    const { organization_id } = principal.organization
    const rows = services.view().list(fleetSamplesTable, [organization_id, step.seconds], { from: [from], to: [to] })
    const metrics = Object.fromEntries(
      (query.metrics ?? fleetMetricNames).map((name) => {
        const place = fleetMetricNames.indexOf(name as (typeof fleetMetricNames)[number])
        const values = new Array<number | null>(points).fill(null)
        for (const { starts_at, values: sampled } of rows)
          values[(starts_at - from) / stepMs] = Number((sampled[place] ?? 0).toPrecision(9))
        return [name, values]
      }),
    )
    return { starts_at: formatTimestamp(from), step_seconds: step.seconds, points, metrics }
  },
})

export const seriesRoutes = [getSeries]
