// What the actor that pulls a partner's tokens is told.

import type { OcpiTokenPull } from '../../records/ocpi-token-pull.js'
import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUp, WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import { limits } from './limits.js'

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

/** The next pull is further away than it is ever put: the clock was set back, and the wake-up of the pull would come when it has caught up. */
export function lateTokensWakeUp({ partner_id, next_at }: OcpiTokenPull, now: number): WakeUp | undefined {
  const isLate = next_at - now > 2 * limits.tokenPullEveryMs
  return isLate ? { ...ocpiTokensAddress(partner_id), reason: 'partner-changed/clock', at: now } : undefined
}

/** Whoever registers a partner, renews its credentials or deletes it writes this with it: its tokens are pulled, or removed, at once. */
export function partnerChangedWakeUp(partnerId: string, now: number): WakeUp {
  return { ...ocpiTokensAddress(partnerId), reason: `partner-changed/${now}`, at: now }
}
