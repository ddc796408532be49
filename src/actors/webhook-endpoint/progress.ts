// How far an endpoint has got, as it is stored: behind everything that is settled, and never past what is not.

import type { Alert } from '../../records/alert.js'
import { type WebhookReplay, webhookProgressTable } from '../../records/webhook-endpoint.js'
import { type Effect, effect } from '../../runtime/actor/actor.js'
import { assert } from '../../runtime/assert.js'
import { limits } from './limits.js'
import type { Lane, WebhookState } from './state.js'

const none: readonly Effect[] = []

/** What is undefined goes. */
interface ProgressChanges {
  readonly failing_since?: number | undefined
  readonly alert?: Alert | undefined
  readonly replay?: WebhookReplay | undefined
}

/** The id of the newest event up to which all that was read is settled. */
function placeOf({ items, seen }: Lane): string {
  for (const item of items.values()) return item.after
  return seen
}

export function saveProgress(state: WebhookState, changes: ProgressChanges = {}): Effect {
  const { live, replay } = state.lanes
  live.unstored = 0
  replay.unstored = 0
  const { cursor: before, endpoint_id, failing_since, alert, replay: range } = { ...state.progress, ...changes }
  assert(placeOf(live) >= before, 'the place of an endpoint moves on', placeOf(live), before)
  state.progress = {
    endpoint_id,
    cursor: placeOf(live),
    ...(failing_since !== undefined && { failing_since }),
    ...(alert !== undefined && { alert }),
    ...(range !== undefined && { replay: { ...range, cursor: placeOf(replay) } }),
  }
  return effect.put(webhookProgressTable, state.progress)
}

/**
 * Stored with the last result in hand, and now and then before that: what was read since is read again after a crash, and its
 * deliveries tell what has been settled of it. Events that are skipped cost a write once in many.
 */
export function saveProgressIfDue(state: WebhookState, settled: boolean): readonly Effect[] {
  const { live, replay } = state.lanes
  const due =
    live.unstored >= limits.webhookUnstoredEvents ||
    replay.unstored >= limits.webhookUnstoredReplays ||
    (settled && live.unstored > 0 && live.items.size === 0) ||
    (settled && replay.unstored > 0 && replay.items.size === 0)
  return due ? [saveProgress(state)] : none
}

export function countReplayed(state: WebhookState): void {
  const { replay, ...rest } = state.progress
  if (replay !== undefined) state.progress = { ...rest, replay: { ...replay, sent: replay.sent + 1 } }
}
