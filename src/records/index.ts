// Every table of the domain: what the store opens. A new record is one file and one line here.

import { numberSequencesTable } from '../runtime/actor/number-sequences.js'
import { eventHorizonsTable, outboxTable } from '../runtime/actor/outbox.js'
import { wakeUpsTable } from '../runtime/actor/wake-ups.js'
import type { Table } from '../runtime/store/table.js'
import { alertAcknowledgementsTable, alertsTable, unsentAlertsTable } from './alert.js'
import { alertMailsTable } from './alert-mails.js'
import { apiKeysTable, apiKeyUsesTable } from './api-key.js'
import { auditTable } from './audit-entry.js'
import { billingRulesTable } from './billing-rule.js'
import { capturedMessagesTable, capturesTable } from './capture.js'
import { certificatesTable, revocationsTable } from './certificate.js'
import { challengesTable } from './challenge.js'
import { chargePointsTable } from './charge-point.js'
import { chargePointCountsTable, chargePointDaysTable } from './charge-point-day.js'
import { chargePointStatesTable } from './charge-point-state.js'
import { bulkCommandsTable, commandsTable } from './command.js'
import { commissioningSessionsTable } from './commissioning.js'
import { commissioningIssuesTable } from './commissioning-issue.js'
import {
  configurationApplicationsTable,
  configurationOverridesTable,
  reportedConfigurationsTable,
} from './configuration.js'
import { configurationTemplatesTable } from './configuration-template.js'
import { conformanceTable } from './conformance.js'
import { connectionAttemptsTable } from './connection-attempt.js'
import { consoleSessionsTable } from './console-session.js'
import { deviationsTable } from './deviation.js'
import { disputesTable } from './dispute.js'
import { documentNumbersTable } from './document-number.js'
import { energyAssetsTable } from './energy-asset.js'
import { firmwareRolloutsTable, rolloutChargePointsTable } from './firmware-rollout.js'
import { fleetSamplesTable } from './fleet-sample.js'
import { guestConnectorsTable, guestSessionsTable, guestStartsTable } from './guest-session.js'
import { idTagsTable, unknownIdTagsTable } from './id-tag.js'
import { idempotentAnswersTable } from './idempotent-answer.js'
import {
  endedTokensTable,
  familiarNetworksTable,
  identityDocumentsTable,
  installerAddressesTable,
  installerPasswordsTable,
  installersTable,
  passwordResetsTable,
  pendingInstallersTable,
  tokenSecretsTable,
} from './installer.js'
import { integrationRequestsTable } from './integration-request.js'
import { invitationsTable, teamsTable } from './invitation.js'
import { billingProgressTable, invoiceItemsTable, invoicesTable, unnumberedInvoicesTable } from './invoice.js'
import { loadRunResultsTable, loadRunsTable } from './load-run.js'
import { mailsTable } from './mail.js'
import { mailRoomsTable } from './mail-room.js'
import { membersTable } from './member.js'
import { messagesTable } from './message.js'
import { meterValuesTable } from './meter-values.js'
import { learnedTraitsTable, traitsAtSitesTable, traitsCorrectionsTable } from './model-traits.js'
import { ocpiCdrsTable } from './ocpi-cdr.js'
import { ocpiChargingProfilesTable, ocpiToldProfilesTable } from './ocpi-charging-profile.js'
import { ocpiCommandsTable, ocpiReservationsTable } from './ocpi-command.js'
import { ocpiCommandResultsTable } from './ocpi-command-result.js'
import { ocpiCommandTokensTable } from './ocpi-command-token.js'
import { ocpiExchangesTable } from './ocpi-exchange.js'
import { ocpiHubPartiesTable } from './ocpi-hub-party.js'
import { ocpiLocationObjectsTable, ocpiLocationsTable } from './ocpi-location.js'
import { ocpiPartnersTable } from './ocpi-partner.js'
import { ocpiPartiesTable } from './ocpi-party.js'
import { ocpiPlacesTable } from './ocpi-place.js'
import { ocpiCdrPushesTable, ocpiKnownTariffsTable, ocpiProgressTable } from './ocpi-push.js'
import { ocpiAnswersTable, ocpiTokensTable } from './ocpi-token.js'
import { ocpiTokenPullsTable } from './ocpi-token-pull.js'
import { installationTable, organizationsTable } from './organization.js'
import { passkeysTable } from './passkey.js'
import { powerRollUpsTable } from './power-roll-up.js'
import { receiptsTable } from './receipt.js'
import { reservationSequence, reservationsTable } from './reservation.js'
import { securityUpgradesTable } from './security-upgrade.js'
import { sessionsTable, transactionSequence, unmatchedTransactionsTable } from './session.js'
import { sessionCostsTable, unbilledSessionsTable } from './session-cost.js'
import { signInCodesTable } from './sign-in-code.js'
import { signsOfLifeTable } from './sign-of-life.js'
import { sitesTable } from './site.js'
import { siteChargersTable } from './site-charger.js'
import { siteConfigurationsTable } from './site-configuration.js'
import { siteOwnerKeysTable, siteOwnersTable } from './site-owner.js'
import { tariffAssignmentsTable, tariffsTable } from './tariff.js'
import { tariffRatesTable, tariffSchedulesTable } from './tariff-rates.js'
import { tariffSnapshotsTable } from './tariff-snapshot.js'
import { webhookDeliveriesTable } from './webhook-delivery.js'
import { webhookEndpointsTable, webhookProgressTable } from './webhook-endpoint.js'
import { weeklyReportsTable } from './weekly-report.js'

