// Every request that a charge point may send, by action. A new one is a file of its name and a line here.

import { authorize } from './authorize.js'
import { bootNotification } from './boot-notification.js'
import { dataTransfer } from './data-transfer.js'
import { diagnosticsStatusNotification, logStatusNotification } from './diagnostics-status-notification.js'
import { firmwareStatusNotification, signedFirmwareStatusNotification } from './firmware-status-notification.js'
import { heartbeat } from './heartbeat.js'
import { meterValues } from './meter-values.js'
import type { RequestHandler } from './request-handler.js'
import { securityEventNotification } from './security-event-notification.js'
import { signCertificate } from './sign-certificate.js'
import { startTransaction } from './start-transaction.js'
import { statusNotification } from './status-notification.js'
import { stopTransaction } from './stop-transaction.js'

const all = [
  heartbeat,
  meterValues,
  statusNotification,
  startTransaction,
  stopTransaction,
  authorize,
  bootNotification,
  dataTransfer,
  diagnosticsStatusNotification,
  firmwareStatusNotification,
  securityEventNotification,
  signCertificate,
  logStatusNotification,
  signedFirmwareStatusNotification,
] as unknown as readonly RequestHandler[]

export const handlers: ReadonlyMap<string, RequestHandler> = new Map(
  all.map((handler) => [handler.message.action, handler]),
)
