// FirmwareStatusNotification and its signed sibling: how an update goes (OCPP 1.6, 4.5; security whitepaper, L01).

import type { Context, Effect } from '../../runtime/actor.js'
import { firmwareUpdateCompleted, firmwareUpdateStarted } from '../events/charge-point.js'
import { emit } from '../events/define-event.js'
import {
  firmwareStatusNotification as message,
  signedFirmwareStatusNotification as signedMessage,
} from './ocpp/index.js'
import { defineHandler } from './request-handler.js'
import { aboutChargePoint, type State, saveRow } from './state.js'

const eventsByStatus = new Map<string, typeof firmwareUpdateStarted>([
  ['Downloading', firmwareUpdateStarted],
  ['Installed', firmwareUpdateCompleted],
])

function noteStatus(state: State, status: string, context: Context): readonly Effect[] {
  // Statuses repeat, and Idle only answers a trigger.
  if (status === 'Idle' || status === state.row.firmware_status) return []
  const saved = saveRow(state, { firmware_status: status }, context)
  const event = eventsByStatus.get(status)
  if (event === undefined) return [saved]
  const data = { charge_point_id: context.id, status, firmware_version: state.row.boot?.firmware_version ?? null }
  return [saved, emit(event, aboutChargePoint(state, context), data)]
}

export const firmwareStatusNotification = defineHandler({
  message,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: noteStatus(state, request.status, context) }),
})

export const signedFirmwareStatusNotification = defineHandler({
  message: signedMessage,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: noteStatus(state, request.status, context) }),
})
