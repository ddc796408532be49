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
import { conflict, overloaded } from '../../../runtime/errors.js'
import { lines, patternOf } from '../../../runtime/fault-words.js'
import type { CheckUrlInput } from '../../../runtime/outbound-jobs.js'
import { parseUrl } from '../../../runtime/parse-url.js'
import { readRoutes } from '../../pipeline/record-routes.js'
import { nullable, secret, timestamp } from '../../pipeline/schemas.js'
import type { Services } from '../../pipeline/services.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { area, endpoints } from './area.js'
import { unsafeUrl } from './errors.js'
import { limits } from './limits.js'
import { askEndpoint, changeEndpoint, endpointSchema, endpointView } from './webhooks.js'

const routes = readRoutes(area, endpoints, { schema: endpointSchema, show: endpointView })

const secretText = (description: string) =>
  Type.String({
    minLength: 8,
    maxLength: limits.webhookSecretCharacters,
    ...patternOf('^[!-~]+$', 'printable ASCII characters without spaces'),
    description,
    ...secret,
  })

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: outboundLimits.outboundUrlCharacters,
    description: 'An address that begins with https.',
  }),
  events: Type.Array(eventSelector(), {
    minItems: 1,
    maxItems: limits.webhookEvents,
    description: 'Names of events, all events of an area (as `session.*`), or all events (`*`).',
  }),
  active: Type.Boolean({
    description: 'false pauses the endpoint. Events that happen meanwhile are sent when it is true again.',
  }),
  payload_format: Type.Enum([...payloadFormats], {
    description:
      'a: the fields are `event`, `timestamp` and `data`; the receiver has 10 seconds to answer; retries follow after about 1 min, 10 min, 1 h, 6 h and 17 h. b: the fields are `id`, `event`, `created_at`, `api_version` and `object`; the receiver has 30 seconds; retries follow after 5 s, 30 s, 5 min, 30 min and 2 h.',
  }),
}

const shownOnce = nullable(
  Type.String({ description: 'Shown in this answer alone, and only if the service has made the secret.' }),
)

const once = (names: readonly string[]): readonly string[] => [...new Set(names)]

/** Throws `unsafe_url` for one that the service does not call; looks at where its host leads now. */
async function requireSafeUrl(services: Services, organization_id: string, url: string): Promise<void> {
  if (parseUrl(url) === undefined) throw invalid([{ path: '/url', message: 'is not a URL' }])
  const checked = await services.runJob('check-url', { organization_id, url } satisfies CheckUrlInput)
  if (!checked.ok) throw overloaded('the URL could not be checked; try again')
  if (typeof checked.value === 'string') throw unsafeUrl(checked.value)
}

const createEndpoint = area.route({
  method: 'POST',
  path: '',
  operationId: 'createWebhookEndpoint',
  requires: [recentSignIn],
  summary: 'Create a webhook endpoint',
  description:
    'The endpoint receives the events that happen from now on. Every delivery is signed: `X-Webhook-Signature` and `X-Service-Signature` hold `sha256=` and the hexadecimal HMAC-SHA256 of the body under the secret; `webhook-id`, `webhook-timestamp` and `webhook-signature` are those of Standard Webhooks. If you send no `secret`, the service makes one and shows it in this answer alone.',
  body: Type.Object({
    url: fields.url,
    events: fields.events,
    active: Type.Optional(fields.active),
    payload_format: Type.Optional(fields.payload_format),
    description: Type.Optional(Type.String({ maxLength: limits.webhookDescriptionCharacters, ...lines })),
    secret: Type.Optional(
      secretText(
        'Write-only. For Standard Webhooks, a secret of `whsec_` and base64 stands for the bytes that it encodes; any other text stands for its own bytes.',
      ),
    ),
  }),
  responses: { 201: Type.Object({ ...endpointSchema.properties, secret: shownOnce }) },
  errors: [unsafeUrl, tooManyWebhookEndpoints, overloaded],
  secret: true,
  examples: {
    everything: { url: 'https://example.com/hooks/charging', events: ['*'] },
    sessions: { url: 'https://example.com/hooks', events: ['session.started', 'session.ended'], payload_format: 'b' },
  },
  async handle({ principal, body }, services) {
    const { organization_id } = principal.organization
    const events = once(body.events)
    const present = services.view().total(webhookEndpointsTable, 'byOrganization', [organization_id])
    if (present >= webhookEndpointLimits.webhookEndpoints) throw tooManyWebhookEndpoints(noMoreEndpoints)
    await requireSafeUrl(services, organization_id, body.url)
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
    const shown = endpointView(endpoint, { view: services.view(), clock: services.clock })
    return { status: 201, body: { ...shown, secret: made ?? null } }
  },
})

