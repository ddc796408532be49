// Bounds of the actor: commissioning.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** A charge point that is not connected for longer has failed. */
  offlineMs: 60_000,
  /** How long something that has begun by itself (a transaction, a meter value, a stop) is waited for. */
  transactionStartsMs: 120_000,
  meterValueMs: 180_000,
  transactionStopsMs: 60_000,
  /** How long an application of a configuration may take. */
  configurationMs: 1_800_000,
  /** A charge point that accepts no TriggerMessage passes if it was heard so lately. */
  heardWithinMs: 900_000,
  /** How often a call that has not come to anything is made again, where that does no harm. */
  attempts: 3,
  /** Connectors that are tested. */
  testedConnectors: 32,
  /** Entries of the log of a session, and sessions of a charge point that are kept. */
  logEntries: 300,
  sessionsKept: 10,
  /** How long a test transaction that was asked for may still begin, and how often it is stopped. */
  lateStartMs: 900_000,
  stopTries: 40,
  /** Keys that are noted as refused by a model. */
  refusedKeys: 100,
})
