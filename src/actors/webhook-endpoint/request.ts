// What a receiver is sent: the body in the endpoint's form, and the signatures over exactly its bytes. Pure.

import { createHmac } from 'node:crypto'
import { formA, formB } from '../../events/envelope.js'
import type { PayloadFormat, WebhookEndpoint } from '../../records/webhook-endpoint.js'
import type { OutboxRow } from '../../runtime/actor/outbox.js'
import type { OutboundRequest } from '../../runtime/outbound-jobs.js'
import { timeoutMs } from './schedule.js'
import { standardKey, validSecrets } from './secrets.js'

export function bodyOf(event: OutboxRow, format: PayloadFormat): string {
  return JSON.stringify(format === 'a' ? formA(event) : formB(event))
}

function hmac(key: string | Buffer, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding)
}

/**
 * Standard Webhooks carries a signature of every valid secret. The headers of the two forms hold one: that of the oldest
 * valid secret, which every receiver has until a rotation is over.
 */
export function signatureHeaders(
  { secrets }: Pick<WebhookEndpoint, 'secrets'>,
  { id, body, now }: { readonly id: string; readonly body: string; readonly now: number },
): Record<string, string> {
  const valid = validSecrets(secrets, now)
  const timestamp = Math.floor(now / 1_000)
  const bodySignature = `sha256=${hmac(valid.at(-1) as string, body, 'hex')}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': valid
      .map((secret) => `v1,${hmac(standardKey(secret), `${id}.${timestamp}.${body}`, 'base64')}`)
      .join(' '),
    'x-webhook-signature': bodySignature,
    'x-service-signature': bodySignature,
  }
}

/** One attempt. `now` is wall time: receivers compare it with theirs. */
export function requestOf(endpoint: WebhookEndpoint, event: OutboxRow, body: string, now: number): OutboundRequest {
  return {
    organization_id: endpoint.organization_id,
    method: 'POST',
    url: endpoint.url,
    headers: { 'content-type': 'application/json', ...signatureHeaders(endpoint, { id: event.id, body, now }) },
    body,
    timeoutMs: timeoutMs(endpoint.payload_format),
  }
}
