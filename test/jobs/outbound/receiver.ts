// A receiver of calls that behaves as a test wants: it hands over the socket of each request once its head has come.

import { createServer, type Socket } from 'node:net'
import type { Teardowns } from '../../support/service.js'

export interface Receiver {
  readonly url: string
  readonly port: number
  /** Heads of the requests so far, as they came. */
  readonly requests: readonly string[]
  readonly connections: () => number
  /** Connections that are open now. */
  readonly open: () => number
}

/** `answer` is called for each request with its number, from 1, and the text from its first byte to what has come of its body. */
export async function startReceiver(
  t: Teardowns,
  answer: (socket: Socket, nth: number, request: string) => void,
): Promise<Receiver> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((socket) => {
    connections++
    sockets.add(socket)
    let received = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (;;) {
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const length = Number(/^content-length: *(\d+)/im.exec(received)?.[1] ?? 0)
        if (received.length < head + 4 + length) return
        const request = received.slice(0, head + 4 + length)
        received = received.slice(request.length)
        requests.push(request)
        answer(socket, requests.length, request)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    requests,
    connections: () => connections,
    open: () => sockets.size,
  }
}

/** An answer with a body and its length. */
export function answerOf(status: string, body = '', headers: readonly string[] = []): string {
  const head = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
