// FirmwareStatusNotification and its signed sibling: how an update goes (OCPP 1.6, 4.5; security whitepaper, L01).

import type { Context, Effect } from '../../runtime/actor.js'
import { effect } from '../../runtime/actor.js'
import {
  firmwareStatusNotification as message,
  signedFirmwareStatusNotification as signedMessage,
} from './ocpp/index.js'
import { defineHandler } from './request-handler.js'
import { type State, saveRow } from './state.js'

const eventsByStatus: Readonly<Record<string, string>> = {
  Downloading: 'firmware.update_started',
  Installed: 'firmware.update_completed',
}

function noteStatus(state: State, status: string, context: Context): readonly Effect[] {
  // Statuses repeat, and Idle only answers a trigger.
  if (status === 'Idle' || status === state.row.firmware_status) return []
  const saved = saveRow(state, { firmware_status: status }, context)
  const event = eventsByStatus[status]
  if (event === undefined) return [saved]
  const data = { charge_point_id: context.id, status, firmware_version: state.row.boot?.firmware_version }
  return [saved, effect.event({ event, organizationId: state.row.organization_id, subject: context.id, data })]
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
