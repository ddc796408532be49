// What a charge point knows of its connection to the central system. Over sockets it is a WebSocket; in simulations it is
// whatever carries text from one side to the other.

/** The central system answered the attempt to connect with something else than a connection. */
export interface Refusal {
  readonly statusCode: number
  readonly retryAfterSeconds: number | undefined
}

export interface ConnectionEvents {
  opened(): void
  text(text: string): void
  /** Once, whatever happened. 1006 when the connection was lost or never came up. */
  closed(code: number, reason: string, refusal?: Refusal): void
}

export interface Connection {
  readonly open: boolean
  send(text: string): void
  /** Ends it as the protocol wants. */
  close(code: number, reason: string): void
  /** Drops it without a word, as a power cut does. */
  destroy(): void
}

/** Opens a connection with these credentials, if any. */
export type Transport = (events: ConnectionEvents, password: string | Buffer | undefined) => Connection
