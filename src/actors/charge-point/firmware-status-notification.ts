// FirmwareStatusNotification and its signed sibling: how an update goes (OCPP 1.6, 4.5; security whitepaper, L01).

import { firmwareUpdateCompleted, firmwareUpdateStarted } from '../../events/charge-point.js'
import { emit } from '../../events/define-event.js'
import {
  firmwareStatusNotification as message,
  signedFirmwareStatusNotification as signedMessage,
} from '../../ocpp16/index.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import { defineHandler } from './request-handler.js'
import { tellRollout, versionAwaited } from './rollout-news.js'
import { aboutChargePoint, type State, saveRow } from './state.js'

/** Between the first sign of an update and its end. */
const underWay: ReadonlySet<string | undefined> = new Set([
  'Downloading',
  'DownloadPaused',
  'Downloaded',
  'SignatureVerified',
  'InstallScheduled',
  'InstallRebooting',
  'Installing',
])

/** Charge points leave statuses out (field note 24); one that downloads after it has downloaded has begun anew. */
function eventOf(before: string | undefined, status: string): typeof firmwareUpdateStarted | undefined {
  if (status === 'Installed') return firmwareUpdateCompleted
  const begins = status === 'Downloading' ? before !== 'DownloadPaused' : underWay.has(status) && !underWay.has(before)
  return begins ? firmwareUpdateStarted : undefined
}

function noteStatus(state: State, status: string, context: Context): readonly Effect[] {
  // Statuses repeat, and Idle only answers a trigger.
  const before = state.row.firmware_status
  if (status === 'Idle' || status === before) return []
  const event = eventOf(before, status)
  const booted = state.row.boot?.firmware_version ?? null
  const { firmware_before, ...rest } = state.row
  if (event === firmwareUpdateCompleted) state.row = rest
  const begins = event === firmwareUpdateStarted
  const saved = saveRow(state, { firmware_status: status, ...(begins && { firmware_before: booted }) }, context)
  if (event === undefined) return [saved]
  // Some tell of the end before they boot with what they have installed: what they ran before is not what they run now.
  const isNew = firmware_before !== undefined && booted !== firmware_before
  const data = { charge_point_id: context.id, status, firmware_version: begins || isNew ? booted : null }
  return [saved, emit(event, aboutChargePoint(state, context), data)]
}

/** Some never say that the firmware is installed: one that boots with another version than before has told so, unless a rollout awaits yet another. */
export function updateShown(state: State, version: string | undefined, context: Context): readonly Effect[] {
  const { firmware_before, ...rest } = state.row
  if (typeof firmware_before !== 'string' || version === undefined || version === firmware_before.trim()) return []
  const awaited = versionAwaited(state.row.organization_id, context)
  if (awaited !== undefined && version !== awaited) {
    state.row = { ...rest, firmware_before: version }
    return []
  }
  const status = 'Installed'
  state.row = { ...rest, firmware_status: status }
  const data = { charge_point_id: context.id, status, firmware_version: version }
  return [emit(firmwareUpdateCompleted, aboutChargePoint(state, context), data)]
}

interface Status {
  readonly status: string
  readonly requestId?: number
}

function takeStatus(state: State, { status, requestId }: Status, context: Context): readonly Effect[] {
  // A status that was reported before may be of an earlier update.
  const news = { status, ...(requestId !== undefined && { requestId }) }
  return [...noteStatus(state, status, context), ...tellRollout(state.row.organization_id, news, context)]
}

export const firmwareStatusNotification = defineHandler({
  message,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: takeStatus(state, request, context) }),
})

export const signedFirmwareStatusNotification = defineHandler({
  message: signedMessage,
  needs: 'Pending',
  handle: (state, request, context) => ({ response: {}, effects: takeStatus(state, request, context) }),
})
