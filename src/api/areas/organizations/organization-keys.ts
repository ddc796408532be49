// The way back for an organization that has locked itself out: the operator of the installation gives it a new API key. Both audit logs
// have it.

import { Type } from 'typebox'
import { apiKeysTable, scopes } from '../../../records/api-key.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKey } from '../../pipeline/make-key.js'
import { timestamp } from '../../pipeline/schemas.js'
import { grants } from '../../surfaces/principal.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { keyEnd, keyName, keyView, newKeySchema, requirePowers } from '../api-keys/api-keys.js'
import { limits as keyLimits } from '../api-keys/limits.js'
import { area, organizations } from './area.js'
import { operated } from './operator.js'

const createOrganizationKey = area.post('/{org_id}/api-keys', {
  operationId: 'createOrganizationApiKey',
  requires: [recentSignIn],
  summary: 'Create an API key for an organization that has lost its own',
  description:
    'Only for API keys of the organization that operates the installation, and only for those that have every scope. The new key has every scope, ' +
    "is bound to no member, and is shown once, in this answer. The organization's other keys stay as they are. The audit logs of both " +
    'organizations record it.',
  of: operated(organizations, 'only the organization that operates the installation can create keys for organizations'),
  body: Type.Object({
    name: Type.Optional({ ...keyName(), default: 'Recovery key' }),
    expires_at: Type.Optional(
      timestamp(
        `The expiry date of the key: in the future, at most ${keyLimits.apiKeyDays} days from now. Without it, the key does not expire.`,
      ),
    ),
  }),
  bodyOptional: true,
  answer: newKeySchema,
  status: 201,
  errors: [forbidden],
  secret: true,
  examples: { recovery: { name: 'Recovery key' } },
  change({ row: { organization_id }, principal, body }, draft, services) {
    // Otherwise a key with few scopes would get one with all of them, for its own organization too.
    if (!scopes.every((scope) => grants(principal.scopes, scope)))
      throw forbidden('the calling key does not have every scope itself')
    requirePowers(draft, principal)
    const now = services.clock.now()
    // No bound: an organization that has filled its list with keys of no use is one of those that need this.
    const { row, key } = makeKey({
      organizationId: organization_id,
      name: body.name ?? 'Recovery key',
      scopes,
      expiresAt: body.expires_at === undefined ? undefined : keyEnd(body.expires_at, now),
      now,
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    draft.concern({ organizationId: organization_id })
    return { ...keyView(draft.put(apiKeysTable, row), draft.view, now), key }
  },
})

export const organizationKeyRoutes = [createOrganizationKey]
