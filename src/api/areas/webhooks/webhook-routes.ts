// Webhook endpoints: made, listed, changed, removed. Every change goes to the endpoint's actor; a secret that the service has
// made is shown in the answer that made it, and nowhere else.

import { type Static, Type } from 'typebox'
import { noMoreEndpoints } from '../../../actors/webhook-endpoint/changes.js'
import { tooManyWebhookEndpoints } from '../../../actors/webhook-endpoint/errors.js'
import { limits as webhookEndpointLimits } from '../../../actors/webhook-endpoint/limits.js'
import type { RotationReply } from '../../../actors/webhook-endpoint/messages.js'
import { secretBytes, secretOf } from '../../../actors/webhook-endpoint/secrets.js'
import { eventSelector } from '../../../events/selection.js'
import { limits as outboundLimits } from '../../../jobs/outbound/limits.js'
import { payloadFormats, webhookEndpointsTable } from '../../../records/webhook-endpoint.js'
import { conflict, notFound, overloaded } from '../../../runtime/errors.js'
import { patternOf } from '../../../runtime/fault-words.js'
import { defineList } from '../../pipeline/list-route.js'
import { readPage } from '../../pipeline/paging.js'
import { defineRoute } from '../../pipeline/route.js'
import { nullable, secret, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { operator } from '../../surfaces/operator.js'
import { unsafeUrl } from './errors.js'
import { limits } from './limits.js'
import { askEndpoint, changeEndpoint, endpointParams, endpointSchema, endpointView, ownEndpoint } from './webhooks.js'

const tags = ['Webhooks']

const secretText = (description: string) =>
  Type.String({
    minLength: 8,
    maxLength: limits.webhookSecretCharacters,
    ...patternOf('^[!-~]+$', 'printable ASCII characters without spaces'),
    description,
    ...secret,
  })

const fields = {
  url: Type.String({ minLength: 1, maxLength: outboundLimits.outboundUrlCharacters, description: 'https' }),
  events: Type.Array(eventSelector(), {
    minItems: 1,
    maxItems: limits.webhookEvents,
    description: 'names of events; all of an area, as in session.*; or * for all',
  }),
  active: Type.Boolean({ description: 'false pauses: what happens meanwhile is sent when it is true again' }),
  payload_format: Type.Enum([...payloadFormats], {
    description:
      'a: event, timestamp, data; 10 seconds to answer; retries after about 1 min, 10 min, 1 h, 6 h and 17 h. b: id, event, created_at, api_version, object; 30 seconds; retries after 5 s, 30 s, 5 min, 30 min and 2 h',
  }),
}

const shownOnce = nullable(Type.String({ description: 'shown once, and only where the service has made it' }))

const once = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** Throws `unsafe_url` for one that the service does not call; looks at where its host leads now. */
async function requireSafeUrl(services: Services, url: string): Promise<void> {
  if (!URL.canParse(url)) throw invalid([{ path: '/url', message: 'is not a URL' }])
  const checked = await services.runJob('check-url', { url })
  if (!checked.ok) throw overloaded('the URL could not be checked; try again')
  if (typeof checked.value === 'string') throw unsafeUrl(checked.value)
}

const createEndpoint = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/endpoints',
  operationId: 'createWebhookEndpoint',
  summary: 'Register a webhook endpoint',
  description:
    'It is sent the events that come after this. Every delivery is signed: `X-Webhook-Signature` and `X-Service-Signature` hold `sha256=` and the hex HMAC-SHA256 of the body under the secret; `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks. Without a `secret` one is made, and shown in this answer alone.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  body: Type.Object({
    url: fields.url,
    events: fields.events,
    active: Type.Optional(fields.active),
    payload_format: Type.Optional(fields.payload_format),
    description: Type.Optional(Type.String({ maxLength: limits.webhookDescriptionCharacters })),
    secret: Type.Optional(
      secretText(
        'write-only. whsec_ and base64 is, for Standard Webhooks, the bytes that it stands for; any other text its own bytes',
      ),
    ),
  }),
  responses: { 201: Type.Object({ ...endpointSchema.properties, secret: shownOnce }) },
  errors: [unsafeUrl, tooManyWebhookEndpoints, overloaded],
  sheddable: 'never',
  secret: true,
  examples: {
    everything: { url: 'https://example.com/hooks/charging', events: ['*'] },
    sessions: { url: 'https://example.com/hooks', events: ['session.started', 'session.ended'], payload_format: 'b' },
  },
  async handle({ principal, body }, services) {
    const { organization_id } = principal.organization
    const events = once(body.events)
    if (
      services.view().total(webhookEndpointsTable, 'byOrganization', [organization_id]) >=
      webhookEndpointLimits.webhookEndpoints
    )
      throw tooManyWebhookEndpoints(noMoreEndpoints)
    await requireSafeUrl(services, body.url)
    const { url, active = true, payload_format = 'a', description } = body
    const made = body.secret === undefined ? secretOf(services.randomBytes(secretBytes)) : undefined
    const endpoint = await changeEndpoint(services, services.newId('whe'), {
      type: 'create',
      endpoint: {
        organization_id,
        url,
        events,
        active,
        payload_format,
        ...(description !== undefined && { description }),
      },
      secret: body.secret ?? (made as string),
    })
    const shown = endpointView(services.view(), endpoint)
    return { status: 201, body: { ...shown, secret: made ?? null } }
  },
})

