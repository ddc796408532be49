// Every route of the API. A new area is a folder, and its line here.

import type { Route } from '../pipeline/route.js'
import { alertRoutes } from './alerts/index.js'
import { apiKeyRoutes } from './api-keys/index.js'
import { auditLogRoutes } from './audit-log/index.js'
import { authorizationKeyRoutes } from './authorization-keys/index.js'
import { billingRuleRoutes } from './billing-rules/index.js'
import { certificateRoutes } from './certificates/index.js'
import { modelRoutes } from './charge-point-models/index.js'
import { chargePointStateRoutes } from './charge-point-state/index.js'
import { chargePointRoutes } from './charge-points/index.js'
import { commandRoutes } from './commands/index.js'
import { commissioningRoutes } from './commissioning/index.js'
import { configurationRoutes } from './configuration/index.js'
import { conformanceRoutes } from './conformance/index.js'
import { consoleRoutes } from './console/index.js'
import { diagnosisRoutes } from './diagnosis/index.js'
import { disputeRoutes } from './disputes/index.js'
import { eventRoutes } from './events/index.js'
import { firmwareRoutes } from './firmware/index.js'
import { fleetRoutes } from './fleet/index.js'
import { guestSessionRoutes } from './guest-sessions/index.js'
import { idTagRoutes } from './id-tags/index.js'
import { installationRoutes } from './installation/index.js'
import { installerAccountRoutes } from './installer-accounts/index.js'
import { installerChargePointRoutes } from './installer-charge-points/index.js'
import { installerRoutes } from './installers/index.js'
import { invoiceRoutes } from './invoices/index.js'
import { memberRoutes } from './members/index.js'
import { messageRoutes } from './messages/index.js'
import { ocpiCdrRoutes } from './ocpi-cdrs/index.js'
import { ocpiChargingProfileRoutes } from './ocpi-charging-profiles/index.js'
import { ocpiCommandRoutes } from './ocpi-commands/index.js'
import { ocpiCredentialsRoutes } from './ocpi-credentials/index.js'
import { ocpiHubClientInfoRoutes } from './ocpi-hub-client-info/index.js'
import { ocpiLocationRoutes } from './ocpi-locations/index.js'
import { ocpiPartnerRoutes } from './ocpi-partners/index.js'
import { ocpiPlaceRoutes } from './ocpi-places/index.js'
import { ocpiSessionRoutes } from './ocpi-sessions/index.js'
import { ocpiTariffRoutes } from './ocpi-tariffs/index.js'
import { ocpiTokenRoutes } from './ocpi-tokens/index.js'
import { ocpiVersionRoutes } from './ocpi-versions/index.js'
import { operationRoutes } from './operations/index.js'
import { organizationRoutes } from './organizations/index.js'
import { portalRoutes } from './portal/index.js'
import { rawCommandRoutes } from './raw-commands/index.js'
import { referenceRoutes } from './reference/index.js'
import { reservationRoutes } from './reservations/index.js'
import { searchRoutes } from './search/index.js'
import { securityProfileRoutes } from './security-profile/index.js'
import { sessionRoutes } from './sessions/index.js'
import { siteOwnerRoutes } from './site-owners/index.js'
import { siteRoutes } from './sites/index.js'
import { smartChargingRoutes } from './smart-charging/index.js'
import { tariffRoutes } from './tariffs/index.js'
import { webhookRoutes } from './webhooks/index.js'

/** In the order in which the reference shows them. */
const areas: readonly (readonly Route[])[] = [
  chargePointRoutes,
  chargePointStateRoutes,
  fleetRoutes,
  diagnosisRoutes,
  messageRoutes,
  conformanceRoutes,
  modelRoutes,
  authorizationKeyRoutes,
  certificateRoutes,
  securityProfileRoutes,
  siteRoutes,
  commandRoutes,
  rawCommandRoutes,
  configurationRoutes,
  firmwareRoutes,
  reservationRoutes,
  smartChargingRoutes,
  sessionRoutes,
  idTagRoutes,
  portalRoutes,
  guestSessionRoutes,
  tariffRoutes,
  billingRuleRoutes,
  invoiceRoutes,
  disputeRoutes,
  organizationRoutes,
  memberRoutes,
  apiKeyRoutes,
  consoleRoutes,
  searchRoutes,
  auditLogRoutes,
  alertRoutes,
  eventRoutes,
  webhookRoutes,
  siteOwnerRoutes,
  installerAccountRoutes,
  installerChargePointRoutes,
  commissioningRoutes,
  installerRoutes,
  ocpiPartnerRoutes,
  ocpiPlaceRoutes,
  ocpiVersionRoutes,
  ocpiCredentialsRoutes,
  ocpiLocationRoutes,
  ocpiCommandRoutes,
  ocpiChargingProfileRoutes,
  ocpiSessionRoutes,
  ocpiTariffRoutes,
  ocpiCdrRoutes,
  ocpiTokenRoutes,
  ocpiHubClientInfoRoutes,
  installationRoutes,
  operationRoutes,
]

export function apiRoutes(): readonly Route[] {
  return [...areas.flat(), ...referenceRoutes]
}
