// The first answer to a POST that carried an Idempotency-Key, given again to its repeats for 24 hours.

import { defineTable } from '../runtime/store/table.js'

export interface IdempotentAnswer {
  /** Who sent it: keys of two callers never meet. */
  readonly principal: string
  readonly idempotency_key: string
  /** Counts the answers under this key; absent on those of earlier versions. */
  readonly version?: number
  /** SHA-256 of method, path and body: the same key with another request is a mistake of the caller. */
  readonly request_sha256: string
  readonly status: number
  readonly body: string
  /** While `work` is there, when the request came. */
  readonly answered_at: number
  /**
   * The request is at work, or was cut short: there is no answer yet. `run` and `owner` are the life of the node and the front that
   * took it. Absent on answers.
   */
  readonly work?: { readonly id: string; readonly run: number; readonly owner: string }
}

export const idempotentAnswersTable = defineTable<IdempotentAnswer>({
  name: 'idempotent_answers',
  key: (row) => [row.principal, row.idempotency_key],
  indexes: { byTime: (row) => [{ group: [], order: [row.answered_at] }] },
  uncounted: ['byTime'],
  retention: { timeOf: (row) => row.answered_at, index: 'byTime', milliseconds: 24 * 3_600_000 },
})
