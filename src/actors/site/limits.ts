// Bounds of the actor: site.

import { defineLimits } from '../../runtime/define-limits.js'
import { limits as runtime } from '../../runtime/limits.js'

export const limits = defineLimits({
  /** Charge points of a site. */
  chargersOfSite: 500,
  /** Energy assets of a site that count. */
  assetsOfSite: 50,
  /** Connectors of a charge point that power is given to. */
  connectorsOfCharger: 32,
  /** How long an answer to a limit is waited for. */
  limitAnswersMs: 30_000,
  /** After a limit that was refused, or of which nothing was heard. */
  limitAgainMs: 5_000,
  /** A charge point that has restarted is taken to hold its limits for so long, where it has not answered yet. */
  answersAfterBootMs: 10_000,
  /** For so long a limit holds without being renewed; then the standing limit holds, also where the service is gone. */
  leaseMs: 1_800_000,
  /** Clocks of charge points differ: so much later the end of a limit is believed. */
  shortestLeaseMs: 60_000,
  leaseMarginMs: 300_000,
  /** So long before the schedule lowers the budget, the lower one holds. */
  leadMs: 60_000,
  /** How often a site with sessions is looked at although nothing was heard of it. */
  lookMs: 15_000,
  /** How often a site with sessions compares itself with the store in full. */
  compareMs: 300_000,
  /** How often a site is looked for whose shard has died. */
  wakeMs: 600_000,
  /** A car that draws less than its limit for so long is taken to want no more. */
  settledMs: 120_000,
  /** So long after a limit a car may still draw more. */
  obeysWithinMs: 60_000,
  /** For so long more may be counted than the budget holds before somebody is told. */
  exceededMs: 120_000,
  /** What was so at one look is taken to have been so until the next, if that comes within this time. */
  heldMs: 60_000,
  /** How often the history of a charge point is written while a car charges there. */
  chargerHistoryMs: 300_000,
  /** What was noted of the history is read from the store only so long after. */
  historyInMemoryMs: 2 * runtime.notesWithinMs,
  /** Minutes of its power that the fleet is told of once more. */
  fleetToldMs: 180_000,
  /** A session that is looked for when its site is loaded. */
  openSessionsOfCharger: 64,
})
