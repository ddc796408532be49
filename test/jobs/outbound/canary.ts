// A listener that must see nothing: on every address of the machine, IPv4 and IPv6. And the client under test, made as the thread makes it.

import { createServer } from 'node:net'
import { createOutboundClient, type OutboundClient } from '../../../src/jobs/outbound/client.js'
import { dnsResolve } from '../../../src/jobs/outbound/resolver.js'
import { systemClock } from '../../../src/runtime/clock.js'
import type { OutboundRequest } from '../../../src/runtime/outbound-jobs.js'
import type { Teardowns } from '../../support/service.js'

export interface Canary {
  readonly port: number
  /** Local addresses of the connections so far. */
  readonly connections: readonly string[]
}

export async function startCanary(t: Teardowns): Promise<Canary> {
  const connections: string[] = []
  const server = createServer((socket) => {
    connections.push(socket.localAddress ?? '')
    socket.on('error', () => {})
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '::', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, connections }
}

export function makeClient(t: Teardowns, allowInsecure: boolean, nameServer = '127.0.0.1:9'): OutboundClient {
  const client = createOutboundClient({
    allowInsecure,
    resolve: dnsResolve(systemClock, [nameServer]),
    clock: systemClock,
    userAgent: 'ampshard/test',
  })
  t.teardown(() => client.close())
  return client
}

export function post(url: string, changes: Partial<OutboundRequest> = {}): OutboundRequest {
  return { method: 'POST', url, headers: {}, body: '{}', timeoutMs: 5_000, readBody: true, ...changes }
}
