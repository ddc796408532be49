// Sends the same bytes again and again, as fast as the other side takes them.

import type { Socket } from 'node:net'
import type { WebSocketClient } from '../../../bench/client/websocket.js'
import type { Attacker } from './attack.js'

const blockBytes = 65_536
/** What may wait in this process for each connection: enough that the kernel never runs dry. */
const waitingBytes = 4 * blockBytes

/** Of one process: together they fill a line of 1 Gbit/s. What fills the line itself is nothing that a service can refuse. */
const bytesPerSecond = 62_500_000

let allowance = 0
let refilledAt = 0

/** Waits until the line of this process takes so much more. */
export async function line(attacker: Attacker, bytes: number): Promise<void> {
  for (;;) {
    const now = performance.now()
    allowance = Math.min(bytesPerSecond / 10, allowance + ((now - refilledAt) / 1_000) * bytesPerSecond)
    refilledAt = now
    if (allowance >= bytes || !attacker.attacking) break
    await attacker.pause(1)
  }
  allowance -= bytes
}

/** Repeats `unit` to about 64 KiB; returns also how many that are. */
function blockOf(unit: Buffer): { readonly block: Buffer; readonly units: number } {
  const units = Math.max(1, Math.floor(blockBytes / unit.length))
  return { block: Buffer.concat(Array.from({ length: units }, () => unit)), units }
}

/** Until the socket is closed or the attack is stopped. Counts units under `what`. */
export async function floodSocket(attacker: Attacker, socket: WebSocketClient, unit: Buffer, what: string) {
  const { block, units } = blockOf(unit)
  while (attacker.attacking && socket.open) {
    if (socket.waitingBytes < waitingBytes) {
      await line(attacker, block.length)
      socket.sendBytes(block)
      attacker.count(what, units)
    } else await socket.drained()
    await attacker.pause(0)
  }
}

/** The same on a bare connection. */
export async function floodConnection(attacker: Attacker, socket: Socket, unit: Buffer, what: string) {
  const { block, units } = blockOf(unit)
  while (attacker.attacking && !socket.destroyed && socket.writable) {
    if (socket.writableLength < waitingBytes) {
      await line(attacker, block.length)
      socket.write(block)
      attacker.count(what, units)
    } else await drained(socket)
    await attacker.pause(0)
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    function settle(): void {
      socket.off('drain', settle)
      socket.off('close', settle)
      resolve()
    }
    socket.on('drain', settle)
    socket.on('close', settle)
  })
}

/** One request again and again on so many connections of this process, each of which is opened anew when it is closed. */
export async function floodRequests(attacker: Attacker, connections: number, request: string): Promise<void> {
  const unit = Buffer.from(request)
  await attacker.lanes(connections, async () => {
    const socket = await attacker.dial()
    if (socket === undefined) return attacker.pause(againAfterMs)
    socket.on('data', (chunk: Buffer) => countAnswers(attacker, chunk))
    await floodConnection(attacker, socket, unit, 'requests')
    attacker.count('connections')
  })
}

const againAfterMs = 20

/** By status; one that falls into two parts is not counted. */
function countAnswers(attacker: Attacker, chunk: Buffer): void {
  for (const [, status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) attacker.count(`HTTP ${status}`)
}
