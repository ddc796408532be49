// What one front looks for on behalf of all, again and again: months and weeks that are over, and alerts that are due. Nothing is lost
// when a look fails, or when the process ends in the middle of one: what is due stays due.

import type { WatchedCertificate } from '../actors/alert-clock/certificates.js'
import { createAlertClock } from '../actors/alert-clock/clock.js'
import type { Services } from '../api/pipeline/services.js'
import { tellDueOrganizations } from './period-clock.js'

export interface ClockOptions {
  readonly services: Services
  /** How long the cause of an alert has to be gone before it is resolved. */
  readonly settleMs: number
  readonly certificates: () => readonly WatchedCertificate[]
}

const alertLookMs = 2_000
/** Soon after the start as well, for what ended meanwhile. */
const periodFirstLookMs = 1_000
const periodLookMs = 60_000

/** They run as long as their thread does. */
export function startClocks({ services, settleMs, certificates }: ClockOptions): void {
  const { clock, view, tell, log, draining, recordsCommands } = services

  async function lookAtPeriods(): Promise<void> {
    try {
      if (!draining()) await tellDueOrganizations({ view, tell, now: clock.now })
    } catch (error) {
      log.error({ err: error }, 'the months and weeks that are over could not be looked for')
    }
    setTimeout(lookAtPeriods, periodLookMs).unref()
  }

  const startedAt = clock.monotonic()
  const alertClock = createAlertClock({
    view,
    tell,
    commit: services.commit,
    newId: services.newId,
    now: clock.now,
    uptime: () => clock.monotonic() - startedAt,
    live: services.presence.live,
    settleMs,
    certificates,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
  })

  async function lookAtAlerts(): Promise<void> {
    try {
      // The last room of a disk is for transactions: what is due then is due afterwards too.
      if (!draining() && recordsCommands()) await alertClock.look()
    } catch (error) {
      log.error({ err: error }, 'the alerts that are due could not be looked for')
    }
    setTimeout(lookAtAlerts, alertLookMs).unref()
  }

  setTimeout(lookAtPeriods, periodFirstLookMs).unref()
  setTimeout(lookAtAlerts, alertLookMs).unref()
}
