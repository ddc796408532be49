// Broken rules of OCPP 1.6, summed up by vendor, model and firmware.

import { Type } from 'typebox'
import { conformanceRules } from '../../../ocpp16/index.js'
import { named } from '../../pipeline/schemas.js'
import { area } from './area.js'
import { getConformance } from './charge-point-conformance.js'
import { modelFields, ruleFields, rules, shownModel } from './deviation-view.js'
import { listFleetConformance } from './fleet-conformance.js'
import { brokenTotal, chargePointsOf, readModels, totalNote } from './models.js'

const modelConformance = named('ModelConformance', {
  ...modelFields,
  charge_points: Type.Integer({ minimum: 1, description: 'How many charge points of it have broken a rule.' }),
  example_charge_point_id: Type.String({ description: 'One of these charge points; its own report has the messages.' }),
  violations: Type.Integer({ minimum: 1 }),
  rules: Type.Array(Type.Object(ruleFields)),
})

const listConformance = area.list('/conformance', {
  operationId: 'listConformance',
  summary: 'Sum up broken rules by vendor, model and firmware version',
  description:
    'Lists each vendor, model and firmware version of which a charge point has broken a rule, in alphabetical order. A charge point ' +
    'counts for what it reported last. `GET /cpo/conformance` tells more: what is done in which message, with an example. ' +
    totalNote,
  row: modelConformance,
  perPage: 20,
  maximum: 100,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const view = services.view()
    const page = await readModels(view, organization_id, {}, query, services.longReads.of(organization_id))
    const rows = page.rows.map((row) => {
      const broken = rules
        .map((rule) => ({ rule, meaning: conformanceRules[rule].meaning, count: brokenTotal(view, row, rule) }))
        .filter(({ count }) => count > 0)
      return {
        ...shownModel(row),
        charge_points: chargePointsOf(view, row),
        example_charge_point_id: row.charge_point_id,
        violations: broken.reduce((sum, { count }) => sum + count, 0),
        rules: broken.sort((one, other) => other.count - one.count),
      }
    })
    return { rows, total: page.total }
  },
})

export const conformanceRoutes = [getConformance, listConformance, listFleetConformance]
