// The log: JSON lines, or readable ones on a terminal. Secrets never get there: redact.ts sees every line first.

import { createRequire } from 'node:module'
import pino, { type Logger } from 'pino'
import type PinoPretty from 'pino-pretty'
import { redactSecrets } from './redact.js'

export interface LogOptions {
  readonly level: string
  readonly thread: string
  /** Readable lines instead of JSON. */
  readonly terminal: boolean
}

export function createLog({ level, thread, terminal }: LogOptions): Logger {
  const options = {
    level,
    base: { thread },
    formatters: { log: (line: object) => redactSecrets(line) as Record<string, unknown> },
    // Errors are plain objects by then; pino's own serializer would call them `Object`.
    serializers: { err: (error: unknown) => error },
  }
  // Straight to the descriptor from every thread: a worker's own stdout would go through the main thread.
  return pino(options, terminal ? readable() : pino.destination({ fd: 1, sync: true }))
}

/** Loaded only for a terminal: a tenth of a second of start-up for every thread. */
function readable(): ReturnType<typeof PinoPretty> {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  return pretty({ destination: 1, sync: true, ignore: 'pid,hostname,thread', messageFormat: '[{thread}] {msg}' })
}
