// Results of commands: posted at once, and twice more within seconds. After that the partner has stopped waiting.

import type { OcpiOutcome } from '../../ocpi/call.js'
import type { Context, Effect } from '../../runtime/actor/actor.js'
import type { ResultToPost } from './item.js'
import { limits } from './limits.js'
import type { CommandResultMessage } from './messages.js'
import type { OcpiPartnerState } from './state.js'

const delayMs = 1_000

export function noteResult(
  state: OcpiPartnerState,
  { url, result, correlationId }: CommandResultMessage,
  context: Context,
): void {
  // Of too many, the oldest has waited for longest.
  if (state.results.length >= limits.ocpiResults) {
    const oldest = state.results.findIndex(({ underWay }) => !underWay)
    state.results.splice(oldest, 1)
  }
  state.results.push({ url, result, correlationId, attempts: 0, dueAt: context.monotonic(), underWay: false })
}

export function resultAttempted(
  state: OcpiPartnerState,
  item: ResultToPost,
  outcome: OcpiOutcome,
  context: Context,
): readonly Effect[] {
  item.underWay = false
  item.attempts++
  item.dueAt = context.monotonic() + delayMs * item.attempts
  const isOver = outcome.type === 'delivered' || item.attempts >= limits.ocpiResultAttempts
  if (isOver) state.results = state.results.filter((other) => other !== item)
  return []
}

/** Monotonic ms. */
export function resultDueAt({ results }: OcpiPartnerState): number {
  return Math.min(Number.POSITIVE_INFINITY, ...results.filter(({ underWay }) => !underWay).map(({ dueAt }) => dueAt))
}
