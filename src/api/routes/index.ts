// Every route of the API. A new area is one file and one line here.

import type { Route } from '../route.js'
import { alertRoutes } from './alerts.js'
import { apiKeyChangeRoutes } from './api-key-changes.js'
import { apiKeyRoutes } from './api-keys.js'
import { auditLogRoutes } from './audit-log.js'
import { authorizationKeyRoutes } from './authorization-key.js'
import { billingRuleRoutes } from './billing-rules.js'
import { chargePointSearchRoutes } from './charge-point-search.js'
import { chargePointStatusRoutes } from './charge-point-status.js'
import { chargePointRoutes } from './charge-points.js'
import { closeSessionRoutes } from './close-session.js'
import { commandHistoryRoutes } from './command-history.js'
import { commandRoutes } from './commands.js'
import { connectionAttemptRoutes } from './connection-attempts.js'
import { disputeRoutes } from './disputes.js'
import { eventRoutes } from './events.js'
import { fleetRoutes } from './fleet.js'
import { guestSessionRoutes } from './guest-sessions.js'
import { idTagRoutes } from './id-tags.js'
import { integrationRequestRoutes } from './integration-requests.js'
import { invitationRoutes } from './invitations.js'
import { invoiceRoutes } from './invoices.js'
import { memberRoutes } from './members.js'
import { operationRoutes } from './operations.js'
import { organizationPlanRoutes } from './organization-plans.js'
import { organizationSettingsRoutes } from './organization-settings.js'
import { organizationRoutes } from './organizations.js'
import { portalRoutes } from './portal.js'
import { rawCommandRoutes } from './raw-commands.js'
import { receiptRoutes } from './receipts.js'
import { referenceRoutes } from './reference.js'
import { reservationRoutes } from './reservations.js'
import { revenueRoutes } from './revenue.js'
import { sessionRoutes } from './sessions.js'
import { simulateRulesRoutes } from './simulate-rules.js'
import { siteOwnerRoutes } from './site-owner.js'
import { siteOwnerInvitationRoutes } from './site-owner-invitations.js'
import { siteOwnersRoutes } from './site-owners.js'
import { tariffAssignmentRoutes } from './tariff-assignment.js'
import { tariffRateRoutes } from './tariff-rates.js'
import { tariffRoutes } from './tariffs.js'
import { unmatchedRoutes } from './unmatched.js'
import { webhookDeliveryRoutes } from './webhook-deliveries.js'
import { webhookRoutes } from './webhooks.js'

/** `version` is the product's, for the reference. */
export function apiRoutes(version: string): readonly Route[] {
  const routes: readonly Route[] = [
    ...commandRoutes,
    ...commandHistoryRoutes,
    ...rawCommandRoutes,
    ...chargePointRoutes,
    ...chargePointSearchRoutes,
    ...chargePointStatusRoutes,
    ...authorizationKeyRoutes,
    ...fleetRoutes,
    ...alertRoutes,
    ...sessionRoutes,
    ...reservationRoutes,
    ...guestSessionRoutes,
    ...unmatchedRoutes,
    ...closeSessionRoutes,
    ...portalRoutes,
    ...disputeRoutes,
    ...receiptRoutes,
    ...revenueRoutes,
    ...invoiceRoutes,
    ...idTagRoutes,
    ...tariffRoutes,
    ...tariffRateRoutes,
    ...tariffAssignmentRoutes,
    ...billingRuleRoutes,
    ...simulateRulesRoutes,
    ...connectionAttemptRoutes,
    ...auditLogRoutes,
    ...eventRoutes,
    ...apiKeyRoutes,
    ...apiKeyChangeRoutes,
    ...organizationRoutes,
    ...organizationPlanRoutes,
    ...organizationSettingsRoutes,
    ...webhookRoutes,
    ...webhookDeliveryRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...siteOwnerInvitationRoutes,
    ...siteOwnerRoutes,
    ...siteOwnersRoutes,
    ...integrationRequestRoutes,
    ...operationRoutes,
  ]
  return [...routes, ...referenceRoutes(routes, version)]
}
