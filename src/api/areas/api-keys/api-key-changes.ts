// What happens to an API key after it was made: renamed, given an end, its text replaced, revoked.

import { Type } from 'typebox'
import { type ApiKey, apiKeysTable, apiKeyUsesTable, scopesOf } from '../../../records/api-key.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import type { ReadView } from '../../../runtime/store/store.js'
import { putRow } from '../../pipeline/changes.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKeyText, sha256Hex } from '../../pipeline/make-key.js'
import { defineRoute } from '../../pipeline/route.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { operator } from '../../surfaces/operator.js'
import { grants } from '../../surfaces/principal.js'
import {
  keyEnd,
  keyName,
  keyParams,
  keySchema,
  keyUnchanged,
  keyView,
  newKeySchema,
  ownKey,
  powersUnchanged,
  removeKey,
  requireLiving,
} from './api-keys.js'
import { lastKey } from './errors.js'
import { afterTheEndOf } from './last-key.js'
import { limits } from './limits.js'

/** The row under its next version, without a former text that is no good any more. */
function changed(key: ApiKey, now: number): ApiKey {
  const { previous_secret, ...rest } = key
  const kept = previous_secret !== undefined && Date.parse(previous_secret.expires_at) > now
  return { ...rest, version: (key.version ?? 0) + 1, ...(kept && { previous_secret }) }
}

/** The note of a key's last use goes when the key does. */
function usesUntil({ key_id, expires_at }: ApiKey, view: ReadView) {
  const use = view.get(apiKeyUsesTable, [key_id])
  if (use === undefined || use.expires_at === expires_at) return []
  return [
    putRow(apiKeyUsesTable, {
      key_id,
      last_used_at: use.last_used_at,
      ...(expires_at !== undefined && { expires_at }),
    }),
  ]
}

const changeApiKey = defineRoute({
  method: 'PATCH',
  path: '/api/v1/org/api-keys/{key_id}',
  operationId: 'changeApiKey',
  summary: 'Rename an API key, or set its end',
  description:
    'Scopes and member of a key never change: make another key. An expired key cannot be brought back. `expires_at` null takes the end away.',
  tags: ['API keys'],
  surface: operator,
  scopes: ['write:api_keys'],
  params: keyParams,
  body: Type.Object({
    name: Type.Optional(keyName()),
    expires_at: Type.Optional(nullable(timestamp(`in the future, at most ${limits.apiKeyDays} days`))),
  }),
  responses: { 200: keySchema },
  errors: [notFound, conflict, lastKey],
  sheddable: 'never',
  examples: { renamed: { name: 'Reporting, until June', expires_at: '2030-06-30T22:00:00Z' } },
  async handle({ principal, params, body }, services) {
    const view = services.view()
    const now = services.clock.now()
    const before = ownKey(view, principal, params.key_id)
    requireLiving(before, now)
    const conditions = [keyUnchanged(before)]
    const { expires_at, ...endless } = changed(before, now)
    let end = expires_at
    if (body.expires_at !== undefined) end = body.expires_at === null ? undefined : keyEnd(body.expires_at, now)
    const isSooner = end !== undefined && (expires_at === undefined || end < expires_at)
    if (isSooner) conditions.push(...(await afterTheEndOf(before, Date.parse(end as string), view)))
    const row: ApiKey = {
      ...endless,
      ...(body.name !== undefined && { name: body.name }),
      ...(end !== undefined && { expires_at: end }),
    }
    return {
      status: 200,
      body: keyView(row, view, now),
      changes: [putRow(apiKeysTable, row), ...usesUntil(row, view)],
      conditions,
    }
  },
})

const rotateApiKey = defineRoute({
  method: 'POST',
  path: '/api/v1/org/api-keys/{key_id}/rotate',
  operationId: 'rotateApiKey',
  summary: 'Replace the text of an API key',
  description:
    'The new text is shown once; id, name, scopes, member and end stay. The old text stays good for `overlap_seconds`; one from an earlier rotation ends at once. A key that rotates itself should leave itself some overlap, in case this answer is lost.',
  tags: ['API keys'],
  surface: operator,
  scopes: ['write:api_keys'],
  params: keyParams,
  body: Type.Object({
    overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.keyOverlapSeconds, default: 0 })),
  }),
  bodyOptional: true,
  responses: { 200: newKeySchema },
  errors: [forbidden, notFound, conflict],
  sheddable: 'never',
  secret: true,
  examples: { withOverlap: { overlap_seconds: 3_600 } },
  handle({ principal, params, body }, services) {
    const view = services.view()
    const now = services.clock.now()
    const before = ownKey(view, principal, params.key_id)
    requireLiving(before, now)
    const isOwn = before.key_id === principal.key.key_id
    const lacking = isOwn ? [] : scopesOf(before).filter((scope) => !grants(principal.scopes, scope))
    if (lacking.length > 0) throw forbidden(`a key cannot get hold of what it lacks: ${lacking.join(', ')}`)
    const key = makeKeyText(before.key_id, services.randomBytes)
    const overlapMs = (body.overlap_seconds ?? 0) * 1_000
    const { previous_secret, ...rest } = changed(before, now)
    const row: ApiKey = {
      ...rest,
      secret_sha256: sha256Hex(key),
      ...(overlapMs > 0 && {
        previous_secret: { sha256: before.secret_sha256, expires_at: formatTimestamp(now + overlapMs) },
      }),
    }
    return {
      status: 200,
      body: { ...keyView(row, view, now), key },
      changes: [putRow(apiKeysTable, row)],
      // A key that is being revoked, or loses what it may do, at this moment gets hold of no other.
      conditions: [keyUnchanged(before), ...(isOwn ? [] : powersUnchanged(principal.key, principal.member))],
    }
  },
})

const deleteApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/v1/org/api-keys/{key_id}',
  operationId: 'deleteApiKey',
  summary: 'Revoke an API key at once',
  description:
    'Also the key of this very request. Not the last one that may make keys: the organization could not help itself any more. Rotate that one, or make another first.',
  tags: ['API keys'],
  surface: operator,
  scopes: ['write:api_keys'],
  params: keyParams,
  responses: { 204: null },
  errors: [notFound, lastKey],
  sheddable: 'never',
  async handle({ principal, params }, services) {
    const view = services.view()
    const row = ownKey(view, principal, params.key_id)
    return {
      status: 204,
      changes: removeKey(row),
      conditions: await afterTheEndOf(row, services.clock.now(), view),
    }
  },
})

export const apiKeyChangeRoutes = [changeApiKey, rotateApiKey, deleteApiKey]
