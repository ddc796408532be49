// The configuration of a charge point: shown, changed, applied, and an application stopped.

import { Type } from 'typebox'
import type {
  StopConfigurationMessage,
  StopConfigurationReply,
} from '../../../actors/charge-point/configuration-messages.js'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import { configurationOverridesTable } from '../../../records/configuration.js'
import { templatesOf } from '../../../records/configuration-template.js'
import { overridesOf, wantedConfiguration } from '../../../records/wanted-configuration.js'
import { notFound, overloaded } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import { kept } from '../../pipeline/kept.js'
import { named, nullable, timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { principalName } from '../../surfaces/principal.js'
import { chargePoints } from '../charge-points/area.js'
import { area } from './area.js'
import { beginApplication } from './begin-application.js'
import { applicationSchema, applicationView, configurationSchema, configurationView } from './configuration.js'
import { configurationEmpty, configurationNotRunning, configurationRunning } from './errors.js'
import { changedOverrides, overridesSchema } from './parameters.js'
import { sharedTemplates } from './template-routes.js'

const path = '/chargepoints/{charge_point_id}/configuration'

const getConfiguration = area.get(path, {
  operationId: 'getChargePointConfiguration',
  summary: 'Get the configuration of a charge point',
  description:
    'Returns what the charge point is to have (its template with its overrides), what it has reported whenever its configuration was read, and ' +
    'how far the newest application has come. Asks the charge point nothing: to have all of its keys read, send it GetConfiguration with ' +
    'POST /api/v1/ocpp16/send_command. Values that differ only in their spelling are the same: `True` and `true`, `300` and `300.0`, a list in another order. ' +
    'Secrets are neither stored nor shown.',
  of: chargePoints,
  answer: configurationSchema,
  read: ({ row }, services) => configurationView(services, row),
})

const overridesAnswer = named('ConfigurationOverrides', {
  charge_point_id: Type.String(),
  named_template_id: nullable(Type.String()),
  overrides: overridesSchema,
  updated_at: timestamp(),
})

const changeConfiguration = area.patch(path, {
  operationId: 'changeChargePointConfiguration',
  summary: 'Change what the configuration of a charge point is to be',
  description:
    'Stores it; POST .../configuration/apply sends it. Keys that you leave out keep their overrides, and with `replace` they lose them. ' +
    'Without a named template, the charge point has the one that matches it.',
  of: chargePoints,
  body: Type.Object({
    template_id: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64 }))),
    overrides: Type.Optional(overridesSchema),
    replace: Type.Optional(Type.Boolean({ default: false })),
  }),
  answer: overridesAnswer,
  examples: { override: { overrides: { MeterValueSampleInterval: 30 } }, template: { template_id: 'standard' } },
  change({ row: chargePoint, body }, draft, services) {
    const { charge_point_id, organization_id } = chargePoint
    draft.get(configurationOverridesTable, [charge_point_id])
    const before = overridesOf(draft.view, chargePoint)
    const template_id = kept(before?.template_id, body.template_id)
    if (body.template_id !== undefined && body.template_id !== null) {
      const known = [...templatesOf(draft.view, organization_id), ...sharedTemplates(services)]
      if (!known.some((template) => template.template_id === body.template_id))
        throw invalid([{ path: '/template_id', message: 'is not a template' }])
    }
    const stays = body.replace === true ? {} : (before?.parameters ?? {})
    const parameters = changedOverrides(stays, body.overrides ?? {}, '/overrides')
    const updated_at = formatTimestamp(services.clock.now())
    draft.put(configurationOverridesTable, { charge_point_id, organization_id, template_id, parameters, updated_at })
    return { charge_point_id, named_template_id: template_id ?? null, overrides: parameters, updated_at }
  },
})

const applyConfiguration = area.route({
  method: 'POST',
  path: `${path}/apply`,
  operationId: 'applyChargePointConfiguration',
  summary: 'Apply its configuration to a charge point',
  description:
    'Begins an application, whose progress GET .../configuration shows. The keys are read first, in lists as long as the charge point takes. Those ' +
    'that differ are then sent one at a time, and each is read back. Commands to the charge point are not held up. An application goes on after ' +
    'restarts of the charge point and of the service. If the charge point is offline, the application begins when it connects.',
  of: chargePoints,
  responses: { 202: applicationSchema },
  errors: [configurationRunning, configurationEmpty, overloaded],
  sheddable: 'command',
  async handle({ row, principal }, services) {
    const wanted = wantedConfiguration(services.view(), row, sharedTemplates(services))
    const application = await beginApplication(row, wanted, principalName(principal), services)
    if (application === undefined)
      throw configurationRunning('a configuration is being applied to the charge point; wait for its end, or stop it', {
        chargePointId: row.charge_point_id,
      })
    return { status: 202, body: applicationView(application) }
  },
})

const stopConfiguration = area.route({
  method: 'POST',
  path: `${path}/stop`,
  operationId: 'stopChargePointConfiguration',
  summary: 'Stop the application of a configuration',
  description: 'Keys that the charge point has taken stay as they are.',
  of: chargePoints,
  responses: { 200: applicationSchema },
  errors: [configurationNotRunning, overloaded],
  async handle({ row: { charge_point_id, organization_id } }, services) {
    const message: StopConfigurationMessage = { type: 'stop-configuration', organizationId: organization_id }
    const reply = (await askActor(services, chargePointAddress(charge_point_id), message)) as StopConfigurationReply
    if (reply.type === 'unknown') throw notFound('there is no such charge point', { chargePointId: charge_point_id })
    if (reply.type === 'not-running')
      throw configurationNotRunning('no configuration is being applied to the charge point', {
        chargePointId: charge_point_id,
      })
    return { status: 200, body: applicationView(reply.application) }
  },
})

export const chargePointConfigurationRoutes = [
  getConfiguration,
  changeConfiguration,
  applyConfiguration,
  stopConfiguration,
]
