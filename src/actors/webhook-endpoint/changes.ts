// What its owner does to an endpoint: makes it, changes it, pauses it, gives it another secret, removes it.

import { type WebhookEndpoint, webhookEndpointsTable, webhookProgressTable } from '../../records/webhook-endpoint.js'
import { type Context, type Effect, effect } from '../../runtime/actor/actor.js'
import { newestEventId } from '../../runtime/actor/outbox.js'
import { tooManyWebhookEndpoints } from './errors.js'
import { noteHealth } from './health.js'
import { laneNames } from './item.js'
import { limits } from './limits.js'
import type {
  CreateEndpointMessage,
  DeliveryReply,
  EndpointReply,
  RotateSecretMessage,
  RotationReply,
  UpdateEndpointMessage,
} from './messages.js'
import { saveProgress } from './progress.js'
import { disarmRetries } from './retry-timer.js'
import { rotated } from './secrets.js'
import { emptyLane, testers, type WebhookState } from './state.js'

export const gone = { type: 'gone' } as const

export function answer(context: Context, body: unknown): readonly Effect[] {
  return context.replyTo === undefined ? [] : [effect.reply(context.replyTo, body)]
}

function saved(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  state.endpoint = endpoint
  const reply: EndpointReply = { type: 'endpoint', endpoint }
  return [effect.put(webhookEndpointsTable, endpoint), ...answer(context, reply)]
}

export function create(state: WebhookState, message: CreateEndpointMessage, context: Context): readonly Effect[] {
  const now = new Date(context.now()).toISOString()
  const endpoint: WebhookEndpoint = {
    ...message.endpoint,
    endpoint_id: context.id,
    secrets: [{ secret: message.secret }],
    created_at: now,
    updated_at: now,
  }
  state.lanes.live.seen = newestEventId(context.read()) ?? ''
  return [requireRoom(endpoint), ...saved(state, endpoint, context), saveProgress(state)]
}

export const noMoreEndpoints = `an organization has at most ${limits.webhookEndpoints} webhook endpoints`

/** Only the commit knows of the others that are made at the same time. */
function requireRoom({ organization_id }: WebhookEndpoint): Effect {
  const group = [organization_id]
  const { name } = webhookEndpointsTable
  const total = limits.webhookEndpoints
  return effect.require(
    { table: name, index: 'byOrganization', group, is: 'below', total },
    { code: tooManyWebhookEndpoints.code, message: noMoreEndpoints },
  )
}

/**
 * Deliveries that wait for a retry go where, and in the form that, the endpoint has by then; they keep their count of attempts
 * and the time of their next one. After a change of url it counts as a receiver that has not failed yet.
 */
export function update(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { changes }: UpdateEndpointMessage,
  context: Context,
): readonly Effect[] {
  const { description, disabled_reason, disabled_at, ...kept } = endpoint
  const { url = kept.url, events = kept.events, active = kept.active, payload_format = kept.payload_format } = changes
  const described = changes.description === undefined ? description : changes.description
  const disabled = active ? undefined : disabled_reason
  const next: WebhookEndpoint = {
    ...kept,
    url,
    events,
    active,
    payload_format,
    ...(typeof described === 'string' && { description: described }),
    ...(disabled !== undefined && { disabled_reason: disabled }),
    ...(disabled !== undefined && disabled_at !== undefined && { disabled_at }),
    updated_at: new Date(context.now()).toISOString(),
  }
  const moved = url !== endpoint.url
  const turned = active !== endpoint.active
  // Nothing is known of the receiver.
  if (moved || turned) Object.assign(state, { allowed: limits.webhookFirstAttempts, failuresInARow: 0 })
  if (turned && active) state.lanes.live.more = true
  const how = turned ? (active ? 'turned on again' : 'paused') : 'changed'
  return [
    ...saved(state, next, context),
    ...(moved || turned ? noteHealth(state, endpoint, undefined, context, `the webhook endpoint has been ${how}`) : []),
    // Events that it was not subscribed to are behind it, also after a crash.
    saveProgress(state),
    ...(active ? [] : disarmRetries(state, context)),
  ]
}

export function rotateSecret(
  state: WebhookState,
  endpoint: WebhookEndpoint,
  { secret, overlapMs }: RotateSecretMessage,
  context: Context,
): readonly Effect[] {
  const now = context.now()
  const at = new Date(now).toISOString()
  const secrets = rotated(endpoint.secrets, secret, now, now + overlapMs)
  // One of them would have to end before the time that was told, and receivers know the oldest best.
  if (secrets.length > limits.webhookSecrets)
    return answer(context, { type: 'too-many-secrets' } satisfies RotationReply)
  return saved(state, { ...endpoint, secrets, secret_rotated_at: at, updated_at: at }, context)
}

/** What is under way is heard of no more. Its deliveries go with their retention: nobody can ask for them. */
export function remove(state: WebhookState, endpoint: WebhookEndpoint, context: Context): readonly Effect[] {
  const health = noteHealth(state, endpoint, undefined, context, 'the webhook endpoint has been removed')
  const waiting = testers(state)
  state.endpoint = undefined
  state.tests.clear()
  state.busySubjects.clear()
  state.underWay = 0
  state.nextRetryAt = undefined
  for (const name of laneNames) emptyLane(state.lanes[name], '')
  const key = [context.id]
  return [
    ...health,
    effect.remove(webhookEndpointsTable, key),
    effect.remove(webhookProgressTable, key),
    ...disarmRetries(state, context),
    effect.cancel('pause'),
    ...waiting.map((tester) => effect.reply(tester, gone satisfies DeliveryReply)),
    ...answer(context, { type: 'endpoint', endpoint } satisfies EndpointReply),
  ]
}
