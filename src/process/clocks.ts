// What is looked for on behalf of all, again and again: months and weeks that are over, alerts that are due, and what fleets are doing. Every shard has these
// clocks, and the one that owns a clock's partition looks. Nothing is lost when a look fails, or when its shard ends in the middle of
// one: what is due stays due, and the next owner looks.

import type { Logger } from 'pino'
import { createAlertClock } from '../actors/alert-clock/clock.js'
import type { WatchedCertificate } from '../actors/alert-clock/options.js'
import type { LiveNodes } from '../records/presence.js'
import type { Singleton } from '../runtime/link/singletons.js'
import type { ServiceClock } from '../runtime/steady-time.js'
import type { ReadView } from '../runtime/store/store.js'
import { sampleFleets } from './fleet-sampler.js'
import { tellDueOrganizations } from './period-clock.js'

export interface ClockOptions {
  readonly singleton: (name: string) => Singleton
  readonly clock: ServiceClock
  readonly view: () => ReadView
  readonly newId: (prefix: string) => string
  readonly log: Pick<Logger, 'error'>
  readonly live: LiveNodes
  readonly startedAt: StartTime
  /** How long the cause of an alert has to be gone before it is resolved. */
  readonly settleMs: number
  readonly surroundings: () => Promise<Surroundings>
  /** Whether fleets are sampled, once a minute. */
  readonly samplesFleets: boolean
}

/** When the process began: a clock's patience is not lost with its shard. */
export interface StartTime {
  readonly wall: number
  readonly monotonic: number
}

export interface Surroundings {
  /** False while the disk refuses writes, or keeps its last room for charge points. */
  readonly takesAlerts: boolean
  /** Those that the listeners have been opened with, of each front. */
  readonly certificates: readonly WatchedCertificate[]
}

/** From one look for alerts to the next: ten times as long as it took, so that it never takes a thread for itself. */
const shortestRestMs = 2_000
const longestRestMs = 60_000
const restFactor = 10
/** Soon after the start as well, for what ended meanwhile. */
const periodFirstLookMs = 500
const periodLookMs = 60_000
/** Into each minute: what ends with the minute before has been stored by then. */
const sampleIntoMinuteMs = 5_000
const minuteMs = 60_000

/** They run as long as their thread does. */
export function startClocks(options: ClockOptions): void {
  const { singleton, clock, view, log, startedAt, surroundings } = options
  const periods = singleton('period-clock')
  const alerts = singleton('alert-clock')

  async function lookAtPeriods(): Promise<void> {
    try {
      if (periods.owned()) await tellDueOrganizations({ view, tell: periods.tell, now: clock.confirmed })
    } catch (error) {
      log.error({ err: error }, 'the months and weeks that are over could not be looked for')
    }
    setTimeout(lookAtPeriods, periodLookMs).unref()
  }

  let certificates: readonly WatchedCertificate[] = []
  const alertClock = createAlertClock({
    view,
    tell: alerts.tell,
    commit: alerts.commit,
    newId: options.newId,
    now: clock.now,
    unconfirmed: clock.unconfirmed,
    uptime: () => clock.monotonic() - startedAt.monotonic,
    startedAt: startedAt.wall,
    live: options.live,
    settleMs: options.settleMs,
    certificates: () => certificates,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  })

  async function lookAtAlerts(): Promise<void> {
    let begunAt = clock.monotonic()
    try {
      if (alerts.owned()) {
        const around = await surroundings()
        certificates = around.certificates
        begunAt = clock.monotonic()
        // The last room of a disk is for transactions: what is due then is due afterwards too.
        if (around.takesAlerts) await alertClock.look()
      }
    } catch (error) {
      log.error({ err: error }, 'the alerts that are due could not be looked for')
    }
    const rest = restFactor * (clock.monotonic() - begunAt)
    setTimeout(lookAtAlerts, Math.min(longestRestMs, Math.max(shortestRestMs, rest))).unref()
  }

  setTimeout(lookAtPeriods, periodFirstLookMs).unref()
  const samples = singleton('fleet-sampler')
  async function sample(): Promise<void> {
    try {
      if (samples.owned()) await sampleFleets({ view, commit: samples.commit, live: options.live, now: clock.now })
    } catch (error) {
      log.error({ err: error }, 'the fleets could not be sampled')
    }
    sampleSoon()
  }
  const sampleSoon = (): void =>
    void setTimeout(sample, minuteMs - ((clock.now() - sampleIntoMinuteMs) % minuteMs)).unref()

  setTimeout(lookAtAlerts, shortestRestMs).unref()
  if (options.samplesFleets) sampleSoon()
}
