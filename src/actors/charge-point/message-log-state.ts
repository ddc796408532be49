// What the actor remembers for the log of messages; lost with its memory, as nobody is promised any of it.

import type { Deviation, Direction } from '../../ocpp16/index.js'
import type { ConnectionChange } from '../../records/message.js'
import type { IdPlace } from '../../runtime/ids.js'

/** A request, until it is answered. */
export interface Said {
  readonly direction?: Direction
  /** Wall ms. */
  readonly at: number
  readonly monotonic?: number
  readonly messageId?: string
  /** Absent where only an answer was seen. */
  readonly text?: string
  readonly deviations?: readonly Deviation[]
}

/** A capture that runs. */
export interface RunningCapture {
  readonly captureId: string
  /** Wall ms. */
  readonly endsAt: number
  readonly mostBytes: number
  bytes: number
}

export interface MessageLog {
  /** Our call that is not answered yet. */
  asked: Said | undefined
  /** Requests of the charge point whose answers leave later, by message id. */
  readonly unanswered: Map<string, Said>
  /** What the frame in hand has broken. */
  deviations: readonly Deviation[] | undefined
  /** Since when the present minute runs, monotonic ms, and what was logged in it. */
  minute: number
  inMinute: number
  /** What has been said since the last row, and has none. */
  unlogged: Unlogged | undefined
  /** Of the newest row. */
  place: IdPlace | undefined
  capture: RunningCapture | undefined
}

interface Unlogged {
  readonly since: number
  heartbeats: number
  meterValues: number
  leftOut: number
  readonly connections: ConnectionChange[]
}

export function emptyMessageLog(capture: RunningCapture | undefined): MessageLog {
  return {
    asked: undefined,
    unanswered: new Map(),
    deviations: undefined,
    minute: Number.NEGATIVE_INFINITY,
    inMinute: 0,
    unlogged: undefined,
    place: undefined,
    capture,
  }
}
