// A socket of the fuzzer: after a proper upgrade it sends any bytes that it is given, and reads what the service says.

import { connectWebSocket } from '../../bench/client/websocket.js'

export interface FuzzSocket {
  readonly open: boolean
  /** Undefined while open; 1006 when the connection was cut. */
  readonly closed: { readonly code: number; readonly reason: string } | undefined
  send(bytes: Buffer): void
  /** Resolves when the kernel has taken what was sent, or the socket is closed. */
  drained(): Promise<void>
  destroy(): void
}

export interface FuzzSocketHandlers {
  text(text: string): void
  /** The service broke the WebSocket protocol. */
  violation(reason: string): void
  closed(): void
}

const longestMessageBytes = 16_777_216

/** Rejects with the reason when the upgrade is refused. */
export function openFuzzSocket(port: number, path: string, handlers: FuzzSocketHandlers): Promise<FuzzSocket> {
  return new Promise((resolve, reject) => {
    let closed: FuzzSocket['closed']
    /** What came before the caller has the socket. */
    let early: string[] | undefined = []
    const client = connectWebSocket(
      {
        url: `ws://127.0.0.1:${port}${path}`,
        subprotocols: ['ocpp1.6'],
        maximumMessageBytes: longestMessageBytes,
      },
      {
        opened() {
          resolve({
            get open() {
              return closed === undefined
            },
            get closed() {
              return closed
            },
            send: client.sendBytes,
            drained: client.drained,
            destroy: client.destroy,
          })
          setImmediate(() => {
            const texts = early ?? []
            early = undefined
            for (const text of texts) handlers.text(text)
          })
        },
        text(text) {
          if (early === undefined) handlers.text(text)
          else early.push(text)
        },
        violation: handlers.violation,
        closed(code, reason) {
          closed = { code, reason }
          reject(new Error(reason))
          handlers.closed()
        },
      },
    )
  })
}
