// BootNotification: the charge point has started and asks to be taken (OCPP 1.6, 4.2).

import type { BootInformation } from '../records/charge-point-state.js'
import { type BootNotificationRequest, bootNotification as message, writeTimestamp } from './ocpp/index.js'
import { defineHandler } from './request-handler.js'
import { saveRow } from './state.js'

/** Intervals differ by a tenth either way, so that charge points that started together do not beat together. */
const jitter = 0.1

export const bootNotification = defineHandler({
  message,
  needs: 'nothing',
  handle(state, request, context, receivedAt) {
    const status = state.registration?.registration ?? 'Accepted'
    const seconds = status === 'Accepted' ? state.settings.heartbeatIntervalSeconds : state.settings.bootRetrySeconds
    const interval = Math.max(1, Math.round(seconds * (1 - jitter + 2 * jitter * context.random())))
    return {
      response: { status, currentTime: writeTimestamp(context.now()), interval },
      effects: [saveRow(state, { registration: status, boot: bootInformation(request, receivedAt) }, context)],
    }
  },
})

function bootInformation(request: BootNotificationRequest, receivedAt: number): BootInformation {
  const serialNumber = request.chargePointSerialNumber ?? request.chargeBoxSerialNumber
  return {
    vendor: request.chargePointVendor,
    model: request.chargePointModel,
    ...(serialNumber !== undefined && { serial_number: serialNumber }),
    ...(request.firmwareVersion !== undefined && { firmware_version: request.firmwareVersion }),
    ...(request.iccid !== undefined && { iccid: request.iccid }),
    ...(request.imsi !== undefined && { imsi: request.imsi }),
    ...(request.meterType !== undefined && { meter_type: request.meterType }),
    ...(request.meterSerialNumber !== undefined && { meter_serial_number: request.meterSerialNumber }),
    booted_at: new Date(receivedAt).toISOString(),
  }
}
