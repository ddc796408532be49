// What crosses between threads: one batch per turn of the event loop and direction, as flat as structured clone likes it.
// Socket items are runs of values in one array, because an array of strings and numbers clones several times faster than objects.

import type { Envelope, Reply } from '../actor/transport.js'
import type { ChangeBatch, CommitResult } from '../store/store.js'

/** Front to shard, in order per connection. Every item has a number by which the shard acknowledges it. */
export const inbound = {
  /** item, connection, text */
  frame: 0,
  /** item, connection, kind, id, epoch, details, epoch by which the shard owns the partition as far as the front knows */
  attach: 1,
  /** item, connection, code, reason */
  detach: 2,
  /** front, partitions: it has given what is of these to their owner, and sends nothing of them here any more. Not acknowledged. */
  rerouted: 3,
  /** front: to be answered behind everything that the shard has said so far. Not acknowledged. */
  echo: 4,
  /** item, connection: it has sent more than it may; its frames that are not handled yet are not to be, nor those that still come. */
  drop: 5,
} as const

/** How a shard has a socket closed whose frames do not fit into the mailbox of its actor. */
export const mailboxFull = { code: 1008, reason: 'too many messages wait' } as const

/** Shard to front. */
export const outbound = {
  /** connection, text */
  frame: 0,
  /** connection, code, reason */
  close: 1,
  /** item: handled, and what it promised is on disk */
  done: 2,
  /** Nothing else: an echo that was asked for. */
  echo: 3,
  /** connection */
  ping: 4,
} as const

export interface ThreadBatch {
  readonly socketItems?: unknown[]
  readonly envelopes?: Envelope[]
  readonly replies?: Reply[]
  /** How many batches of the receiver the sender has read since it last said so. */
  readonly read?: number
}

export interface CommitRequest {
  readonly ids: number[]
  readonly batches: ChangeBatch[]
}

export interface CommitResponse {
  readonly ids: number[]
  readonly results: CommitResult[]
  /** Topics of tables that are followed, to which something has been added, by whomever. */
  readonly appended?: readonly string[]
}
