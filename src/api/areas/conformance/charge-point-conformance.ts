// Which rules of OCPP 1.6 a charge point breaks: the sums by rule, and what it does where in which message, with how many of its model do the same.

import { Type } from 'typebox'
import { conformanceRules, readHead } from '../../../ocpp16/index.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import { chargePointCountsTable, dayOf } from '../../../records/charge-point-day.js'
import { chargePointStatesTable } from '../../../records/charge-point-state.js'
import { type ChargePointModel, conformanceTable, isSameModel, modelOf } from '../../../records/conformance.js'
import { deviationsTable, mostDeviations, type StoredDeviation } from '../../../records/deviation.js'
import { groupKey } from '../../../records/model-group.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { chargePoints } from '../charge-points/area.js'
import { stateOf } from '../charge-points/charge-points.js'
import { area } from './area.js'
import {
  deviationFields,
  deviationView,
  exampleFields,
  modelFields,
  ruleFields,
  rules,
  shownModel,
} from './deviation-view.js'
import { limits } from './limits.js'
import { type Showing, showingTo } from './shown-texts.js'

const brokenRule = named('BrokenRule', {
  ...ruleFields,
  first_at: timestamp(),
  last_at: timestamp(),
  sample: Type.Object({
    frame: nullable(
      Type.String({
        description:
          'The first message that broke the rule, shortened. Secrets and id tags are masked. null without the scope `read:messages`.',
      }),
    ),
    path: nullable(Type.String({ description: 'Where in the payload of the message, as a JSON pointer.' })),
  }),
})

const deviation = named('Deviation', {
  ...deviationFields,
  first_at: timestamp(),
  last_at: timestamp(),
  example: Type.Object(exampleFields),
  peers: Type.Object({
    same_model: Type.Integer({
      minimum: 0,
      description: 'How many charge points of yours are of the same vendor and model, this one included.',
    }),
    deviating: Type.Integer({ minimum: 0, description: 'How many of them do the same.' }),
  }),
})

const conformance = named('ChargePointConformance', {
  charge_point_id: Type.String(),
  ...modelFields,
  counted_since: nullable(timestamp('null if no rule was broken.')),
  messages: Type.Integer({
    minimum: 0,
    description: `What the charge point has sent since the beginning of the day (UTC) of \`counted_since\`, or in the last ${limits.daysOfMessages} days where it has broken no rule.`,
  }),
  deviating_messages: Type.Integer({ minimum: 0, description: 'How many messages have broken a rule.' }),
  violations: Type.Integer({ minimum: 0, description: 'How often a rule was broken: a message may break several.' }),
  rules: Type.Array(brokenRule),
  deviations: Type.Array(deviation, { maxItems: mostDeviations }),
  other_violations: Type.Integer({
    minimum: 0,
    description: `How often a rule was broken otherwise: \`deviations\` has ${mostDeviations} at most.`,
  }),
})

const byCount = (one: { readonly count: number }, other: { readonly count: number }): number => other.count - one.count

export const getConformance = area.get('/chargepoints/{charge_point_id}/conformance', {
  operationId: 'getConformance',
  summary: 'Show which rules of OCPP 1.6 a charge point has broken',
  description:
    'Counts what the service gets along with, and what it refuses, with a message for each. The most frequent comes first. ' +
    '`rules` has the sums by rule; `deviations` tells what is done in which message, and at which place of it. ' +
    'Counting begins anew when the charge point reports another vendor, model or firmware version. ' +
    'Numbers are up to a minute and a half old.',
  of: chargePoints,
  answer: conformance,
  read({ row, principal }, services) {
    const { charge_point_id, organization_id } = row
    const showing = showingTo(principal)
    const view = services.view()
    const stored = view.get(conformanceTable, [charge_point_id])
    const known = stored?.organization_id === organization_id ? stored : undefined
    const model = known ?? modelOf(stateOf(view, row)?.boot)
    const shown = rules.flatMap((rule) => {
      const broken = known?.rules[rule]
      if (broken === undefined) return []
      const { count, first_at, last_at, frame: sampled, path = '' } = broken
      const { frame } = showing.example({ frame: sampled })
      const times = { first_at: formatTimestamp(first_at), last_at: formatTimestamp(last_at) }
      return [
        {
          rule,
          meaning: conformanceRules[rule].meaning,
          count,
          ...times,
          sample: { frame, path: showing.texts({ action: actionOf(sampled), path }).path },
        },
      ]
    })
    const deviations = known === undefined ? [] : deviationsOf(view, row, known, showing)
    const sumOf = (counted: readonly { readonly count: number }[]): number =>
      counted.reduce((sum, { count }) => sum + count, 0)
    const listed = sumOf(deviations)
    // What a charge point does for the first time is stored before its sums are.
    const violations = Math.max(listed, sumOf(shown))
    return {
      charge_point_id,
      ...shownModel(model),
      counted_since: known === undefined ? null : formatTimestamp(known.since),
      // They are counted with the sign of life, half a minute later than what breaks a rule.
      messages: Math.max(
        known?.messages ?? 0,
        messagesSince(view, row, known?.since ?? services.clock.now() - limits.daysOfMessages * dayMs),
      ),
      deviating_messages: known?.messages ?? 0,
      violations,
      rules: shown.sort(byCount),
      deviations: deviations.sort(byCount),
      other_violations: violations - listed,
    }
  },
})

/** Of a message that is kept as a sample, and may be cut. */
function actionOf(frame: string): string {
  const head = readHead(frame)
  return head.type === 'call' ? head.action : ''
}

const dayMs = 24 * 3_600_000

function messagesSince(view: ReadView, { organization_id, charge_point_id }: ChargePoint, since: number): number {
  const between = { from: [dayOf(since)] }
  const days = view.list(chargePointCountsTable, [organization_id, charge_point_id], between)
  return days.reduce((sum, { messages }) => sum + messages, 0)
}

function deviationsOf(
  view: ReadView,
  { organization_id, charge_point_id }: ChargePoint,
  model: ChargePointModel,
  showing: Showing,
) {
  const { vendor, model: name } = model
  const group = groupKey(organization_id, { vendor, model: name })
  const isOwn = (row: StoredDeviation): boolean => row.organization_id === organization_id && isSameModel(row, model)
  const same_model = view.total(chargePointStatesTable, 'ofModel', group)
  return view
    .list(deviationsTable, [charge_point_id])
    .filter(isOwn)
    .map((row) => ({
      ...deviationView(row, row.count, showing),
      first_at: formatTimestamp(row.first_at),
      last_at: formatTimestamp(row.last_at),
      peers: { same_model, deviating: view.total(deviationsTable, 'ofKind', [...group, row.kind]) },
    }))
}
