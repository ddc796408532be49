// What happens to an API key after it was created: renamed, given an expiry date, rotated, revoked.

import { Type } from 'typebox'
import { type ApiKey, apiKeysTable, apiKeyUsesTable, scopesOf } from '../../../records/api-key.js'
import { putRow } from '../../pipeline/changes.js'
import type { Draft } from '../../pipeline/draft.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKeyText, sha256Hex } from '../../pipeline/make-key.js'
import { nullable, timestamp } from '../../pipeline/schemas.js'
import { formatTimestamp } from '../../pipeline/timestamp.js'
import { isExpired } from '../../surfaces/api-key.js'
import { grants } from '../../surfaces/principal.js'
import { recentSignIn, requireRecentSignIn, signInAgain } from '../../surfaces/recent-sign-in.js'
import {
  keyEnd,
  keyName,
  keySchema,
  keyView,
  newKeySchema,
  removeKey,
  requireLiving,
  requirePowers,
} from './api-keys.js'
import { apiKeys, area } from './area.js'
import { lastKey } from './errors.js'
import { requireMakerAfter } from './last-key.js'
import { limits } from './limits.js'

/** Its former text, while that is still good. */
function livingSecret({ previous_secret: previous }: ApiKey, now: number): ApiKey['previous_secret'] {
  return previous === undefined || isExpired(previous, now) ? undefined : previous
}

/** The note of a key's last use goes when the key does. */
function keepUseUntilEnd({ key_id, expires_at }: ApiKey, draft: Draft): void {
  const use = draft.view.get(apiKeyUsesTable, [key_id])
  if (use === undefined || use.expires_at === expires_at) return
  const { last_used_at } = use
  const kept = { key_id, last_used_at, ...(expires_at !== undefined && { expires_at }) }
  draft.add({ changes: [putRow(apiKeyUsesTable, kept)] })
}

const changeApiKey = area.patch('/{key_id}', {
  operationId: 'changeApiKey',
  summary: 'Update the name or the expiry date of an API key',
  description:
    'The scopes and the member of a key cannot be changed: create another key. A key that has expired cannot be brought back. From a session of the console, ' +
    'to have a key expire later or not at all takes a sign-in of the last five minutes.',
  of: apiKeys,
  body: Type.Object({
    name: Type.Optional(keyName()),
    expires_at: Type.Optional(
      nullable(
        timestamp(`The expiry date: in the future, at most ${limits.apiKeyDays} days from now. null removes it.`),
      ),
    ),
  }),
  answer: keySchema,
  errors: [lastKey, signInAgain],
  examples: { renamed: { name: 'Reporting, until June', expires_at: '2030-06-30T22:00:00Z' } },
  async change({ row: before, body, principal }, draft, services) {
    const now = services.clock.now()
    requireLiving(before, now)
    let end = before.expires_at
    if (body.expires_at !== undefined) end = body.expires_at === null ? undefined : keyEnd(body.expires_at, now)
    const isSooner = end !== undefined && (before.expires_at === undefined || end < before.expires_at)
    if (!isSooner && end !== before.expires_at) requireRecentSignIn(principal)
    if (isSooner) await requireMakerAfter(draft, before, Date.parse(end as string), now)
    const row = draft.put(apiKeysTable, {
      ...before,
      name: body.name ?? before.name,
      expires_at: end,
      previous_secret: livingSecret(before, now),
    })
    keepUseUntilEnd(row, draft)
    return keyView(row, draft.view, now)
  },
})

const rotateApiKey = area.post('/{key_id}/rotate', {
  operationId: 'rotateApiKey',
  requires: [recentSignIn],
  summary: 'Rotate an API key',
  description:
    'The key gets a new secret, which the answer shows once. Its id, name, scopes, member and expiry date stay. The old secret remains valid for ' +
    '`overlap_seconds`; one from an earlier rotation becomes invalid at once. A key that rotates itself should use some overlap, in case this ' +
    'answer is lost.',
  of: apiKeys,
  body: Type.Object({
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: limits.keyOverlapSeconds,
        default: 0,
        description: 'How long the old secret remains valid. With 0, it becomes invalid at once.',
      }),
    ),
  }),
  bodyOptional: true,
  answer: newKeySchema,
  errors: [forbidden],
  secret: true,
  examples: { withOverlap: { overlap_seconds: 3_600 } },
  change({ row: before, principal, body }, draft, services) {
    const now = services.clock.now()
    requireLiving(before, now)
    if (before.key_id !== principal.key?.key_id) {
      const lacking = scopesOf(before).filter((scope) => !grants(principal.scopes, scope))
      if (lacking.length > 0) throw forbidden(`the key has scopes that the calling key lacks: ${lacking.join(', ')}`)
      // A key that is being revoked, or loses what it may do, at this moment gets hold of no other.
      requirePowers(draft, principal)
    }
    const key = makeKeyText(before.key_id, services.randomBytes)
    const overlapMs = (body.overlap_seconds ?? 0) * 1_000
    const previous = { sha256: before.secret_sha256, expires_at: formatTimestamp(now + overlapMs) }
    const row = draft.put(apiKeysTable, {
      ...before,
      secret_sha256: sha256Hex(key),
      previous_secret: overlapMs > 0 ? previous : undefined,
    })
    return { ...keyView(row, draft.view, now), key }
  },
})

const deleteApiKey = area.delete('/{key_id}', {
  operationId: 'deleteApiKey',
  summary: 'Revoke an API key at once',
  description:
    'A key may revoke itself. A key that may create keys cannot be revoked unless another one may create keys with the same scopes, because ' +
    'the organization would be locked out (409 `last_key`): rotate it, or create another one first.',
  params: apiKeys.params.properties,
  answer: null,
  errors: [lastKey],
  async change({ principal, params }, draft, services) {
    const row = apiKeys.own(draft.view, principal, params.key_id)
    const now = services.clock.now()
    await requireMakerAfter(draft, row, now, now)
    removeKey(row, draft)
    return undefined
  },
})

export const apiKeyChangeRoutes = [changeApiKey, rotateApiKey, deleteApiKey]
