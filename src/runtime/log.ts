// The log: JSON lines, or readable ones on a terminal. Secrets are redacted by path, in one place.

import pino, { type Logger } from 'pino'
import pretty from 'pino-pretty'

const secretPaths = [
  'authorization',
  'password',
  'token',
  'secret',
  'key',
  'api_key',
  'private_key_pem',
  'authorization_key',
  'id_tag',
  'idTag',
]

export interface LogOptions {
  readonly level: string
  readonly thread: string
  /** Readable lines instead of JSON. */
  readonly terminal: boolean
}

export function createLog({ level, thread, terminal }: LogOptions): Logger {
  const paths = secretPaths.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])
  const options = {
    level,
    base: { thread },
    redact: { paths: [...paths, '*["x-api-key"]', '*.headers.authorization'], censor: '[redacted]' },
  }
  // Straight to the descriptor from every thread: a worker's own stdout would go through the main thread.
  return terminal
    ? pino(
        options,
        pretty({ destination: 1, sync: true, ignore: 'pid,hostname,thread', messageFormat: '[{thread}] {msg}' }),
      )
    : pino(options, pino.destination({ fd: 1, sync: true }))
}
