// Every message of OCPP 1.6 and of its security extension, by action.

import type { MessageDefinition } from './define-message.js'
import { authorize } from './schemas/authorize.js'
import { bootNotification } from './schemas/boot-notification.js'
import { cancelReservation } from './schemas/cancel-reservation.js'
import { certificateSigned } from './schemas/certificate-signed.js'
import { changeAvailability } from './schemas/change-availability.js'
import { changeConfiguration } from './schemas/change-configuration.js'
import { clearCache } from './schemas/clear-cache.js'
import { clearChargingProfile } from './schemas/clear-charging-profile.js'
import { dataTransfer } from './schemas/data-transfer.js'
import { deleteCertificate } from './schemas/delete-certificate.js'
import { diagnosticsStatusNotification } from './schemas/diagnostics-status-notification.js'
import { extendedTriggerMessage } from './schemas/extended-trigger-message.js'
import { firmwareStatusNotification } from './schemas/firmware-status-notification.js'
import { getCompositeSchedule } from './schemas/get-composite-schedule.js'
import { getConfiguration } from './schemas/get-configuration.js'
import { getDiagnostics } from './schemas/get-diagnostics.js'
import { getInstalledCertificateIds } from './schemas/get-installed-certificate-ids.js'
import { getLocalListVersion } from './schemas/get-local-list-version.js'
import { getLog } from './schemas/get-log.js'
import { heartbeat } from './schemas/heartbeat.js'
import { installCertificate } from './schemas/install-certificate.js'
import { logStatusNotification } from './schemas/log-status-notification.js'
import { meterValues } from './schemas/meter-values.js'
import { remoteStartTransaction } from './schemas/remote-start-transaction.js'
import { remoteStopTransaction } from './schemas/remote-stop-transaction.js'
import { reserveNow } from './schemas/reserve-now.js'
import { reset } from './schemas/reset.js'
import { securityEventNotification } from './schemas/security-event-notification.js'
import { sendLocalList } from './schemas/send-local-list.js'
import { setChargingProfile } from './schemas/set-charging-profile.js'
import { signCertificate } from './schemas/sign-certificate.js'
import { signedFirmwareStatusNotification } from './schemas/signed-firmware-status-notification.js'
import { signedUpdateFirmware } from './schemas/signed-update-firmware.js'
import { startTransaction } from './schemas/start-transaction.js'
import { statusNotification } from './schemas/status-notification.js'
import { stopTransaction } from './schemas/stop-transaction.js'
import { triggerMessage } from './schemas/trigger-message.js'
import { unlockConnector } from './schemas/unlock-connector.js'
import { updateFirmware } from './schemas/update-firmware.js'

const definitions: readonly MessageDefinition[] = [
  authorize,
  bootNotification,
  cancelReservation,
  changeAvailability,
  changeConfiguration,
  clearCache,
  clearChargingProfile,
  dataTransfer,
  diagnosticsStatusNotification,
  firmwareStatusNotification,
  getCompositeSchedule,
  getConfiguration,
  getDiagnostics,
  getLocalListVersion,
  heartbeat,
  meterValues,
  remoteStartTransaction,
  remoteStopTransaction,
  reserveNow,
  reset,
  sendLocalList,
  setChargingProfile,
  startTransaction,
  statusNotification,
  stopTransaction,
  triggerMessage,
  unlockConnector,
  updateFirmware,
  certificateSigned,
  deleteCertificate,
  extendedTriggerMessage,
  getInstalledCertificateIds,
  getLog,
  installCertificate,
  logStatusNotification,
  securityEventNotification,
  signCertificate,
  signedFirmwareStatusNotification,
  signedUpdateFirmware,
]

/** Keyed by the action, which is case-sensitive (OCPP-J 1.6, 4.2.1). */
export const messages: ReadonlyMap<string, MessageDefinition> = new Map(
  definitions.map((definition) => [definition.action, definition]),
)
