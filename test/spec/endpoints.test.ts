import { test } from 'tap'
import { apiRoutes } from '../../src/api/areas/index.js'
import type { Route } from '../../src/api/pipeline/route.js'
import { installer } from '../../src/api/surfaces/installer.js'
import { scopes } from '../../src/records/api-key.js'

/** Method, path and scopes (`I` with the token of an installer), as the interface specification and its decisions list them. */
const specified = `
POST /api/v1/cpo/commands/{charge_point_id} write:charge_points,write:commands,write:sessions
POST /api/v1/cpo/commands/bulk write:charge_points,write:commands,write:sessions
GET /api/v1/cpo/commands/{charge_point_id}/history read:charge_points
GET /api/v1/cpo/commands/history read:charge_points
POST /api/v1/ocpp16/send_command write:charge_points,write:commands
POST /api/v1/ocpp16/remote_start_transaction write:charge_points,write:commands,write:sessions
POST /api/v1/ocpp16/remote_stop_transaction write:charge_points,write:commands,write:sessions
POST /api/v1/ocpp16/change_availability write:charge_points,write:commands
POST /api/v1/ocpp16/set_charging_profile write:charge_points,write:commands
POST /api/v1/ocpp16/clear_charging_profile write:charge_points,write:commands
POST /api/v1/ocpp16/reset write:charge_points,write:commands
POST /api/v1/ocpp16/trigger_message write:charge_points,write:commands
POST /api/v1/ocpp16/reserve_now write:charge_points,write:commands
POST /api/v1/ocpp16/cancel_reservation write:charge_points,write:commands
GET /api/v1/ocpp16/active_transactions/{charge_point_id} read:charge_points,read:sessions
GET /api/v1/ocpp16/charge_points/status read:charge_points
POST /api/v1/chargepoints write:charge_points
PATCH /api/v1/chargepoints/{charge_point_id} write:charge_points
GET /api/v1/chargepoints/search read:charge_points
GET /api/v1/cpo/fleet/summary read:charge_points
POST /api/v1/org/api-keys write:api_keys
DELETE /api/v1/org/api-keys/{key_id} write:api_keys
POST /api/v1/organizations write:organisations
POST /api/v1/sessions/guest/authorize write:sessions
GET /api/v1/sessions/guest/{session_token}/status read:sessions
POST /api/v1/sessions/guest/{session_token}/stop write:sessions
GET /api/v1/sessions/guest/{session_token}/receipt read:sessions
POST /api/v1/reservations write:charge_points
GET /api/v1/reservations read:charge_points
DELETE /api/v1/reservations/{reservation_id} write:charge_points
GET /api/v1/organizations/{org_id} read:organisations
PUT /api/v1/organizations/{org_id} write:organisations
GET /api/v1/portal/sessions read:sessions
GET /api/v1/portal/sessions/{session_id}/cost-breakdown read:sessions
GET /api/v1/portal/sessions/{session_id}/receipt read:sessions
POST /api/v1/portal/sessions/{session_id}/dispute write:sessions
GET /api/v1/organizations/{org_id}/settings read:organisations
PUT /api/v1/organizations/{org_id}/settings write:organisations
GET /api/v1/organizations/{org_id}/members read:organisations
PUT /api/v1/organizations/{org_id}/members/{user_id}/role write:organisations
DELETE /api/v1/organizations/{org_id}/members/{user_id} write:organisations
POST /api/v1/organizations/{org_id}/invitations write:organisations
POST /api/v1/organizations/invitations/accept any
DELETE /api/v1/organizations/{org_id}/invitations/{invitation_id} write:organisations
POST /api/v1/site-owner/accept-invitation/{token} write:organisations
GET /api/v1/site-owner/onboarding/status read:organisations
POST /api/v1/site-owner/onboarding/complete write:organisations
GET /api/v1/site-owner/profile read:organisations
GET /api/v1/site-owner/projects read:organisations
POST /api/v1/integration-requests write:ocpi
GET /api/v1/integration-requests read:ocpi
POST /api/v1/billing/tariffs write:billing
GET /api/v1/billing/tariffs read:billing
PUT /api/v1/billing/tariffs/{tariff_id} write:billing
DELETE /api/v1/billing/tariffs/{tariff_id} write:billing
POST /api/v1/billing/rules write:billing
GET /api/v1/billing/rules read:billing
GET /api/v1/billing/rules/{rule_id} read:billing
PUT /api/v1/billing/rules/{rule_id} write:billing
DELETE /api/v1/billing/rules/{rule_id} write:billing
POST /api/v1/billing/rules/{rule_id}/test write:billing,read:billing
GET /api/v1/tariffs/{tariff_id}/rates read:billing
POST /api/v1/tariffs/{tariff_id}/rates write:billing
DELETE /api/v1/tariffs/{tariff_id}/rates write:billing
PUT /api/v1/tariffs/{tariff_id}/schedule write:billing
GET /api/v1/tariffs/{tariff_id}/schedule read:billing
GET /api/v1/tariffs/chargers/{charge_point_id}/current-rate read:billing
GET /api/v1/chargepoints/{charge_point_id}/tariff read:billing
PUT /api/v1/chargepoints/{charge_point_id}/tariff write:billing
POST /api/v1/webhooks/endpoints write:webhooks
GET /api/v1/webhooks/endpoints read:webhooks
GET /api/v1/webhooks/endpoints/{endpoint_id} read:webhooks
PATCH /api/v1/webhooks/endpoints/{endpoint_id} write:webhooks
DELETE /api/v1/webhooks/endpoints/{endpoint_id} write:webhooks
GET /api/v1/webhooks/endpoints/{endpoint_id}/deliveries read:webhooks
POST /api/v1/installer/signup none
POST /api/v1/installer/signup-with-confirmation none
POST /api/v1/installer/login none
POST /api/v1/installer/logout I
POST /api/v1/installer/forgot-password none
POST /api/v1/installer/reset-password none
PUT /api/v1/installer/profile I
GET /api/v1/installer/profile I
GET /api/v1/installer/verification-status I
POST /api/v1/installer/verify-identity I
POST /api/v1/installer/accept-terms I
POST /api/v1/installer/commissioning/{charge_point_id}/start I
GET /api/v1/installer/commissioning/{charge_point_id}/status I
POST /api/v1/installer/commissioning/{charge_point_id}/stop I
POST /api/v1/installer/commissioning/{charge_point_id}/pause I
POST /api/v1/installer/commissioning/{charge_point_id}/resume I
POST /api/v1/installer/commissioning/{charge_point_id}/restart I
GET /api/v1/installer/commissioning/{charge_point_id}/logs I
POST /api/v1/installer/commissioning/{charge_point_id}/report-issue I
POST /api/v1/installer/commissioning/{charge_point_id}/apply-template I
GET /api/v1/installer/commissioning/{charge_point_id}/issues I
GET /api/v1/installer/commissioning/{charge_point_id}/diagnostics I
GET /api/v1/installer/commissioning/templates I
POST /api/v1/installer/charge-points I
GET /api/v1/installer/charge-points I
GET /api/v1/installer/charge-points/{charge_point_id} I
PUT /api/v1/installer/charge-points/{charge_point_id} I
DELETE /api/v1/installer/charge-points/{charge_point_id} I
POST /api/v1/installer/charge-points/{charge_point_id}/certificates/generate I
GET /api/v1/installer/charge-points/{charge_point_id}/certificates I
POST /api/v1/installer/charge-points/{charge_point_id}/test-connection I
GET /api/v1/installer/charge-points/{charge_point_id}/connection-status I
GET /api/v1/installer/charge-points/{charge_point_id}/config/template I
POST /api/v1/installer/charge-points/{charge_point_id}/config/customize I
GET /api/v1/installer/charge-points/{charge_point_id}/config/download I
POST /api/v1/installer/charge-points/{charge_point_id}/commission I
GET /api/v1/installer/charge-points/{charge_point_id}/status I
`

