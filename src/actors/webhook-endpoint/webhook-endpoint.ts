// A webhook endpoint: follows the events of its organization and posts those that it is subscribed to, each until the receiver
// has taken it or its schedule is over. What is not settled on disk is attempted again, under the same id: at least once.

import type { ActorDefinition, Context, Effect } from '../../runtime/actor/actor.js'
import { effect } from '../../runtime/actor/actor.js'
import { attempted, beginAttempts } from './attempts.js'
import { answer, create, gone, remove, rotateSecret, update } from './changes.js'
import { type WebhookEndpointMessage, webhookEndpointKind } from './messages.js'
import { saveProgressIfDue } from './progress.js'
import { mayReadLive, mayReadReplay, readLive, readReplay, readRetries } from './reading.js'
import { replayDelivery, replayPeriod, test } from './replays.js'
import { armRetries, disarmRetries } from './retry-timer.js'
import { isAtRest, loadState, testers, type WebhookState } from './state.js'

const none: readonly Effect[] = []

export const webhookEndpoint: ActorDefinition<WebhookState, WebhookEndpointMessage> = {
  kind: webhookEndpointKind,
  load: loadState,
  idle: isAtRest,
  askers: testers,
  handle: (state, message, context) => [...take(state, message, context), ...goOn(state, context)],
}

function take(state: WebhookState, message: WebhookEndpointMessage, context: Context): readonly Effect[] {
  const { endpoint } = state
  if (endpoint === undefined) {
    if (message.type === 'create') return create(state, message, context)
    return answer(context, gone)
  }
  switch (message.type) {
    case 'create':
      return answer(context, { type: 'endpoint', endpoint })
    case 'update':
      return update(state, endpoint, message, context)
    case 'rotate-secret':
      return rotateSecret(state, endpoint, message, context)
    case 'remove':
      return remove(state, endpoint, context)
    case 'replay-delivery':
      return replayDelivery(state, endpoint, message, context)
    case 'replay-period':
      return replayPeriod(state, endpoint, message, context)
    case 'test':
      return test(state, endpoint, context)
    case 'attempted':
      return attempted(state, message.item, message.outcome, context)
    case 'appended':
      state.lanes.live.more = true
      return none
    case 'go-on':
      return none
    case 'wake-up':
      return endpoint.active ? none : disarmRetries(state, context)
    default:
      message satisfies never
      return none
  }
}

/** After every message: reads what there is room for, and sends what there is room for. */
function goOn(state: WebhookState, context: Context): readonly Effect[] {
  const { endpoint } = state
  if (endpoint?.active !== true) return none
  readLive(state, endpoint, context)
  return [
    ...readRetries(state, endpoint, context),
    ...readReplay(state, endpoint, context),
    ...beginAttempts(state, endpoint, context),
    ...saveProgressIfDue(state, false),
    ...armRetries(state, context),
    ...readsOn(state, context),
  ]
}

/**
 * With nothing under way, no result brings it back to what there is still to read. A timer does, not a message to itself: what
 * a timer tells is told again when the disk has refused its turn.
 */
function readsOn(state: WebhookState, context: Context): readonly Effect[] {
  if (state.underWay > 0 || !(mayReadLive(state) || mayReadReplay(state))) return none
  return [effect.schedule('read-on', context.monotonic(), { type: 'go-on' } satisfies WebhookEndpointMessage)]
}
