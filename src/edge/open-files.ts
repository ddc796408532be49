// How many connections a front may hold before the open files of the process are used up: then nothing could be accepted, and the
// listener would be woken without end. One connection too many is accepted and closed instead.

import type { HttpResponse } from 'uWebSockets.js'
import { readdirSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Clock } from '../runtime/clock.js'
import { processReport } from '../runtime/process-report.js'
import { createRareLines } from '../runtime/rare-lines.js'
import { limits } from './limits.js'
import type { RefusalReason } from './refusal-reasons.js'

export interface OpenFiles {
  /** Infinity where there is no limit, or none that is told. */
  readonly limit: number
  readonly inUse: number
}

/** Of the process. */
export function openFiles(): OpenFiles {
  const soft = Number(processReport().openFiles)
  return { limit: Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft, inUse: countOpen() }
}

function countOpen(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return limits.reservedOpenFiles
  }
}

/** Connections of one front: its share of what the process may open, less what it has open and what the rest of it may need. */
export function connectionRoom({ limit, inUse }: OpenFiles, share: number): number {
  if (!Number.isFinite(limit)) return limit
  const spare = limits.reservedOpenFiles + limit * limits.reservedOpenFilesShare
  return Math.max(1, Math.floor((limit - inUse - spare) / share))
}

export interface ConnectionCount {
  /** Told by uWebSockets.js of every connection that comes (1) or goes (-1) as HTTP. */
  filter(response: HttpResponse, change: number): void
  /** A WebSocket has ended: uWebSockets.js tells no filter. */
  socketClosed(): void
}

export interface ConnectionCountOptions {
  readonly most: number
  readonly clock: Clock
  readonly log: Logger
  readonly refused: (reason: RefusalReason) => void
}

export function createConnectionCount({ most, clock, log, refused }: ConnectionCountOptions): ConnectionCount {
  const lines = createRareLines(1)
  let open = 0
  return {
    filter(response, change) {
      open += change
      if (change < 0 || open <= most) return
      const reason = 'too_many_open_files'
      refused(reason)
      const leftOut = lines.leftOut(reason, clock.monotonic())
      if (leftOut !== undefined)
        log.error(
          { connections: most, ...(leftOut > 0 && { leftOut }) },
          'connections are closed at once, because the process may not open more files: raise the limit (ulimit -n)',
        )
      response.close()
    },
    socketClosed() {
      open--
    },
  }
}
