// What models are like: listed, read, and corrected by an organization for its own charge points.

import { Type } from 'typebox'
import { traitsCorrectionsTable } from '../../../records/model-traits.js'
import type { TraitsCorrections } from '../../../records/traits.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { area } from './area.js'
import { limits } from './limits.js'
import { findModel, type ListedModel, readModels } from './listed.js'
import { correctionsSchema, modelSchema, modelView, requireKnownNames } from './models.js'

const params = { model_id: Type.String({ maxLength: 64 }) }

/** Throws `not_found`. */
function requireModel(view: ReadView, organizationId: string, modelId: string): ListedModel {
  const found = findModel(view, organizationId, modelId)
  if (found === undefined) throw notFound('nothing is known about such a model, and no charge point of yours is of it')
  return found
}

const listModels = area.list('', {
  operationId: 'listChargePointModels',
  summary: 'List what is known about models of charge points',
  description:
    'Lists each vendor, model and firmware version of which a charge point that an organization has claimed was commissioned in this installation, or of which you have a charge point, in alphabetical order. ' +
    'What more than half of the organizations have seen that have seen anything of it counts as learned. ' +
    '`traits` is what applies to your charge points: what commissioning has learned, with your corrections.',
  row: modelSchema,
  perPage: 20,
  maximum: 100,
  async read({ principal, query }, services) {
    const { organization_id } = principal.organization
    const view = services.view()
    const { rows, total } = await readModels(view, organization_id, query, services.longReads.of(organization_id))
    const shown = rows.map((row) => modelView(row, view.get(traitsCorrectionsTable, [organization_id, row.model_id])))
    return { rows: shown, total }
  },
})

const getModel = area.get('/{model_id}', {
  operationId: 'getChargePointModel',
  summary: 'Get what is known about a model of charge points',
  params,
  answer: modelSchema,
  read({ principal, params: { model_id } }, services) {
    const { organization_id } = principal.organization
    const view = services.view()
    const correction = view.get(traitsCorrectionsTable, [organization_id, model_id])
    return modelView(requireModel(view, organization_id, model_id), correction)
  },
})

const correctModel = area.put('/{model_id}/correction', {
  operationId: 'correctChargePointModel',
  summary: 'Correct what is known about a model of charge points',
  description:
    'Of any model that is listed for you, also where nothing was learned of it. The correction counts for the charge points of your organization alone, from their next commissioning on. What you leave out stays as it was learned; null means ' +
    'that it is not known, so that the next commissioning finds it out again. The correction of the organization that operates the installation counts for ' +
    'charge points that nobody has claimed yet. It replaces an earlier correction.',
  params,
  body: correctionsSchema,
  answer: modelSchema,
  examples: { asked: { triggers: { MeterValues: true } }, unknown: { answers_pings: null } },
  change({ principal, params: { model_id }, body }, draft, services) {
    const { organization_id } = principal.organization
    const traits = body as TraitsCorrections
    requireKnownNames(traits)
    const found = requireModel(draft.view, organization_id, model_id)
    if (draft.get(traitsCorrectionsTable, [organization_id, model_id]) === undefined)
      draft.requireRoom(
        traitsCorrectionsTable,
        { index: 'byOrganization', group: [organization_id] },
        limits.correctedModels,
        conflict(
          `an organization has at most ${limits.correctedModels} corrections: delete one that is no longer needed`,
        ),
      )
    const updated_at = formatTimestamp(services.clock.now())
    return modelView(found, draft.put(traitsCorrectionsTable, { organization_id, model_id, traits, updated_at }))
  },
})

const deleteCorrection = area.delete('/{model_id}/correction', {
  operationId: 'deleteChargePointModelCorrection',
  summary: 'Delete the correction of a model of charge points',
  description: 'What was learned counts again.',
  params,
  answer: null,
  change({ principal, params: { model_id } }, draft) {
    const key = [principal.organization.organization_id, model_id]
    if (draft.get(traitsCorrectionsTable, key) === undefined) throw notFound('there is no correction of such a model')
    draft.remove(traitsCorrectionsTable, key)
    return undefined
  },
})

export const modelRoutes = [listModels, getModel, correctModel, deleteCorrection]
