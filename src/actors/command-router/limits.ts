// Bounds of the actor: command router.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  /** Operator commands a second for one charge point. */
  commandsPerSecond: 10,
  /** Commands of one organization that are under way. */
  commandsUnderWay: 4_000,
  /** Over how long the deadlines of as many are spread that were begun at once, so that those that time out do not do so in one moment. */
  deadlinesSpreadMs: 2_000,
  /** Charge points whose commands of the last second one command router remembers. */
  ratedChargePoints: 10_000,
  /** Bytes of the disk that the records of one organization's commands may take in an hour, and at once after it has sent few. */
  recordedBytesPerHour: 134_217_728,
  recordedBytesAtOnce: 268_435_456,
  /** Bytes of one record with its places in lists, without parameters and answer; characters of each that it keeps when half of the room is used up. */
  recordBytes: 1_200,
  briefCharacters: 256,
  /** What may have been taken when the router leaves memory. */
  unwatchedBytes: 1_048_576,
  /** Characters of a charge point's answer, as JSON, that the record of a command keeps; whoever waits for it is given all of it. */
  recordedResponseCharacters: 16_384,
  /** Characters of the parameters of a command that are shown while it waits for its answer. */
  waitingParametersCharacters: 512,
  /** Commands that a command router remembers to have begun. */
  recentCommands: 10_000,
  /** Timed-out commands that a command router remembers until their late answers. */
  timedOutCommands: 1_000,
})
