// What a store's writer needs of an engine: transactions that are whole or not at all, and word of when the disk has them.

import type { ByteReader, ByteTransaction } from './byte-store.js'

export interface Engine {
  /** Runs `work` and commits, or throws and changes nothing. */
  transaction<Result>(work: (transaction: ByteTransaction) => Result): Result
  /** What is committed. */
  readonly reader: ByteReader
  /** Resolves when everything committed is on disk. */
  flushed(): Promise<void>
  /** Whether an error came from the engine (a full disk), and not from what an entry carries. */
  isEngineError(error: unknown): boolean
  /** Whether a transaction was refused for its size alone: a smaller one may fit. */
  isNoRoom(error: unknown): boolean
}
