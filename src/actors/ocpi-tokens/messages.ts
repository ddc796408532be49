// What the actor that pulls a partner's tokens is told.

import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import { type WakeUp, type WakeUpMessage, wakeUpAfter } from '../../runtime/actor/wake-ups.js'
import type { ServiceClock } from '../../runtime/steady-time.js'

export const ocpiTokensKind = 'ocpi-tokens'

export function ocpiTokensAddress(partnerId: string): Address {
  return { kind: ocpiTokensKind, id: partnerId }
}

/** A pull that is under way. It is in the messages, and not only in memory. */
export interface Pull {
  readonly id: string
  /** Wall ms: what it finds was so at this time, or later. */
  readonly begunAt: number
  /** It asks for all tokens, and not for those that have changed since the last time. */
  readonly isWhole: boolean
  /** Of the page that is asked for. */
  readonly url: string
  readonly pages: number
  /** Objects that were not taken, and why the first of them was not. */
  readonly refused: number
  readonly refusal?: string
}

export type OcpiTokensMessage =
  | WakeUpMessage
  /** From itself: a page has come, and the texts of its list before `from` are stored. */
  | { readonly type: 'page'; readonly pull: Pull; readonly from: number; readonly outcome: JobOutcome }

/** The next pull. */
export const pullReason = 'pull'

/** Whoever registers a partner, renews its credentials or deletes it writes this with it: its tokens are pulled, or removed, at once. */
export function partnerChangedWakeUp(partnerId: string, clock: Pick<ServiceClock, 'steady'>): WakeUp {
  return wakeUpAfter(ocpiTokensAddress(partnerId), `partner-changed/${clock.steady()}`, 0, clock)
}