/** Beyond the specification. */
const beyond = `
GET /api/v1/chargepoints read:charge_points
GET /api/v1/chargepoints/{charge_point_id} read:charge_points
DELETE /api/v1/chargepoints/{charge_point_id} write:charge_points
POST /api/v1/chargepoints/{charge_point_id}/authorization-key write:charge_points
DELETE /api/v1/chargepoints/{charge_point_id}/authorization-key write:charge_points
GET /api/v1/chargepoints/{charge_point_id}/certificates read:charge_points
DELETE /api/v1/chargepoints/{charge_point_id}/certificates write:charge_points
POST /api/v1/chargepoints/{charge_point_id}/certificates/generate write:charge_points
DELETE /api/v1/chargepoints/{charge_point_id}/certificates/{certificate_id} write:charge_points
GET /pki/authority.pem none
GET /pki/revoked.crl none
GET /pki/revoked.pem none
DELETE /api/v1/site-owners/{site_owner_id} write:organisations
GET /api/v1/configuration-templates read:charge_points
POST /api/v1/configuration-templates write:charge_points
GET /api/v1/configuration-templates/{template_id} read:charge_points
PUT /api/v1/configuration-templates/{template_id} write:charge_points
DELETE /api/v1/configuration-templates/{template_id} write:charge_points
GET /api/v1/chargepoints/{charge_point_id}/configuration read:charge_points
PATCH /api/v1/chargepoints/{charge_point_id}/configuration write:charge_points
POST /api/v1/chargepoints/{charge_point_id}/configuration/apply write:charge_points
POST /api/v1/chargepoints/{charge_point_id}/configuration/stop write:charge_points
GET /api/v1/chargepoints/{charge_point_id}/commissioning read:charge_points
GET /api/v1/installer/commissioning/{charge_point_id}/report I
GET /api/v1/chargepoints/{charge_point_id}/commissioning/report read:charge_points
GET /api/v1/charge-point-models read:charge_points
GET /api/v1/charge-point-models/{model_id} read:charge_points
PUT /api/v1/charge-point-models/{model_id}/correction write:charge_points
DELETE /api/v1/charge-point-models/{model_id}/correction write:charge_points
GET /api/v1/chargepoints/{charge_point_id}/security-profile read:charge_points
POST /api/v1/chargepoints/{charge_point_id}/security-profile write:charge_points
GET /api/v1/cpo/connection-attempts read:charge_points
GET /api/v1/chargepoints/{charge_point_id}/connection-status read:charge_points
POST /api/v1/chargepoints/{charge_point_id}/test-connection read:charge_points
GET /api/v1/chargepoints/{charge_point_id}/conformance read:charge_points
GET /api/v1/conformance read:charge_points
GET /api/v1/alerts read:charge_points
GET /api/v1/alerts/{alert_id} read:charge_points
POST /api/v1/alerts/{alert_id}/acknowledge write:charge_points
GET /api/v1/org/audit-log read:organisations
GET /api/v1/organizations read:organisations
PUT /api/v1/organizations/{org_id}/plan write:organisations
POST /api/v1/organizations/{org_id}/api-keys write:organisations
GET /api/v1/org/api-keys write:api_keys
GET /api/v1/org/api-keys/{key_id} write:api_keys
PATCH /api/v1/org/api-keys/{key_id} write:api_keys
POST /api/v1/org/api-keys/{key_id}/rotate write:api_keys
GET /api/v1/organizations/{org_id}/invitations read:organisations
PATCH /api/v1/integration-requests/{request_id} write:ocpi
POST /api/v1/site-owner/invitations write:organisations
GET /api/v1/site-owner/invitations read:organisations
DELETE /api/v1/site-owner/invitations/{invitation_id} write:organisations
PUT /api/v1/site-owner/profile write:organisations
PUT /api/v1/site-owner/onboarding/bank-details write:organisations
POST /api/v1/site-owner/onboarding/documents write:organisations
DELETE /api/v1/site-owner/onboarding/documents/{document_id} write:organisations
GET /api/v1/site-owners read:organisations
GET /api/v1/site-owners/{site_owner_id} read:organisations
GET /api/v1/site-owners/{site_owner_id}/bank-details write:billing
POST /api/v1/site-owners/{site_owner_id}/approval write:organisations
GET /api/v1/sessions read:sessions
GET /api/v1/sessions/{session_id} read:sessions
GET /api/v1/billing/tariffs/{tariff_id} read:billing
POST /api/v1/billing/rules/simulate write:billing,read:billing
GET /api/v1/billing/disputes read:billing
GET /api/v1/billing/disputes/{dispute_id} read:billing
PATCH /api/v1/billing/disputes/{dispute_id} write:billing
POST /api/v1/sessions/{session_id}/close write:sessions
GET /api/v1/sessions/unmatched read:sessions
POST /api/v1/sessions/unmatched/{unmatched_id}/attach write:sessions
GET /api/v1/id-tags/unknown read:charge_points
POST /api/v1/id-tags write:charge_points
GET /api/v1/id-tags read:charge_points
GET /api/v1/id-tags/{id_tag} read:charge_points
PATCH /api/v1/id-tags/{id_tag} write:charge_points
DELETE /api/v1/id-tags/{id_tag} write:charge_points
GET /api/v1/billing/revenue read:billing
GET /api/v1/billing/invoices read:billing
GET /api/v1/billing/invoices/{invoice_id} read:billing
GET /api/v1/billing/invoices/{invoice_id}/sessions read:billing
GET /api/v1/billing/invoices/{invoice_id}/pdf read:billing
POST /api/v1/webhooks/endpoints/{endpoint_id}/rotate-secret write:webhooks
POST /api/v1/webhooks/endpoints/{endpoint_id}/test write:webhooks
POST /api/v1/webhooks/endpoints/{endpoint_id}/replay write:webhooks
POST /api/v1/webhooks/endpoints/{endpoint_id}/deliveries/{delivery_id}/replay write:webhooks
POST /api/v1/installer/confirm none
GET /api/v1/installers read:organisations
GET /api/v1/installers/{installer_id} read:organisations
GET /api/v1/installers/{installer_id}/identity write:organisations
POST /api/v1/installers/{installer_id}/verification write:organisations
DELETE /api/v1/installers/{installer_id} write:organisations
DELETE /api/v1/installers/access-tokens write:organisations
GET /api/v1/installers/{installer_id}/charge-points read:organisations
DELETE /api/v1/installers/{installer_id}/charge-points/{charge_point_id} write:organisations
GET /api/v1/events read:webhooks
GET /api/v1/events/stream read:webhooks
GET /api/v1/events/schemas none
GET /api/v1/openapi.json none
GET / none
GET /docs none
GET /docs/{file} none
GET /docs/manual/{page} none
GET /healthz none
GET /readyz none
GET /metrics none
`

function named({ surface, scopes: list }: Route): string {
  if (surface.callers === undefined) return 'none'
  if (surface === installer) return 'I'
  return list.length === scopes.length ? 'any' : list.join(',')
}
const lines = (text: string): string[] => text.trim().split('\n').sort()

test('endpoints - the routes are the specified ones, with their scopes, and those listed beyond them', (t) => {
  const declared = apiRoutes('0.0.0').map((route) => `${route.method} ${route.path} ${named(route)}`)
  t.same([...declared].sort(), lines(`${specified.trim()}\n${beyond.trim()}`))
  t.end()
})
