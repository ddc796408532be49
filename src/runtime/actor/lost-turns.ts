// What follows from a commit that failed: which messages are handled again, and who is told what. actor-host.ts does it.

import { conflict, type ErrorCode, storageUnavailable } from '../errors.js'
import { limits } from '../limits.js'
import type { CommitFailure } from '../store/store.js'
import type { Refusal, ReplyAddress } from './actor.js'
import type { Delivery } from './actor-host-ports.js'
import type { Part } from './turn.js'

export interface LostTurns {
  readonly handled: readonly Delivery[]
  /** Who asked by one of these messages, and hears of it in the end, or at its next attempt. */
  readonly told: ReadonlySet<ReplyAddress | undefined>
  /** The others whom these turns would have answered. */
  readonly unanswered: readonly ReplyAddress[]
  /** Messages whose requirement somebody else's commit has overtaken: another turn of them finds what the store has by then. */
  readonly again: Delivery[] | undefined
  /** What they are refused with otherwise. */
  readonly refusal: { readonly code: ErrorCode; readonly message?: string }
}

/** Of the part of a turn whose commit failed, and those that were to follow. */
export function lostBy(failure: CommitFailure, parts: readonly [Part, ...Part[]]): LostTurns {
  const handled = parts.flatMap((part) => part.handled)
  const told = new Set(handled.map(({ replyTo }) => replyTo))
  const replies = parts.flatMap(({ turn }) => turn.released).filter((effect) => effect.type === 'reply')
  const unanswered = replies.map(({ to }) => to).filter((asker) => !told.has(asker))
  if (failure.reason !== 'condition_failed')
    return { handled, told, unanswered, again: undefined, refusal: { code: storageUnavailable.code } }
  const next = handled.map((delivery) => ({ ...delivery, attempt: (delivery.attempt ?? 1) + 1 }))
  const again = next.some(({ attempt }) => attempt > limits.messageAttempts) ? undefined : next
  const refusal: Refusal | undefined = parts[0].turn.refusals[failure.condition]
  return { handled, told, unanswered, again, refusal: refusal ?? { code: conflict.code } }
}
