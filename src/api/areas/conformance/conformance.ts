// Which rules of OCPP 1.6 a charge point has broken, with a frame for each; and the same summed up by vendor, model and firmware.

import { Type } from 'typebox'
import { type ConformanceRule, conformanceRules } from '../../../ocpp16/index.js'
import { type ChargePointModel, conformanceTable, modelOf } from '../../../records/conformance.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { chargePoints } from '../charge-points/area.js'
import { stateOf } from '../charge-points/charge-points.js'
import { area } from './area.js'
import { brokenTotal, chargePointsOf, readModels } from './models.js'

const rules = Object.keys(conformanceRules) as ConformanceRule[]

const ruleFields = {
  rule: Type.Enum(rules),
  meaning: Type.String({ description: 'What the charge point does, and what the service makes of it.' }),
  count: Type.Integer({ minimum: 1 }),
}

const modelFields = {
  vendor: nullable(Type.String()),
  model: nullable(Type.String()),
  firmware_version: nullable(Type.String()),
}

const brokenRule = named('BrokenRule', {
  ...ruleFields,
  first_at: timestamp(),
  last_at: timestamp(),
  sample: Type.Object({
    frame: Type.String({
      description: 'The first message that broke the rule, shortened. Secrets and id tags are masked.',
    }),
    path: nullable(Type.String({ description: 'Where in the payload of the message, as a JSON pointer.' })),
  }),
})

const modelConformance = named('ModelConformance', {
  ...modelFields,
  charge_points: Type.Integer({ minimum: 1, description: 'How many charge points of it have broken a rule.' }),
  example_charge_point_id: Type.String({ description: 'One of these charge points; its own report has the messages.' }),
  violations: Type.Integer({ minimum: 1 }),
  rules: Type.Array(Type.Object(ruleFields)),
})

const byCount = (one: { readonly count: number }, other: { readonly count: number }): number => other.count - one.count

/** A charge point that has not booted, or has not said it. */
const shownModel = ({ vendor, model, firmware_version }: ChargePointModel) => ({
  vendor: vendor || null,
  model: model || null,
  firmware_version: firmware_version || null,
})

const getConformance = area.get('/chargepoints/{charge_point_id}/conformance', {
  operationId: 'getConformance',
  summary: 'Show which rules of OCPP 1.6 a charge point has broken',
  description:
    'Counts what the service gets along with, and what it refuses, with a message for each rule. The most frequent comes first. ' +
    'Counting begins anew when the charge point reports another vendor, model or firmware version. ' +
    'Numbers are written to disk within a minute.',
  of: chargePoints,
  answer: Type.Object({
    charge_point_id: Type.String(),
    ...modelFields,
    counted_since: nullable(timestamp('null if no rule was broken.')),
    violations: Type.Integer({ minimum: 0 }),
    rules: Type.Array(brokenRule),
  }),
  read({ row }, services) {
    const { charge_point_id, organization_id } = row
    const view = services.view()
    const stored = view.get(conformanceTable, [charge_point_id])
    const known = stored?.organization_id === organization_id ? stored : undefined
    const shown = rules.flatMap((rule) => {
      const broken = known?.rules[rule]
      if (broken === undefined) return []
      const { count, first_at, last_at, frame, path = null } = broken
      const times = { first_at: formatTimestamp(first_at), last_at: formatTimestamp(last_at) }
      return [{ rule, meaning: conformanceRules[rule], count, ...times, sample: { frame, path } }]
    })
    return {
      charge_point_id,
      ...shownModel(known ?? modelOf(stateOf(view, row)?.boot)),
      counted_since: known === undefined ? null : formatTimestamp(known.since),
      violations: shown.reduce((sum, { count }) => sum + count, 0),
      rules: shown.sort(byCount),
    }
  },
})

const listConformance = area.list('/conformance', {
  operationId: 'listConformance',
  summary: 'Sum up broken rules by vendor, model and firmware version',
  description:
    'Lists each vendor, model and firmware version of which a charge point has broken a rule, in alphabetical order. A charge point ' +
    'counts for what it reported last.',
  row: modelConformance,
  perPage: 20,
  maximum: 100,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const view = services.view()
    const page = await readModels(view, organization_id, query, services.longReads.of(organization_id))
    const rows = page.rows.map((row) => {
      const broken = rules
        .map((rule) => ({ rule, meaning: conformanceRules[rule], count: brokenTotal(view, row, rule) }))
        .filter(({ count }) => count > 0)
      return {
        ...shownModel(row),
        charge_points: chargePointsOf(view, row),
        example_charge_point_id: row.charge_point_id,
        violations: broken.reduce((sum, { count }) => sum + count, 0),
        rules: broken.sort(byCount),
      }
    })
    return { rows, total: page.total }
  },
})

export const conformanceRoutes = [getConformance, listConformance]
