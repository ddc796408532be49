// Bounds of the actor: commissioning.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** A charge point that is not connected for longer has failed. */
  offlineMs: 60_000,
  /** After an interruption of the service, which its charge points do not come back from all at once. */
  returnsMs: 300_000,
  /** How long something that has begun by itself (a transaction, a meter value, a stop) is waited for. */
  transactionStartsMs: 120_000,
  meterValueMs: 180_000,
  transactionStopsMs: 60_000,
  /** How long a register that tells a reading may take to rise, and after how long a charge point is asked for the next reading. */
  energyRisesMs: 30_000,
  meterAgainMs: 8_000,
  /** How long a message that the charge point has accepted to send is waited for. */
  reportMs: 10_000,
  /** How often in a step these waits begin anew because the connection was lost meanwhile. */
  returns: 10,
  /** How long an application of a configuration may take. */
  configurationMs: 1_800_000,
  /** A charge point that accepts no TriggerMessage passes if it was heard so lately. */
  heardWithinMs: 900_000,
  /** How often a call that has not come to anything is made again, where that does no harm. */
  attempts: 3,
  /** Keys that a sentence names. */
  namedKeys: 5,
  /** Connectors that are tested. */
  testedConnectors: 32,
  /** Entries of the log of a session, and sessions of a charge point that are kept. */
  logEntries: 300,
  sessionsKept: 10,
  /** How long a test transaction that was asked for may still begin, and how often it is stopped. */
  lateStartMs: 900_000,
  stopTries: 40,
  /** After that, a charge point that has not come back is not waited for any more. */
  stopOwedMs: 7 * 24 * 3_600_000,
  /** Test transactions of a charge point within this time: each is energy that nobody may pay for. */
  testTransactions: 6,
  testTransactionsWithinMs: 3_600_000,
  /** Keys that are noted as refused by a model. */
  refusedKeys: 100,
  /** Keys of a configuration that are kept as evidence, and characters of each of their values. */
  evidencedKeys: 100,
  evidencedCharacters: 200,
})