/** Raised when the meaning of stored rows changes; the steps in migrations/ bring older stores along. */
export const schemaVersion = 3

export const tables = [
  numberSequencesTable,
  outboxTable,
  eventHorizonsTable,
  wakeUpsTable,
  alertsTable,
  alertAcknowledgementsTable,
  unsentAlertsTable,
  alertMailsTable,
  weeklyReportsTable,
  installationTable,
  organizationsTable,
  apiKeysTable,
  apiKeyUsesTable,
  consoleSessionsTable,
  signInCodesTable,
  passkeysTable,
  challengesTable,
  membersTable,
  teamsTable,
  invitationsTable,
  sitesTable,
  siteConfigurationsTable,
  siteChargersTable,
  powerRollUpsTable,
  energyAssetsTable,
  siteOwnersTable,
  siteOwnerKeysTable,
  integrationRequestsTable,
  ocpiPartiesTable,
  ocpiPlacesTable,
  ocpiLocationsTable,
  ocpiLocationObjectsTable,
  ocpiExchangesTable,
  ocpiPartnersTable,
  ocpiHubPartiesTable,
  ocpiChargingProfilesTable,
  ocpiToldProfilesTable,
  ocpiProgressTable,
  ocpiCdrPushesTable,
  ocpiCdrsTable,
  ocpiKnownTariffsTable,
  ocpiCommandsTable,
  ocpiReservationsTable,
  ocpiCommandResultsTable,
  ocpiTokensTable,
  ocpiAnswersTable,
  ocpiCommandTokensTable,
  ocpiTokenPullsTable,
  installersTable,
  installerAddressesTable,
  installerPasswordsTable,
  tokenSecretsTable,
  endedTokensTable,
  identityDocumentsTable,
  pendingInstallersTable,
  passwordResetsTable,
  familiarNetworksTable,
  mailsTable,
  mailRoomsTable,
  auditTable,
  chargePointsTable,
  chargePointDaysTable,
  chargePointCountsTable,
  chargePointStatesTable,
  signsOfLifeTable,
  conformanceTable,
  deviationsTable,
  messagesTable,
  capturesTable,
  capturedMessagesTable,
  learnedTraitsTable,
  traitsAtSitesTable,
  traitsCorrectionsTable,
  certificatesTable,
  revocationsTable,
  configurationTemplatesTable,
  configurationOverridesTable,
  reportedConfigurationsTable,
  configurationApplicationsTable,
  securityUpgradesTable,
  firmwareRolloutsTable,
  rolloutChargePointsTable,
  sessionsTable,
  sessionCostsTable,
  unbilledSessionsTable,
  disputesTable,
  documentNumbersTable,
  receiptsTable,
  invoicesTable,
  unnumberedInvoicesTable,
  invoiceItemsTable,
  billingProgressTable,
  unmatchedTransactionsTable,
  meterValuesTable,
  reservationsTable,
  guestSessionsTable,
  guestStartsTable,
  guestConnectorsTable,
  idTagsTable,
  unknownIdTagsTable,
  commandsTable,
  commissioningSessionsTable,
  commissioningIssuesTable,
  bulkCommandsTable,
  connectionAttemptsTable,
  idempotentAnswersTable,
  tariffsTable,
  tariffAssignmentsTable,
  tariffRatesTable,
  tariffSchedulesTable,
  tariffSnapshotsTable,
  billingRulesTable,
  webhookEndpointsTable,
  webhookProgressTable,
  webhookDeliveriesTable,
  loadRunsTable,
  loadRunResultsTable,
  fleetSamplesTable,
] as unknown as readonly Table<never>[]

/** Every number sequence whose numbers charge points or callers keep. */
export const numberSequences = [transactionSequence, reservationSequence] as const
