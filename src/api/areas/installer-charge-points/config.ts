// The configuration of an installer's charge point: the template that matches it, what is set for itself, and both as one to take along.
// What of it is applied over the connection is shown to whoever applies it.

import { type Static, Type } from 'typebox'
import { type InstalledChargePoint, isOwnedBy } from '../../../records/charge-point.js'
import { configurationOverridesTable } from '../../../records/configuration.js'
import { type WantedConfiguration, wantedConfiguration } from '../../../records/wanted-configuration.js'
import { notFound } from '../../../runtime/errors.js'
import { openDraft } from '../../pipeline/draft.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { endpointOf } from '../charge-points/charge-points.js'
import { changedOverrides, installerInstead, overridesSchema, parametersSchema } from '../configuration/parameters.js'
import { sharedTemplates } from '../configuration/template-routes.js'
import { area, installerChargePoints } from './area.js'
import { noteConfigured, requireUnclaimed } from './change-installed.js'
import { chargePointClaimed } from './errors.js'

const path = '/{charge_point_id}/config'

/** Of one that is claimed, it is its organization's, with templates that are nobody else's: a commissioning applies it unseen. */
function wantedOf(chargePoint: InstalledChargePoint, services: Services): WantedConfiguration {
  requireUnclaimed(chargePoint)
  return wantedConfiguration(services.view(), chargePoint, sharedTemplates(services))
}

const getTemplate = area.get(`${path}/template`, {
  operationId: 'getInstallerConfigurationTemplate',
  summary: 'Get the configuration template of a charge point',
  description:
    'The template that matches the vendor, the model and the firmware of the charge point, as it has reported them, or else as you have registered them.',
  of: installerChargePoints,
  answer: Type.Object({
    template_id: Type.String(),
    name: Type.String(),
    model: Type.String({ description: 'The model of the charge point.' }),
    parameters: parametersSchema,
  }),
  errors: [chargePointClaimed],
  read({ row }, services) {
    const { template } = wantedOf(row, services)
    if (template === undefined)
      throw notFound('no template matches the charge point', { chargePointId: row.charge_point_id })
    const { template_id, name, parameters } = template
    return { template_id, name, model: row.installed.model, parameters }
  },
})

const customize = area.post(`${path}/customize`, {
  operationId: 'customizeInstallerConfiguration',
  summary: 'Customize the configuration of a charge point',
  description:
    'Send only the keys that are to differ from the template. Keys that were customized before and are left out keep their values.',
  of: installerChargePoints,
  body: Type.Object({ parameters: overridesSchema }),
  answer: Type.Object({
    charge_point_id: Type.String(),
    message: Type.String(),
    updated_parameters: Type.Array(Type.String()),
  }),
  errors: [chargePointClaimed],
  examples: { interval: { parameters: { MeterValueSampleInterval: 30 } } },
  change({ row, body }, draft, services) {
    requireUnclaimed(row)
    const { charge_point_id, organization_id } = row
    const updated = Object.keys(body.parameters)
    if (updated.length === 0) throw invalid([{ path: '/parameters', message: 'must have at least one key' }])
    const stored = draft.get(configurationOverridesTable, [charge_point_id])
    const before = stored !== undefined && isOwnedBy(row, stored.organization_id) ? stored : undefined
    const parameters = changedOverrides(before?.parameters ?? {}, body.parameters, '/parameters', installerInstead)
    const updated_at = formatTimestamp(services.clock.now())
    draft.put(configurationOverridesTable, {
      charge_point_id,
      organization_id,
      template_id: before?.template_id,
      parameters,
      updated_at,
    })
    noteConfigured(draft, row, services)
    return {
      charge_point_id,
      message: `${updated.length} ${updated.length === 1 ? 'key is' : 'keys are'} customized.`,
      updated_parameters: updated,
    }
  },
})

const configurationFile = Type.Object({
  charge_point_id: Type.String(),
  template_id: Type.Union([Type.String(), Type.Null()]),
  ocpp_endpoint: Type.String({ description: 'The address to which the charge point connects.' }),
  parameters: parametersSchema,
})

const download = area.route({
  method: 'GET',
  path: `${path}/download`,
  operationId: 'downloadInstallerConfiguration',
  summary: 'Download the configuration of a charge point',
  description: 'The template with what was customized. From then on, the configuration counts as delivered.',
  of: installerChargePoints,
  responses: { 200: configurationFile },
  errors: [chargePointClaimed],
  handle({ principal, params }, services) {
    const draft = openDraft(services.view(), services.clock.now())
    const row = installerChargePoints.own(draft, principal, params.charge_point_id)
    const { template, parameters } = wantedOf(row, services)
    const { charge_point_id } = row
    noteConfigured(draft, row, services)
    const body: Static<typeof configurationFile> = {
      charge_point_id,
      template_id: template?.template_id ?? null,
      ocpp_endpoint: endpointOf(services.config, charge_point_id),
      parameters,
    }
    return {
      status: 200,
      body,
      headers: { 'content-disposition': `attachment; filename="${charge_point_id}-configuration.json"` },
      ...draft.close(),
    }
  },
})

export const configRoutes = [getTemplate, customize, download]
