// Bounds of every request.

import { defineLimits } from '../../runtime/define-limits.js'

export const limits = defineLimits({
  requestBodyBytes: 1_048_576,
  /** Fields, objects and lists of a body beyond those that its schema has room for; and where the schema takes an object or a list without a bound, so many more. */
  unknownParts: 6_000,
  freeParts: 12_000,
  /** Of a body that is compared with others by what it says, and not byte by byte. */
  comparedParts: 12_000,
  /** Faults listed in one 400 answer. */
  errorDetails: 50,
  /** Unknown fields and parameters of one request that its answer names. */
  unknownFields: 50,
  /** Characters of the path of one of them, before it is encoded; a longer one is cut. */
  unknownFieldCharacters: 200,
  /** Characters of the header that names them. */
  unknownFieldsHeaderCharacters: 2_000,
  /** A body up to this size is checked for all its faults, a longer one for the first. */
  thoroughlyCheckedCharacters: 16_384,
  /** Characters of a request's body, as JSON, that the audit log keeps; of a longer one, the largest fields are left out. */
  auditedBodyCharacters: 8_192,
  /** Characters of a command's parameters, as JSON, that its record keeps; of longer ones, the largest are left out. */
  recordedParametersCharacters: 8_192,
  /** Ids of one answer that the audit log keeps. */
  auditedIds: 20,
  /** Keys whose use is counted in memory, for their quota and for when they were last used. */
  countedKeys: 100_000,
  /** Keys of one throttle, such as addresses, whose attempts are counted in memory. */
  throttledKeys: 20_000,
  /** The quota of how many callers all of one group have together. */
  callersOfQuota: 10,
  /** Characters of an Idempotency-Key. */
  idempotencyKeyCharacters: 255,
  /** How long a repeat waits for the first request under its key, where that came over another front. */
  idempotentWaitMs: 75_000,
  /** Requests under a key that a front could not end in the store, and tells other fronts of when it takes writes again. */
  unsettledClaims: 1_000,
  /** How often a request that lost a race is tried again on what is stored then: about so many may change one thing at once. */
  commitAttempts: 32,
  /** Rows of one list that a request holds until its commit. */
  heldRows: 1_000,
  /**
   * Most long reads under way on a front in all organizations and in one, and most that wait to begin, of one credential too. All that are under way take part in
   * the turns, so that the first bound is of the memory that they take.
   */
  longReads: 1_000,
  longReadsPerOrganization: 2,
  waitingReads: 2_000,
  waitingReadsPerOrganization: 100,
  waitingReadsPerCredential: 50,
  readRetryAfterSeconds: 5,
  /** How long a long read goes on before whatever else the front has to do has its turn. */
  readSliceMs: 3,
  /** Rows that a walk reads before it counts as a long read. */
  rowsOfShortRead: 50,
  /** Entries of a list that are passed over or counted in one go. */
  entriesPerStep: 5_000,
})
