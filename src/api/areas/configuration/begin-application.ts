// Has what a charge point is to have applied to it: for operators, and for installers.

import type {
  ApplyConfigurationMessage,
  ApplyConfigurationReply,
} from '../../../actors/charge-point/configuration-messages.js'
import { chargePointAddress } from '../../../actors/charge-point/messages.js'
import type { ChargePoint } from '../../../records/charge-point.js'
import type { ConfigurationApplication } from '../../../records/configuration.js'
import { valueText } from '../../../records/configuration-value.js'
import type { WantedConfiguration } from '../../../records/wanted-configuration.js'
import { notFound } from '../../../runtime/errors.js'
import { askActor } from '../../pipeline/ask-actor.js'
import type { Services } from '../../pipeline/services.js'
import { configurationEmpty } from './errors.js'

/** Undefined where another application is under way. Throws `configuration_empty`, `not_found`. */
export async function beginApplication(
  { charge_point_id: chargePointId, organization_id }: ChargePoint,
  { template, parameters }: Pick<WantedConfiguration, 'template' | 'parameters'>,
  begunBy: string,
  services: Services,
): Promise<ConfigurationApplication | undefined> {
  const keys = Object.entries(parameters).map(([key, value]) => ({ key, value: valueText(value) }))
  if (keys.length === 0)
    throw configurationEmpty('no template matches the charge point, and no key is set for it', { chargePointId })
  const message: ApplyConfigurationMessage = {
    type: 'apply-configuration',
    applicationId: services.newId('cfg'),
    organizationId: organization_id,
    keys,
    ...(template !== undefined && { templateId: template.template_id }),
    begunBy,
  }
  const reply = (await askActor(services, chargePointAddress(chargePointId), message)) as ApplyConfigurationReply
  if (reply.type === 'unknown') throw notFound('there is no such charge point', { chargePointId })
  return reply.type === 'begun' ? reply.application : undefined
}
