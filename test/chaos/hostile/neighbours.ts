// The neighbours, as their process is asked for them, and what they have felt.

import { type HelperProcess, startHelper } from './helper-process.js'

export interface Neighbourhood {
  readonly port: number
  readonly key: string
  readonly chargePointIds: readonly string[]
  /** Time between two messages of one charge point. */
  readonly everyMs: number
}

export type NeighboursRequest =
  | { readonly type: 'begin'; readonly neighbourhood: Neighbourhood }
  /** What was felt since it was last asked. */
  | { readonly type: 'take' }

export interface Latency {
  readonly count: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly mostMs: number
}

export const kinds = ['heartbeat', 'stored', 'read', 'payment'] as const
export type Kind = (typeof kinds)[number]

export interface Felt {
  /** A message without an answer counts with the time that it has waited so far. */
  readonly latencies: Readonly<Record<Kind, Latency>>
  /** Refused, disconnected, or answered with an error; how often, by what it was. */
  readonly wrongs: Readonly<Record<string, number>>
}

export type Neighbours = HelperProcess<NeighboursRequest, Felt>

export const startNeighbours = (): Neighbours => startHelper(new URL('./neighbours-process.js', import.meta.url))
