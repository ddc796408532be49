// What the load tool and its processes say to each other: a plan and phases one way, ticks and results the other.

import type { Pairs } from '../generator/histogram.js'

export const profiles = ['idle', 'heartbeat', 'charging', 'storm', 'commands', 'mixed'] as const
export type Profile = (typeof profiles)[number]

export interface Identity {
  readonly id: string
  /** Over the whole run, from 0 up. */
  readonly number: number
  readonly password?: string
  /** Used for all its transactions; its own, new ones otherwise. */
  readonly idTag?: string
}

/** What one process has to do. Rates are its share. */
export interface Plan {
  /** The endpoint without the id. */
  readonly url: string
  readonly profile: Profile
  readonly identities: readonly Identity[]
  readonly connectors: number
  /** Messages a second; `max` sends as soon as an answer is in, undefined keeps the profile's own intervals. */
  readonly ratePerSecond: number | 'max' | undefined
  /** Between two messages of a charge point that has no other reason to wait. */
  readonly intervalSeconds: number
  readonly meterValuesPerSession: number
  readonly rampPerSecond: number
  readonly timeoutMs: number
  readonly seed: number
  readonly sourceAddresses: readonly string[]
  readonly tls: TlsFiles
  /** Where commands are given, and with which key. */
  readonly api: { readonly url: string; readonly key: string } | undefined
  /** When the run began, milliseconds since 1970. */
  readonly startedAt: number
}

export interface TlsFiles {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly rejectUnauthorized: boolean
}

/** Warm-up is traffic that does not count. */
export type Phase = 'connecting' | 'warm-up' | 'measured'

export type LoadRequest =
  /** Connects and boots everybody. */
  | { readonly type: 'plan'; readonly plan: Plan }
  /** Traffic begins, with the warm-up or without one. */
  | { readonly type: 'talk'; readonly phase: 'warm-up' | 'measured' }
  /** What happens from now on counts. */
  | { readonly type: 'measure' }
  /** Everybody loses the connection and comes back. */
  | { readonly type: 'storm' }
  /** No new messages; the last answers, goodbyes, and the results. */
  | { readonly type: 'finish' }

export interface Tick {
  /** Seconds since the run began. */
  readonly second: number
  readonly connected: number
  readonly booted: number
  /** Due, but not sent: the charge point still waits for an answer, or has no connection. */
  readonly waiting: number
  readonly sent: number
  readonly answered: number
  readonly errors: number
  /** Latencies of this second in microseconds. */
  readonly latency: Pairs
  readonly latestLagMs: number
  readonly cpuSeconds: number
}

export interface MessageCounts {
  readonly action: string
  readonly sent: number
  readonly answered: number
  readonly failed: number
  /** From the moment at which it should have left. */
  readonly latency: Pairs
  /** From the moment at which it left. */
  readonly serviceTime: Pairs
}

export interface ErrorCount {
  readonly kind: string
  readonly phase: Phase
  readonly count: number
  /** Seconds since the run began. */
  readonly firstSecond: number
}

export interface ProcessResults {
  readonly messages: readonly MessageCounts[]
  readonly errors: readonly ErrorCount[]
  readonly connecting: {
    readonly attempts: number
    readonly opened: number
    readonly boots: number
    /** Told to come back later: 429 or 503 with Retry-After. */
    readonly deferred: number
    readonly handshake: Pairs
    /** From the handshake's beginning to the accepted BootNotification. */
    readonly ready: Pairs
  }
  /** Commands of the central system that were answered, by action. */
  readonly commands: Readonly<Record<string, number>>
  /** By how much messages missed their moment because of the tool itself, microseconds. */
  readonly lag: Pairs
  /** Of the measured time. */
  readonly seconds: number
  readonly cpuSeconds: number
}

export interface StormRound {
  readonly seconds: number
  readonly booted: number
  readonly missing: number
  /** From the loss of the connection to the accepted BootNotification, microseconds. */
  readonly latency: Pairs
}

export type LoadMessage =
  | { readonly type: 'tick'; readonly tick: Tick }
  /** Every charge point is booted, or was refused for good. */
  | { readonly type: 'connected'; readonly booted: number }
  | { readonly type: 'storm'; readonly round: StormRound }
  | { readonly type: 'results'; readonly results: ProcessResults }
