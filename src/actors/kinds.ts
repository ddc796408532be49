// Every kind of actor that the service has, with what it needs of the settings. The shards host these, and so do the tests that run
// a host of their own: a kind that is not in this list is nowhere.

import type { AnyActorDefinition } from '../runtime/actor/actor-host-ports.js'
import { alertMail } from './alert-mail/alert-mail.js'
import { billing } from './billing/billing.js'
import { createChargePointActor } from './charge-point/charge-point.js'
import type { ChargePointSettings } from './charge-point/state.js'
import { commandRouter } from './command-router/command-router.js'
import { createCommissioningActor } from './commissioning/commissioning.js'
import { createFirmwareRolloutActor } from './firmware-rollout/firmware-rollout.js'
import { fleetPower } from './fleet-power/fleet-power.js'
import { guestSession } from './guest-session/guest-session.js'
import { mail } from './mail/mail.js'
import { createOcpiLocationsActor } from './ocpi-locations/ocpi-locations.js'
import { createOcpiPartnerActor } from './ocpi-partner/ocpi-partner.js'
import { rowSource } from './ocpi-partner/row-source.js'
import { createOcpiTokensActor } from './ocpi-tokens/ocpi-tokens.js'
import { createSiteActor } from './site/site.js'
import { webhookEndpoint } from './webhook-endpoint/webhook-endpoint.js'
import { weeklyReport } from './weekly-report/weekly-report.js'

export interface ActorSettings {
  readonly chargePoint: ChargePointSettings
}

export function actorDefinitions({ chargePoint }: ActorSettings): readonly AnyActorDefinition[] {
  return [
    createChargePointActor(chargePoint),
    commandRouter,
    guestSession,
    createCommissioningActor(chargePoint),
    createFirmwareRolloutActor(chargePoint),
    createSiteActor(chargePoint),
    fleetPower,
    createOcpiLocationsActor(chargePoint),
    billing,
    mail,
    webhookEndpoint,
    createOcpiPartnerActor(rowSource(chargePoint.live)),
    createOcpiTokensActor(),
    alertMail,
    weeklyReport,
  ] as unknown as readonly AnyActorDefinition[]
}
