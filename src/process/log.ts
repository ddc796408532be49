// The log: JSON lines, or readable ones on a terminal. Secrets never get there: redact.ts sees every line first.

import { createRequire } from 'node:module'
import pino, { type Logger } from 'pino'
import type PinoPretty from 'pino-pretty'
import { escapeOf } from '../runtime/one-line.js'
import { redactSecrets } from './redact.js'

export interface LogOptions {
  readonly level: string
  readonly thread: string
  /** Readable lines instead of JSON. */
  readonly terminal: boolean
}

/** What a terminal may obey; JSON escapes the others. */
const leftByJson = /[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu
const escapeOfJson = /\\(?:["\\/]|[bfnrt]|u[0-9a-f]{4})/g
const nextInStack = '    at '

function escaped(line: string): string {
  return line.replace(leftByJson, escapeOf)
}

/** For lines that are made of the JSON: what it escapes is shown as its escape there, too, but for the lines of a stack. */
function shown(line: string): string {
  return escaped(line).replace(escapeOfJson, (found, at: number, all: string) => {
    if (/["\\/]$/.test(found) || (found === '\\n' && all.startsWith(nextInStack, at + 2))) return found
    return `\\${found}`
  })
}

export function createLog({ level, thread, terminal }: LogOptions): Logger {
  const options = {
    level,
    base: { thread },
    formatters: { log: (line: object) => redactSecrets(line) as Record<string, unknown> },
    // Errors are plain objects by then; pino's own serializer would call them `Object`.
    serializers: { err: (error: unknown) => error },
    hooks: { streamWrite: terminal ? shown : escaped },
  }
  // Straight to the descriptor from every thread: a worker's own stdout would go through the main thread.
  return pino(options, terminal ? readable() : pino.destination({ fd: 1, sync: true }))
}

/** Node.js writes its warnings to standard error, as lines of their own form. Each thread has its own. */
export function logWarnings(log: Pick<Logger, 'warn'>): void {
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, 'Node.js warns'))
}

/** Loaded only for a terminal: a tenth of a second of start-up for every thread. */
function readable(): ReturnType<typeof PinoPretty> {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty
  return pretty({ destination: 1, sync: true, ignore: 'pid,hostname,thread', messageFormat: '[{thread}] {msg}' })
}
