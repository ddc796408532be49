// A keep-alive HTTP/1.1 client for the benchmarks: one request at a time on each connection, the rest wait in order.
// It reads answers with a Content-Length, which is what the server sends, and nothing fancier: a request costs the generator 25 us of
// processor time, and 38 with a Pool of undici 7, which would be counted in what is measured on the same cores.

import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export interface HttpClient {
  request(method: string, path: string, body: string | undefined, done: (answer: HttpAnswer | Error) => void): void
  close(): void
}

interface Request {
  readonly text: string
  readonly done: (answer: HttpAnswer | Error) => void
}

interface Connection {
  socket: Socket
  busy: Request | undefined
}

/** `key` with its scheme, where that is not Bearer: `Token ...`. `tls` is for https addresses only. */
export function createHttpClient(
  url: string,
  key: string,
  connections: number,
  tls: ConnectionOptions = {},
): HttpClient {
  const { hostname, port, host, protocol } = new URL(url)
  const secure = protocol === 'https:'
  const authorization = key.includes(' ') ? key : `Bearer ${key}`
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 443 : 80)) }
  const idle: Connection[] = []
  const sockets = new Set<Socket>()
  const waiting: Request[] = []
  let waitingFrom = 0

  function send(connection: Connection, request: Request): void {
    connection.busy = request
    connection.socket.write(request.text)
  }

  function settle(connection: Connection, answer: HttpAnswer | Error): void {
    const request = connection.busy
    connection.busy = undefined
    request?.done(answer)
  }

  function free(connection: Connection): void {
    const next = waiting[waitingFrom]
    if (next === undefined) {
      idle.push(connection)
      return
    }
    waitingFrom++
    if (waitingFrom > 1_000) {
      waiting.splice(0, waitingFrom)
      waitingFrom = 0
    }
    send(connection, next)
  }

  function open(): Connection {
    const socket = secure
      ? connectTls({ servername: hostname, ...tls, ...address })
      : connect({ ...address, noDelay: true })
    const connection: Connection = { socket, busy: undefined }
    let pending = Buffer.alloc(0)
    /** What has come of a long answer behind `pending`: joined once, when it is complete. */
    let more: Buffer[] = []
    let missing = 0
    sockets.add(socket)
    socket.on('data', (chunk) => {
      more.push(chunk)
      missing -= chunk.length
      if (missing > 0) return
      pending = Buffer.concat([pending, ...more])
      more = []
      const headEnd = pending.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const head = pending.toString('latin1', 0, headEnd)
      const length = /^content-length:\s*(\d+)/im.exec(head)?.[1]
      const status = Number(head.slice(9, 12))
      if (length === undefined && status !== 204) {
        socket.destroy(new Error('an answer without Content-Length'))
        return
      }
      const end = headEnd + 4 + Number(length ?? 0)
      missing = end - pending.length
      if (missing > 0) return
      const body = pending.toString('utf8', headEnd + 4, end)
      pending = pending.subarray(end)
      settle(connection, { status, body })
      free(connection)
    })
    let failure = new Error('the server closed the connection')
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => {
      sockets.delete(socket)
      const at = idle.indexOf(connection)
      if (at !== -1) idle.splice(at, 1)
      settle(connection, failure)
    })
    return connection
  }

  return {
    request(method, path, body, done) {
      const content =
        body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      const text = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${content}\r\n${body ?? ''}`
      const request = { text, done }
      const connection = idle.pop() ?? (sockets.size < connections ? open() : undefined)
      if (connection) send(connection, request)
      else waiting.push(request)
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
