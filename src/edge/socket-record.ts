// The record of a socket: that it has opened and ended, beside the frames.

import type { ChargePoint } from '../records/charge-point.js'
import { type FrameRecorder, recordedName } from './frame-recorder.js'
import type { Socket } from './socket.js'

export function beginRecord(recorder: FrameRecorder, socket: Socket): void {
  socket.recorded = recorder.opened(socket.recordedName)
  const { remoteAddress, securityProfile, subprotocol } = socket.details
  recorder.event(socket.recorded, { connected: { remoteAddress, securityProfile, subprotocol } })
}

export function endRecord(
  recorder: FrameRecorder,
  { recorded }: Socket,
  end: { readonly code: number; readonly reason: string },
): void {
  if (recorded === undefined) return
  recorder.event(recorded, { disconnected: end })
  recorder.closed(recorded)
}

/** Somebody else may have registered it meanwhile. */
export function recordAs(recorder: FrameRecorder, socket: Socket, chargePoint: ChargePoint): void {
  const name = recordedName(chargePoint)
  if (name === socket.recordedName || socket.recorded === undefined) return
  recorder.closed(socket.recorded)
  socket.recordedName = name
  beginRecord(recorder, socket)
}
