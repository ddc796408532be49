// What a webhook endpoint's actor is asked and told, and what it answers.

import type { WebhookDelivery } from '../../records/webhook-delivery.js'
import type { WebhookEndpoint, WebhookReplay } from '../../records/webhook-endpoint.js'
import type { Address, JobOutcome } from '../../runtime/actor/actor.js'
import type { WakeUpMessage } from '../../runtime/actor/wake-ups.js'
import type { AppendedMessage } from '../../runtime/link/shard.js'
import type { Item } from './item.js'

export const webhookEndpointKind = 'webhook-endpoint'

export function webhookEndpointAddress(endpointId: string): Address {
  return { kind: webhookEndpointKind, id: endpointId }
}

/** Answered with an EndpointReply; `conflict` where the organization has too many. Its first events are those that come after it. */
export interface CreateEndpointMessage {
  readonly type: 'create'
  readonly endpoint: Pick<
    WebhookEndpoint,
    'organization_id' | 'url' | 'events' | 'active' | 'payload_format' | 'description'
  >
  readonly secret: string
}

/** Answered with an EndpointReply. What is undefined stays; a description of null goes. */
export interface UpdateEndpointMessage {
  readonly type: 'update'
  readonly changes: {
    readonly [Name in 'url' | 'events' | 'active' | 'payload_format']?: WebhookEndpoint[Name] | undefined
  } & { readonly description?: string | null | undefined }
}

/** Answered with a RotationReply. */
export interface RotateSecretMessage {
  readonly type: 'rotate-secret'
  readonly secret: string
  /** How long the secrets that are valid now stay so. */
  readonly overlapMs: number
}

/** Answered with a DeliveryReply at once; the attempt follows. */
export interface ReplayDeliveryMessage {
  readonly type: 'replay-delivery'
  readonly deliveryId: string
}

/** Answered with a ReplayReply at once; the events follow, behind what is delivered anyway. */
export interface ReplayPeriodMessage {
  readonly type: 'replay-period'
  /** Wall ms, inclusive. */
  readonly from: number
  readonly to: number
  readonly onlyFailed: boolean
  readonly types?: readonly string[] | undefined
}

export type WebhookEndpointMessage =
  | CreateEndpointMessage
  | UpdateEndpointMessage
  | RotateSecretMessage
  | ReplayDeliveryMessage
  | ReplayPeriodMessage
  /** Answered with an EndpointReply once nothing of it is left but what its deliveries were. */
  | { readonly type: 'remove' }
  /** Answered with a DeliveryReply when the receiver has answered, or has not in time. */
  | { readonly type: 'test' }
  | AppendedMessage
  | WakeUpMessage
  /** From itself: the outcome of an attempt. */
  | { readonly type: 'attempted'; readonly item: Item; readonly outcome: JobOutcome }
  /** From itself: there is more to read, a retry is due, or a pause is over. */
  | { readonly type: 'go-on' }

export interface Gone {
  readonly type: 'gone'
}

export type EndpointReply = { readonly type: 'endpoint'; readonly endpoint: WebhookEndpoint } | Gone

/** `too-many-secrets`: as many as may be are valid still. */
export type RotationReply = EndpointReply | { readonly type: 'too-many-secrets' }

export type DeliveryReply =
  | { readonly type: 'delivery'; readonly delivery: WebhookDelivery }
  /** There is no such delivery, or no such endpoint any more. */
  | Gone
  /** The event is no longer in the feed. */
  | { readonly type: 'expired' }
  /** It was a test, whose event goes to its endpoint alone and is not kept. */
  | { readonly type: 'was-test' }
  | { readonly type: 'inactive' }
  /** This process has no room for it now. */
  | { readonly type: 'busy' }

export type ReplayReply =
  | { readonly type: 'replay'; readonly replay: WebhookReplay }
  | Gone
  | { readonly type: 'inactive' }
  /** One is running. */
  | { readonly type: 'running'; readonly replay: WebhookReplay }
