// A central system that is not ours: an ocpp-rpc server in strict mode, which checks every message against the schemas
// of OCPP 1.6. It records what it saw.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { RPCServer } from 'ocpp-rpc'
import type { Test } from 'tap'

export interface Seen {
  readonly chargePointId: string
  readonly messageId: string
  readonly method: string
  readonly params: Record<string, unknown>
  /** What it was answered with. */
  readonly answer: Record<string, unknown>
}

export interface StrictCentralSystem {
  readonly url: string
  readonly seen: readonly Seen[]
  count(method: string): number
  /** Messages that broke a schema. */
  readonly violations: readonly string[]
  /** Of every connection. */
  readonly remoteAddresses: readonly string[]
}

interface Peer {
  readonly identity: string
  handle(handler: (message: { method: string; messageId: string; params: Record<string, unknown> }) => unknown): void
  on(event: 'strictValidationFailure', listener: (failure: { error: Error }) => void): void
}

export interface StrictOptions {
  readonly tls?: ServerOptions
  readonly password?: string
}

export async function startStrictCentralSystem(t: Test, options: StrictOptions = {}): Promise<StrictCentralSystem> {
  const seen: Seen[] = []
  const violations: string[] = []
  const remoteAddresses: string[] = []
  let transactions = 1_000
  const idTagInfo = { status: 'Accepted' }

  function answer(method: string): Record<string, unknown> {
    const currentTime = new Date().toISOString()
    if (method === 'BootNotification') return { status: 'Accepted', currentTime, interval: 300 }
    if (method === 'Heartbeat') return { currentTime }
    if (method === 'StartTransaction') return { transactionId: ++transactions, idTagInfo }
    if (method === 'StopTransaction') return { idTagInfo }
    return {}
  }

  const server = new RPCServer({ protocols: ['ocpp1.6'], strictMode: true })
  server.auth((accept, reject, handshake) => {
    if (options.password !== undefined && String(handshake.password) !== options.password) {
      reject(401, 'Unauthorized')
      return
    }
    remoteAddresses.push(String(handshake.remoteAddress))
    accept()
  })
  server.on('client', (peer: Peer) => {
    peer.on('strictValidationFailure', ({ error }) => violations.push(error.message))
    peer.handle(({ method, messageId, params }) => {
      const given = answer(method)
      seen.push({ chargePointId: peer.identity, messageId, method, params, answer: given })
      return given
    })
  })
  const http = options.tls === undefined ? createServer() : createTlsServer(options.tls)
  http.on('upgrade', server.handleUpgrade)
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(async () => {
    await server.close({ force: true })
    http.closeAllConnections()
    http.close()
  })
  const scheme = options.tls === undefined ? 'ws' : 'wss'
  return {
    url: `${scheme}://127.0.0.1:${(http.address() as AddressInfo).port}/anywhere/ocpp`,
    seen,
    count: (method) => seen.filter((one) => one.method === method).length,
    violations,
    remoteAddresses,
  }
}
