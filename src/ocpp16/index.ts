// OCPP 1.6-J's wire format, for the charge-point actor and for whoever documents or checks its messages.

export { type CallCheck, checkCall } from './check-call.js'
export {
  defineMessage,
  type MessageDefinition,
  type Profile,
  type Repair,
  type Repairs,
  receivedTime,
  type Sender,
} from './define-message.js'
export { type OcppErrorCode, ocppErrorCodes, readErrorCode } from './error-codes.js'
export {
  constantResult,
  type Frame,
  type RawMessageId,
  readFrame,
  writeCall,
  writeEmptyResult,
  writeError,
  writeResult,
} from './frame.js'
export { messages } from './messages.js'
export { type Reading, readRequest, readResponse } from './reader.js'
export * from './schemas/authorize.js'
export * from './schemas/boot-notification.js'
export * from './schemas/cancel-reservation.js'
export * from './schemas/certificate-signed.js'
export * from './schemas/change-availability.js'
export * from './schemas/change-configuration.js'
export * from './schemas/clear-cache.js'
export * from './schemas/clear-charging-profile.js'
export {
  type AuthorizationStatus,
  type CertificateHashData,
  type ChargingProfile,
  type ChargingProfilePurpose,
  type ChargingRateUnit,
  type ChargingSchedule,
  certificateHashData,
  chargingProfile,
  chargingSchedule,
  type IdTagInfo,
  idTagInfo,
  type MeterValue,
  meterValue,
  type SampledValue,
  sampledValue,
} from './schemas/common.js'
export * from './schemas/data-transfer.js'
export * from './schemas/delete-certificate.js'
export * from './schemas/diagnostics-status-notification.js'
export * from './schemas/extended-trigger-message.js'
export * from './schemas/firmware-status-notification.js'
export * from './schemas/get-composite-schedule.js'
export * from './schemas/get-configuration.js'
export * from './schemas/get-diagnostics.js'
export * from './schemas/get-installed-certificate-ids.js'
export * from './schemas/get-local-list-version.js'
export * from './schemas/get-log.js'
export * from './schemas/heartbeat.js'
export * from './schemas/install-certificate.js'
export * from './schemas/log-status-notification.js'
export * from './schemas/meter-values.js'
export * from './schemas/remote-start-transaction.js'
export * from './schemas/remote-stop-transaction.js'
export * from './schemas/reserve-now.js'
export * from './schemas/reset.js'
export * from './schemas/security-event-notification.js'
export * from './schemas/send-local-list.js'
export * from './schemas/set-charging-profile.js'
export * from './schemas/sign-certificate.js'
export * from './schemas/signed-firmware-status-notification.js'
export * from './schemas/signed-update-firmware.js'
export * from './schemas/start-transaction.js'
export * from './schemas/status-notification.js'
export * from './schemas/stop-transaction.js'
export * from './schemas/trigger-message.js'
export * from './schemas/unlock-connector.js'
export * from './schemas/update-firmware.js'
export { readTimestamp, writeTimestamp } from './timestamp.js'
export type { Violation, ViolationRule } from './violation.js'
