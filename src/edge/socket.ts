// One accepted OCPP socket as the front holds it: who it is, when it last spoke, and how much it may say.

import type { WebSocket } from 'uWebSockets.js'
import { chargePointAddress, type SocketDetails } from '../actors/charge-point/messages.js'
import type { Address } from '../runtime/actor/actor.js'
import { addressKey, partitionOf } from '../runtime/actor/partition-table.js'
import type { LiveSocket } from '../runtime/link/front-transport.js'
import type { FullAt } from '../runtime/token-bucket.js'
import type { RecordedChain } from './frame-recorder.js'
import type { HeldFrames } from './held-frames.js'

export interface Socket extends LiveSocket {
  address: Address
  partition: number
  readonly details: SocketDetails
  /** Seconds between our pings; 0 for none. */
  readonly pingIntervalSeconds: number
  webSocket: WebSocket<Socket> | undefined
  /** Of its registration. */
  recordedName: string
  /** Where its frames are recorded; undefined before it is open. */
  recorded: RecordedChain | undefined
  /** What it has sent so far, while it is not attached to its actor: its registration is on its way to the disk. */
  held: HeldFrames | undefined
  /** Monotonic ms of the last frame or pong. */
  heardAt: number
  pingedAt: number
  /** It has answered a ping on this connection, so silence after further pings means that it is gone. */
  answersPings: boolean
  /** The interval of Heartbeats that was configured for it, looked up once it seems to be gone. */
  configuredHeartbeatSeconds: number | undefined
  /** The buckets of what it may still send: frames, bytes of frames, and pings and pongs. */
  frames: FullAt
  bytes: FullAt
  pings: FullAt
  /** Why and when (monotonic ms) we closed it; the peer may close with another code. */
  closing: { readonly code: number; readonly reason: string; readonly at: number } | undefined
}

/** The actor that a socket speaks with. */
export function spokenWith(chargePointId: string): Pick<Socket, 'address' | 'partition'> {
  const address = chargePointAddress(chargePointId)
  return { address, partition: partitionOf(addressKey(address)) }
}
