// The capture of a charge point that runs: read when the actor is loaded, and when somebody begins or ends one.

import {
  bytesPerMegabyte,
  capturedMessagesTable,
  capturesTable,
  endOf,
  isOfRegistration,
} from '../../records/capture.js'
import { chargePointsTable } from '../../records/charge-point.js'
import type { Context } from '../../runtime/actor/actor.js'
import type { MessageLog, RunningCapture } from './message-log-state.js'

/** The newest one of its organization, as long as it runs. */
export function runningCapture(organizationId: string, context: Context): RunningCapture | undefined {
  const view = context.read()
  const group = [organizationId, context.id]
  const [newest] = view.listBy(capturesTable, 'byChargePoint', group, { reverse: true, limit: 1 })
  if (newest === undefined || endOf(newest) <= context.now()) return undefined
  const registered = view.get(chargePointsTable, [context.id])
  if (registered === undefined || !isOfRegistration(newest, registered)) return undefined
  const { capture_id, megabytes } = newest
  const bytes = view.total(capturedMessagesTable, 'bytesOfCapture', [capture_id])
  return { captureId: capture_id, endsAt: endOf(newest), mostBytes: megabytes * bytesPerMegabyte, bytes }
}

/** As far as it has time and room left, and nobody has ended it: of that the store says before the actor is told. */
export function captureNow(messageLog: MessageLog, context: Context): RunningCapture | undefined {
  const { capture } = messageLog
  if (capture === undefined) return undefined
  const hasRoom = context.now() < capture.endsAt && capture.bytes < capture.mostBytes
  const row = hasRoom ? context.read().get(capturesTable, [capture.captureId]) : undefined
  if (row !== undefined && row.stopped_at === undefined) return capture
  messageLog.capture = undefined
  return undefined
}
