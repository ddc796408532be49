// What the service uses of uWebSockets.js, over simulated lines: an upgrade is a call, a socket is closed once, and told at once. Requests
// to the API do not come this way.

import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
  WebSocketBehavior,
} from 'uWebSockets.js'
import type { PublicListenerOptions } from '../../src/edge/public-listener.js'

/** The charge point's end of a socket. */
export interface Peer {
  send(text: string): void
  ping(): void
  /** The socket is closed from the service's side. */
  end(): void
}

/** What happens at the service's end of a socket. */
export interface ServerSocket {
  frame(text: string): void
  pong(): void
  /** The socket is gone. */
  gone(code: number): void
}

export interface WebServer {
  readonly uws: PublicListenerOptions['uws']
  /** Undefined where the service refuses. */
  connect(chargePointId: string, peer: Peer): ServerSocket | undefined
}

const encoder = new TextEncoder()
const bytes = (text: string): ArrayBuffer => encoder.encode(text).buffer as ArrayBuffer
const remoteAddress = bytes('192.0.2.1')
const nothing = bytes('')
const headers: Readonly<Record<string, string>> = { 'sec-websocket-protocol': 'ocpp1.6' }

/** `listening`: the service takes connections from now on. */
export function createWebServer(listening: () => void): WebServer {
  let behavior: WebSocketBehavior<unknown> | undefined

  function App(): TemplatedApp {
    const app = {
      ws(_path: string, given: WebSocketBehavior<unknown>) {
        behavior = given
        return app
      },
      any: () => app,
      filter: () => app,
      listen(_host: string, _port: number, bound: (socket: us_listen_socket) => void) {
        bound({} as us_listen_socket)
        listening()
        return app
      },
      close: () => app,
    }
    return app as unknown as TemplatedApp
  }

  function open(data: object, peer: Peer): ServerSocket {
    let closed = false
    function close(code: number, reason: ArrayBuffer): void {
      if (closed) return
      closed = true
      behavior?.close?.(socket, code, reason)
    }
    const own = { ...data }
    const socket = {
      getUserData: () => own,
      send(text: string) {
        if (!closed) peer.send(text)
      },
      ping() {
        if (!closed) peer.ping()
      },
      end(code: number, reason: string) {
        if (closed) return
        close(code, bytes(reason))
        peer.end()
      },
      close() {
        if (closed) return
        close(1006, nothing)
        peer.end()
      },
    } as unknown as WebSocket<unknown>
    behavior?.open?.(socket)
    return {
      frame(text) {
        if (!closed) behavior?.message?.(socket, bytes(text), false)
      },
      pong() {
        if (!closed) behavior?.pong?.(socket, nothing)
      },
      gone: (code) => close(code, nothing),
    }
  }

  return {
    uws: { App, SSLApp: App, us_listen_socket_close: () => {}, us_socket_local_port: () => 0 },
    connect(chargePointId, peer) {
      let socket: ServerSocket | undefined
      const response = {
        getRemoteAddressAsText: () => remoteAddress,
        cork: (write: () => void) => write(),
        onAborted: () => response,
        writeStatus: () => response,
        writeHeader: () => response,
        end: () => response,
        upgrade(data: object) {
          socket = open(data, peer)
        },
      }
      const request = {
        getUrl: () => `/ocpp16/${chargePointId}`,
        getHeader: (name: string) => headers[name] ?? '',
        forEach(visit: (name: string, value: string) => void) {
          for (const [name, value] of Object.entries(headers)) visit(name, value)
        },
      }
      behavior?.upgrade?.(
        response as unknown as HttpResponse,
        request as unknown as HttpRequest,
        {} as us_socket_context_t,
      )
      return socket
    },
  }
}
