// The seam between threads, and later between nodes: envelopes to actors, answers to asks, and nothing else.
// Implementations batch: everything sent in one turn of the event loop leaves together at flush().

import type { ErrorCode } from '../errors.js'
import type { Address, ReplyAddress } from './actor.js'

export interface Envelope {
  /** Unique on its link: one that comes twice is handled once. */
  readonly id: number
  readonly to: Address
  readonly message: unknown
  readonly partition: number
  /** The partition's epoch as the sender knew it. */
  readonly epoch: number
  readonly replyTo?: ReplyAddress
  /** Taken by a full mailbox, too: an answer to an actor. */
  readonly always?: true
  /** For so long whoever asked waits for an answer, ms. Another machine's clock would understand no point in time. */
  readonly remainingMs?: number
}

export type ReplyOutcome =
  | { readonly ok: true; readonly body: unknown }
  | {
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
      /** The question had been taken, and was lost with the memory of it: whether it was acted on is not known. */
      readonly interrupted?: true
    }

export interface Reply {
  readonly to: ReplyAddress
  readonly outcome: ReplyOutcome
}

export interface Transport {
  /** To the actor, wherever its partition lives. */
  send(to: Address, message: unknown, ask?: { readonly replyTo: ReplyAddress; readonly remainingMs: number }): void
  flush(): void
}
