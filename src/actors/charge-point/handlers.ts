// Every request that charge points may send. A new one is a file of its name and a line here.

export { authorize } from './authorize.js'
export { bootNotification } from './boot-notification.js'
export { dataTransfer } from './data-transfer.js'
export { diagnosticsStatusNotification, logStatusNotification } from './diagnostics-status-notification.js'
export { firmwareStatusNotification, signedFirmwareStatusNotification } from './firmware-status-notification.js'
export { heartbeat } from './heartbeat.js'
export { meterValues } from './meter-values.js'
export { securityEventNotification } from './security-event-notification.js'
export { signCertificate } from './sign-certificate.js'
export { startTransaction } from './start-transaction.js'
export { statusNotification } from './status-notification.js'
export { stopTransaction } from './stop-transaction.js'
