// OCPP calls of a hostile charge point: as the protocol wants them in form, and in nothing else.

import type { WebSocketClient } from '../../../bench/client/websocket.js'
import type { Attacker } from './attack.js'

/** Just under the rate that every charge point may have: who goes over it is thrown out at once. */
export const allowedPerSecond = 95

export type Call = readonly [action: string, payload: object]

let messages = 0

export const callText = ([action, payload]: Call): string => JSON.stringify([2, `h${++messages}`, action, payload])

export function boot(socket: WebSocketClient): void {
  socket.send(callText(['BootNotification', { chargePointVendor: 'hostile', chargePointModel: 'hostile' }]))
}

const stepMs = 20

/** Boots, and sends calls at the rate until the socket is closed or the attack is stopped. `call` gets their number. */
export async function sendCalls(
  attacker: Attacker,
  socket: WebSocketClient,
  call: (number: number) => Call,
  perSecond: number = allowedPerSecond,
): Promise<void> {
  boot(socket)
  const startedAt = performance.now()
  let sent = 0
  while (attacker.attacking && socket.open) {
    const due = ((performance.now() - startedAt) / 1_000) * perSecond
    for (; sent < due && socket.open; sent++) {
      socket.send(callText(call(sent)))
      attacker.count('messages')
    }
    await attacker.pause(stepMs)
  }
}

/** Those of all its charge points, at the rate. `call` gets the number and the charge point. */
export function sendFromAll(
  attacker: Attacker,
  call: (number: number, chargePointId: string) => Call,
  perSecond?: number,
): Promise<void> {
  return attacker.eachChargePoint((socket, id) => sendCalls(attacker, socket, (number) => call(number, id), perSecond))
}

export const timestampAt = (ms: number): string => new Date(ms).toISOString()
