// A webhook receiver on node:http: it keeps the raw bytes of what it is sent, and answers as it is told.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Teardowns } from './service.js'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** As it came, before anybody reads it. */
  readonly body: Buffer
  /** Of the machine, ms. */
  readonly at: number
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test checks
  readonly json: any
}

export interface ReceiverAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Connections that are open now. */
  connections(): Promise<number>
  stop(): Promise<void>
}

/** `hang` keeps the request without an answer. */
export type Answering = (received: Received) => ReceiverAnswer | 'hang'

export async function startReceiver(
  t: Teardowns,
  answering: Answering = () => ({ status: 200 }),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const { url = '', headers } = request
      const one: Received = { path: url, headers, body, at: Date.now(), json: JSON.parse(body.toString()) }
      received.push(one)
      const answer = answering(one)
      if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const stop = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    return closed
  }
  t.teardown(stop)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    connections: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    stop,
  }
}

/** As the interface describes it: HMAC-SHA256 of the raw body, keyed with the secret, compared in constant time. */
export function hasBodySignature({ headers, body }: Received, header: string, secret: string): boolean {
  const given = Buffer.from(String(headers[header] ?? ''))
  const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
