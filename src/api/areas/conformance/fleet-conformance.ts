// What charge points of one model, or of one firmware of it, do against the standard: each with how often, by how many, and an example.

import { Type } from 'typebox'
import { named } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { area } from './area.js'
import { deviationFields, deviationView, exampleFields, modelFields, shownModel } from './deviation-view.js'
import { limits } from './limits.js'
import { type Asked, readModels, readSums, totalNote } from './models.js'
import { showingTo } from './shown-texts.js'

const modelDeviation = named('ModelDeviation', {
  ...deviationFields,
  charge_points: Type.Integer({ minimum: 1, description: 'How many charge points do it.' }),
  example: Type.Object({ charge_point_id: Type.String(), ...exampleFields }),
})

const conformanceGroup = named('ConformanceGroup', {
  ...modelFields,
  charge_points: Type.Integer({ minimum: 0, description: 'How many charge points there are of it.' }),
  deviating: Type.Integer({ minimum: 1, description: 'How many of them have broken a rule.' }),
  violations: Type.Integer({ minimum: 1, description: 'How often they have.' }),
  deviations: Type.Array(modelDeviation, { description: 'What most charge points do comes first.' }),
  more_deviations: Type.Boolean({ description: 'They do more than is listed here.' }),
})

const name = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }))

export const listFleetConformance = area.list('/cpo/conformance', {
  operationId: 'listFleetConformance',
  summary: 'Show what the charge points of each model do against OCPP 1.6',
  description:
    'Lists each model, or each firmware version of it, of which a charge point has broken a rule, in alphabetical order. A charge point ' +
    'counts for what it reported last. What is listed of a group is what its maker needs to know: which section of the standard is broken, how often, by how many charge points, and an example. ' +
    totalNote,
  filters: {
    group_by: Type.Enum(['firmware', 'model'], {
      default: 'firmware',
      description: '`model`: all firmware versions of a model together; `firmware_version` is null then.',
    }),
    vendor: name('Returns only charge points of this vendor. Empty: those that have not said it.'),
    model: name('Returns only charge points of this model. Empty: those that have not said it.'),
    firmware_version: name(
      'Returns only charge points of this firmware version. Empty: those that have not said it. Only with `group_by` `firmware`.',
    ),
    deviations: Type.Integer({
      minimum: 0,
      maximum: limits.deviationsOfGroup,
      default: 5,
      description: 'How many deviations are listed of each group.',
    }),
  },
  row: conformanceGroup,
  perPage: 20,
  maximum: 50,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const showing = showingTo(principal)
    const { group_by, deviations: most, vendor, model, firmware_version } = query
    if (group_by === 'model' && firmware_version !== undefined)
      throw invalid([{ path: '/firmware_version', message: 'is only taken with group_by firmware' }])
    const asked: Asked = {
      ...(group_by === 'model' && { byModel: true }),
      ...(vendor !== undefined && { vendor }),
      ...(model !== undefined && { model }),
      ...(firmware_version !== undefined && { firmware_version }),
    }
    const view = services.view()
    const begin = services.longReads.of(organization_id)
    const page = await readModels(view, organization_id, asked, query, begin)
    const summed = await readSums(view, page.rows, { byModel: group_by === 'model', most }, begin)
    const rows = summed.map(({ row, deviations, isCut, ...sums }) => {
      const { firmware_version, ...shown } = shownModel(row)
      return {
        ...shown,
        firmware_version: group_by === 'model' ? null : firmware_version,
        ...sums,
        deviations: deviations.map(({ row, count, charge_points }) => {
          const { example, ...deviation } = deviationView(row, count, showing)
          return { ...deviation, charge_points, example: { charge_point_id: row.charge_point_id, ...example } }
        }),
        more_deviations: isCut,
      }
    })
    return { rows, total: page.total }
  },
})