const listEndpoints = routes.list({ operationId: 'listWebhookEndpoints', summary: 'List webhook endpoints' })

const getEndpoint = routes.get({ operationId: 'getWebhookEndpoint', summary: 'Get a webhook endpoint' })

const updateBody = Type.Object({
  url: Type.Optional(fields.url),
  events: Type.Optional(fields.events),
  active: Type.Optional(fields.active),
  payload_format: Type.Optional(fields.payload_format),
  description: Type.Optional(nullable(Type.String({ maxLength: limits.webhookDescriptionCharacters, ...lines }))),
})

/** What is named by the body, and nothing else of it. */
function changesOf({ url, events, active, payload_format, description }: Static<typeof updateBody>) {
  return { url, events: events && once(events), active, payload_format, description }
}

const updateEndpoint = area.route({
  method: 'PATCH',
  path: '/{endpoint_id}',
  operationId: 'updateWebhookEndpoint',
  requires: [recentSignIn],
  summary: 'Update, pause or resume a webhook endpoint',
  description:
    'Deliveries that wait for a retry are sent to the new `url` in the new `payload_format`, at the time that was set for them. `active` true also switches on an endpoint that the service has disabled.',
  of: endpoints,
  body: updateBody,
  responses: { 200: endpointSchema },
  errors: [unsafeUrl, overloaded],
  examples: { pause: { active: false }, resume: { active: true } },
  async handle({ row: { endpoint_id, organization_id, url }, body }, services) {
    const changes = changesOf(body)
    if (changes.url !== undefined && changes.url !== url) await requireSafeUrl(services, organization_id, changes.url)
    const endpoint = await changeEndpoint(services, endpoint_id, { type: 'update', changes })
    return { status: 200, body: endpointView(endpoint, { view: services.view(), clock: services.clock }) }
  },
})

const deleteEndpoint = area.route({
  method: 'DELETE',
  path: '/{endpoint_id}',
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  description: 'A delivery that is being sent at this moment may still arrive.',
  of: endpoints,
  responses: { 204: null },
  errors: [overloaded],
  async handle({ row: { endpoint_id } }, services) {
    await changeEndpoint(services, endpoint_id, { type: 'remove' })
    return { status: 204 }
  },
})

const overlapSeconds = {
  minimum: 0,
  maximum: 7 * 24 * 3_600,
  default: 24 * 3_600,
  description: 'How long the secrets that were valid before remain valid. With 0, they become invalid at once.',
}

const rotateSecret = area.route({
  method: 'POST',
  path: '/{endpoint_id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  requires: [recentSignIn],
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'The secrets that were valid before remain valid for `overlap_seconds`: `webhook-signature` has a signature of each. `X-Webhook-Signature` and `X-Service-Signature` hold one signature, which is that of the oldest valid secret until the overlap ends; with an overlap of 0, it is that of the new secret at once. While three secrets are valid, only a rotation with an overlap of 0 is accepted. To end an overlap, send the present secret again with an overlap of 0.',
  of: endpoints,
  body: Type.Object({
    secret: Type.Optional(secretText('As for a new endpoint. If you leave it out, the service makes one.')),
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
  errors: [conflict, overloaded],
  secret: true,
  examples: { usual: {}, leaked: { overlap_seconds: 0 } },
  async handle({ row: { endpoint_id }, body }, services) {
    const made = body.secret === undefined ? secretOf(services.randomBytes(secretBytes)) : undefined
    const reply = await askEndpoint<RotationReply>(services, endpoint_id, {
      type: 'rotate-secret',
      secret: body.secret ?? (made as string),
      overlapMs: body.overlap_seconds * 1_000,
    })
    if (reply.type === 'too-many-secrets')
      throw conflict(
        `${webhookEndpointLimits.webhookSecrets} secrets are valid already; wait until one of them has ended, or end them with overlap_seconds 0`,
      )
    const { endpoint } = reply
    const until = endpoint.secrets[1]?.valid_until
    return {
      status: 200,
      body: {
        ...endpointView(endpoint, { view: services.view(), clock: services.clock }),
        secret: made ?? null,
        previous_secrets_valid_until: until === undefined ? null : new Date(until).toISOString(),
      },
    }
  },
})

export const webhookEndpointRoutes = [
  createEndpoint,
  listEndpoints,
  getEndpoint,
  updateEndpoint,
  deleteEndpoint,
  rotateSecret,
]