const listEndpoints = defineList({
  surface: operator,
  path: '/api/v1/webhooks/endpoints',
  operationId: 'listWebhookEndpoints',
  summary: 'List webhook endpoints',
  tags,
  scopes: ['read:webhooks'],
  row: endpointSchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const list = { index: 'byOrganization', group: [principal.organization.organization_id] }
    const { rows, total } = readPage({ view, table: webhookEndpointsTable, list, query })
    const data = rows.map((row) => endpointView(view, row))
    return { rows: data, total }
  },
})

const getEndpoint = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}',
  operationId: 'getWebhookEndpoint',
  summary: 'Read a webhook endpoint',
  tags,
  surface: operator,
  scopes: ['read:webhooks'],
  params: endpointParams,
  responses: { 200: endpointSchema },
  errors: [notFound],
  sheddable: 'never',
  handle({ principal, params }, services) {
    const view = services.view()
    return { status: 200, body: endpointView(view, ownEndpoint(view, principal, params.endpoint_id)) }
  },
})

const updateBody = Type.Object({
  url: Type.Optional(fields.url),
  events: Type.Optional(fields.events),
  active: Type.Optional(fields.active),
  payload_format: Type.Optional(fields.payload_format),
  description: Type.Optional(nullable(Type.String({ maxLength: limits.webhookDescriptionCharacters }))),
})

/** What is named by the body, and nothing else of it. */
function changesOf({ url, events, active, payload_format, description }: Static<typeof updateBody>) {
  return { url, events: events && once(events), active, payload_format, description }
}

const updateEndpoint = defineRoute({
  method: 'PATCH',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}',
  operationId: 'updateWebhookEndpoint',
  summary: 'Change, pause or resume a webhook endpoint',
  description:
    'Deliveries that wait for a retry go to the new `url` in the new `payload_format`, at the time that was set for them. `active` true also turns on an endpoint that the service has disabled.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: endpointParams,
  body: updateBody,
  responses: { 200: endpointSchema },
  errors: [notFound, unsafeUrl, overloaded],
  sheddable: 'never',
  examples: { pause: { active: false }, resume: { active: true } },
  async handle({ principal, params, body }, services) {
    const { endpoint_id, url } = ownEndpoint(services.view(), principal, params.endpoint_id)
    const changes = changesOf(body)
    if (changes.url !== undefined && changes.url !== url) await requireSafeUrl(services, changes.url)
    const endpoint = await changeEndpoint(services, endpoint_id, { type: 'update', changes })
    return { status: 200, body: endpointView(services.view(), endpoint) }
  },
})

const deleteEndpoint = defineRoute({
  method: 'DELETE',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Remove a webhook endpoint',
  description: 'A delivery that is under way at this moment may still arrive.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: endpointParams,
  responses: { 204: null },
  errors: [notFound, overloaded],
  sheddable: 'never',
  async handle({ principal, params }, services) {
    const { endpoint_id } = ownEndpoint(services.view(), principal, params.endpoint_id)
    await changeEndpoint(services, endpoint_id, { type: 'remove' })
    return { status: 204 }
  },
})

const overlapSeconds = { minimum: 0, maximum: 7 * 24 * 3_600, default: 24 * 3_600 }

const rotateSecret = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/endpoints/{endpoint_id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook endpoint another secret',
  description:
    'For `overlap_seconds` the secrets that were valid stay so: `webhook-signature` has a signature of each. `X-Webhook-Signature` and `X-Service-Signature` hold one signature, which is that of the oldest valid secret until the overlap ends; with 0 they are of the new one at once. While three are valid, only a rotation with 0 is taken. The present secret, given again with 0, ends an overlap.',
  tags,
  surface: operator,
  scopes: ['write:webhooks'],
  params: endpointParams,
  body: Type.Object({
    secret: Type.Optional(secretText('as at creation; made where it is left out')),
    overlap_seconds: Type.Integer(overlapSeconds),
  }),
  bodyOptional: true,
  responses: {
    200: Type.Object({
      ...endpointSchema.properties,
      secret: shownOnce,
      previous_secrets_valid_until: nullable(timestamp()),
    }),
  },
  errors: [notFound, conflict, overloaded],
  sheddable: 'never',
  secret: true,
  examples: { usual: {}, leaked: { overlap_seconds: 0 } },
  async handle({ principal, params, body }, services) {
    const { endpoint_id } = ownEndpoint(services.view(), principal, params.endpoint_id)
    const made = body.secret === undefined ? secretOf(services.randomBytes(secretBytes)) : undefined
    const reply = await askEndpoint<RotationReply>(services, endpoint_id, {
      type: 'rotate-secret',
      secret: body.secret ?? (made as string),
      overlapMs: body.overlap_seconds * 1_000,
    })
    if (reply.type === 'too-many-secrets')
      throw conflict(
        `${webhookEndpointLimits.webhookSecrets} secrets are valid already; wait until one has ended, or end them with overlap_seconds 0`,
      )
    const { endpoint } = reply
    const until = endpoint.secrets[1]?.valid_until
    return {
      status: 200,
      body: {
        ...endpointView(services.view(), endpoint),
        secret: made ?? null,
        previous_secrets_valid_until: until === undefined ? null : new Date(until).toISOString(),
      },
    }
  },
})

export const webhookRoutes = [createEndpoint, listEndpoints, getEndpoint, updateEndpoint, deleteEndpoint, rotateSecret]
