// A template of configurations is applied to an installer's charge point, and the answer waits for what comes of it. An application that takes
// longer goes on: the same request waits for it again.

import { Type } from 'typebox'
import type { InstalledChargePoint } from '../../../records/charge-point.js'
import {
  applicationReasons,
  applicationStatuses,
  type ConfigurationApplication,
  configurationApplicationsTable,
  configurationOverridesTable,
} from '../../../records/configuration.js'
import { templatesOf } from '../../../records/configuration-template.js'
import { isOnline } from '../../../records/presence.js'
import { overridesOf, wantedConfiguration } from '../../../records/wanted-configuration.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { commitDraft } from '../../pipeline/commit-draft.js'
import { limits as pipelineLimits } from '../../pipeline/limits.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import type { InstallerPrincipal } from '../../surfaces/installer-token.js'
import { stateOf } from '../charge-points/charge-points.js'
import { beginApplication } from '../configuration/begin-application.js'
import { applicationView } from '../configuration/configuration.js'
import { configurationEmpty, configurationRunning } from '../configuration/errors.js'
import { sharedTemplates } from '../configuration/template-routes.js'
import { installerChargePoints } from '../installer-charge-points/area.js'
import { requireUnclaimed } from '../installer-charge-points/change-installed.js'
import { chargePointClaimed, installersNotConnected, notConnected } from '../installer-charge-points/errors.js'
import { area } from './area.js'
import { awaitApplication } from './await-application.js'

/** From now on, the template is the charge point's, whichever matches it. Throws `not_found`, `charge_point_claimed`. */
function nameTemplate(
  principal: InstallerPrincipal,
  charge_point_id: string,
  template_id: string,
  services: Services,
): Promise<InstalledChargePoint> {
  return commitDraft(
    {
      attempts: pipelineLimits.commitAttempts,
      decide(draft) {
        const row = installerChargePoints.own(draft, principal, charge_point_id)
        requireUnclaimed(row)
        const known = [...templatesOf(draft.view, row.organization_id), ...sharedTemplates(services)]
        if (!known.some((template) => template.template_id === template_id))
          throw notFound('there is no such template of configurations', { chargePointId: charge_point_id })
        draft.get(configurationOverridesTable, [charge_point_id])
        const before = overridesOf(draft.view, row)
        if (before?.template_id === template_id) return row
        const { organization_id } = row
        const updated_at = formatTimestamp(services.clock.now())
        const parameters = before?.parameters ?? {}
        draft.put(configurationOverridesTable, {
          charge_point_id,
          organization_id,
          template_id,
          parameters,
          updated_at,
        })
        return row
      },
      otherwise: () => conflict('the configuration of the charge point is being changed; try again'),
    },
    services,
  )
}

interface Wished {
  readonly template_id: string
  readonly begunBy: string
}

/** The one that is under way. Throws `configuration_running` where it is another. */
function underWay(
  { charge_point_id }: InstalledChargePoint,
  { template_id, begunBy }: Wished,
  services: Services,
): ConfigurationApplication | undefined {
  const found = services.view().get(configurationApplicationsTable, [charge_point_id])
  if (found?.status !== 'running') return undefined
  if (found.begun_by === begunBy && found.template_id === template_id) return found
  throw configurationRunning('another configuration is being applied to the charge point; wait for its end', {
    chargePointId: charge_point_id,
  })
}

const applied = Type.Object({
  charge_point_id: Type.String(),
  template_id: Type.String(),
  status: Type.Enum([...applicationStatuses]),
  reason: nullable(Type.Enum([...applicationReasons], { description: 'Why it has failed, or was stopped.' })),
  applied_keys: Type.Integer(),
  rejected_keys: Type.Array(Type.String(), { description: 'Keys that the charge point has not taken.' }),
  total_keys: Type.Integer(),
  applied_at: nullable(timestamp('null while it is running.')),
})

const applyTemplate = area.route({
  method: 'POST',
  path: '/{charge_point_id}/apply-template',
  operationId: 'applyCommissioningTemplate',
  summary: 'Apply a template of configurations to a charge point',
  description:
    'The template becomes that of the charge point, and is sent with what was customized, one key at a time, each read back. The answer waits for up to ' +
    '30 seconds; an application that takes longer is answered with 202 and goes on, and the same request waits for it again. While five ' +
    'applications of an installer are waited for, requests for others are answered with 202 at once.',
  of: installerChargePoints,
  body: Type.Object({
    template_id: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Of a template of configurations, such as GET /api/v1/installer/charge-points/{charge_point_id}/config/template shows.',
    }),
  }),
  responses: { 200: applied, 202: applied },
  errors: [chargePointClaimed, notConnected, configurationRunning, configurationEmpty, conflict, overloaded],
  sheddable: 'command',
  examples: { standard: { template_id: 'standard' } },
  async handle({ row: asked, principal, body: { template_id } }, services) {
    requireUnclaimed(asked)
    const extras = { chargePointId: asked.charge_point_id }
    const state = stateOf(services.view(), asked)
    if (!isOnline(state, services.presence.live) || state?.registration !== 'Accepted')
      throw installersNotConnected(asked.charge_point_id)
    const begunBy = `installer:${asked.installed.installer_id}`
    const wished = { template_id, begunBy }
    underWay(asked, wished, services)
    const row = await nameTemplate(principal, asked.charge_point_id, template_id, services)
    const wanted = wantedConfiguration(services.view(), row, sharedTemplates(services))
    const begun = (await beginApplication(row, wanted, begunBy, services)) ?? underWay(row, wished, services)
    if (begun === undefined) throw conflict('another configuration was applied meanwhile; try again', extras)
    const application = await awaitApplication(begun, asked.installed.installer_id, services)
    const { status, reason, applied_keys, rejected_keys, total_keys, ended_at } = applicationView(application)
    const shown = { status, reason, applied_keys, rejected_keys, total_keys, applied_at: ended_at }
    return {
      status: status === 'running' ? 202 : 200,
      body: { charge_point_id: row.charge_point_id, template_id, ...shown },
    }
  },
})

export const applyTemplateRoutes = [applyTemplate]
