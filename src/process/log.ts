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

/** What a terminal may obey, or show in another order than it is written (C1 controls, bidirectional formatting). */
const unprintable = /[\u0080-\u009f\u2028\u2029]|\p{Bidi_Control}/gu

/** JSON escapes them; a readable line, which is made of the JSON, shows the escape. */
function escaped(line: string, backslash: string): string {
  return line.replace(unprintable, (found) => `${backslash}u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

export function createLog({ level, thread, terminal }: LogOptions): Logger {
  const options = {
    level,
    base: { thread },
    formatters: { log: (line: object) => redactSecrets(line) as Record<string, unknown> },
    // Errors are plain objects by then; pino's own serializer would call them `Object`.
    serializers: { err: (error: unknown) => error },
    hooks: { streamWrite: (line: string) => escaped(line, terminal ? '\\\\' : '\\') },
  }
  // Straight to the descriptor from every thread: a worker's own stdout would go through the main thread.
  return pino(options, terminal ? readable() : pino.destination({ fd: 1, sync: true }))
}

/** Loaded only for a terminal: a tenth of a second of start-up for every thread. */
function readable(): ReturnType<typeof PinoPretty> {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  return pretty({ destination: 1, sync: true, ignore: 'pid,hostname,thread', messageFormat: '[{thread}] {msg}' })
}
