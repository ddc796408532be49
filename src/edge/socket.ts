// One accepted OCPP socket as the front holds it: who it is, when it last spoke, and how fast it may speak.

import type { WebSocket } from 'uWebSockets.js'
import { chargePointAddress, type SocketDetails } from '../actors/charge-point/messages.js'
import type { Address } from '../runtime/actor/actor.js'
import { addressKey, partitionOf } from '../runtime/actor/partition-table.js'
import type { LiveSocket } from '../runtime/link/front-transport.js'
import type { HeldFrames } from './held-frames.js'

export interface Socket extends LiveSocket {
  address: Address
  partition: number
  readonly details: SocketDetails
  /** Seconds between our pings; 0 for none. */
  readonly pingIntervalSeconds: number
  webSocket: WebSocket<Socket> | undefined
  /** What it has sent so far, while it is not attached to its actor: its registration is on its way to the disk. */
  held: HeldFrames | undefined
  /** Monotonic ms of the last frame or pong. */
  heardAt: number
  pingedAt: number
  /** It has answered a ping on this connection, so silence after further pings means that it is gone. */
  answersPings: boolean
  tokens: number
  refilledAt: number
  /** Why and when (monotonic ms) we closed it; the peer may close with another code. */
  closing: { readonly code: number; readonly reason: string; readonly at: number } | undefined
}

/** The actor that a socket speaks with. */
export function spokenWith(chargePointId: string): Pick<Socket, 'address' | 'partition'> {
  const address = chargePointAddress(chargePointId)
  return { address, partition: partitionOf(addressKey(address)) }
}

/** Takes one token of the socket's bucket; false when it speaks too fast. */
export function takeToken(socket: Socket, now: number, perSecond: number, burst: number): boolean {
  socket.tokens = Math.min(burst, socket.tokens + ((now - socket.refilledAt) * perSecond) / 1000)
  socket.refilledAt = now
  if (socket.tokens < 1) return false
  socket.tokens--
  return true
}
