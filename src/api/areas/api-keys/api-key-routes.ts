// The organization's API keys: created, listed, read.

import { Type } from 'typebox'
import { apiKeysTable, type Scope, scopes } from '../../../records/api-key.js'
import { membersTable } from '../../../records/member.js'
import { conflict, notFound } from '../../../runtime/errors.js'
import { forbidden } from '../../pipeline/errors.js'
import { makeKey } from '../../pipeline/make-key.js'
import { readPage } from '../../pipeline/paging.js'
import { timestamp } from '../../pipeline/schemas.js'
import { invalid } from '../../pipeline/steps/validate.js'
import { cutToRole, grants } from '../../surfaces/principal.js'
import { recentSignIn } from '../../surfaces/recent-sign-in.js'
import { keyEnd, keyName, keySchema, keyView, newKeySchema, requirePowers } from './api-keys.js'
import { apiKeys, area } from './area.js'
import { limits } from './limits.js'

const createApiKey = area.post('', {
  operationId: 'createApiKey',
  requires: [recentSignIn],
  summary: 'Create an API key',
  description:
    'The answer shows the key once. A key can have only scopes that the calling key has too. With `user_id`, the key is bound to a member: ' +
    "its scopes are cut to the member's role, now and whenever it is used, and it ends with the membership. A key with every scope also gets " +
    'the scopes that later versions of the service add.',
  body: Type.Object({
    name: keyName(),
    scopes: Type.Array(Type.Enum([...scopes]), {
      minItems: 1,
      maxItems: 100,
      description: 'What the key may do. The calling key must have these scopes too; `write:X` includes `read:X`.',
    }),
    user_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The member to whom the key is bound. If you leave it out, the key is bound to nobody.',
      }),
    ),
    expires_at: Type.Optional(
      timestamp(
        `The expiry date of the key: in the future, at most ${limits.apiKeyDays} days from now. Without it, the key does not expire.`,
      ),
    ),
  }),
  answer: newKeySchema,
  status: 201,
  errors: [forbidden, notFound, conflict],
  secret: true,
  examples: {
    reporting: { name: 'Reporting', scopes: ['read:charge_points', 'read:sessions'] },
    temporary: { name: 'Migration', scopes: ['write:charge_points'], expires_at: '2030-01-01T00:00:00Z' },
  },
  change({ principal, body }, draft, services) {
    const now = services.clock.now()
    const { organization_id } = principal.organization
    // A key that is being revoked, or loses what it may do, at this moment leaves no other behind.
    requirePowers(draft, principal)
    const wanted = scopes.filter((scope) => body.scopes.includes(scope))
    const lacking = wanted.filter((scope) => !grants(principal.scopes, scope))
    if (lacking.length > 0) throw forbidden(`the calling key lacks these scopes itself: ${lacking.join(', ')}`)
    const expiresAt = body.expires_at === undefined ? undefined : keyEnd(body.expires_at, now)
    let given: readonly Scope[] = wanted
    if (body.user_id !== undefined) {
      const member = draft.get(membersTable, [organization_id, body.user_id])
      if (member === undefined) throw notFound('there is no such member')
      given = cutToRole(wanted, member.role)
      if (given.length === 0)
        throw invalid([{ path: '/scopes', message: `has no scope that the role ${member.role} allows` }])
    }
    const tooMany = conflict(
      `an organization has at most ${limits.apiKeys} API keys: delete one that is no longer needed before you create another`,
    )
    draft.requireRoom(apiKeysTable, { index: 'byOrganization', group: [organization_id] }, limits.apiKeys, tooMany)
    const made = makeKey({
      organizationId: organization_id,
      name: body.name,
      scopes: given,
      userId: body.user_id,
      expiresAt,
      now,
      newId: services.newId,
      randomBytes: services.randomBytes,
    })
    return { ...keyView(draft.put(apiKeysTable, made.row), draft.view, now), key: made.key }
  },
})

const listApiKeys = area.list('', {
  operationId: 'listApiKeys',
  summary: 'List API keys without their secrets',
  description: 'Keys that have expired stay in the list for 90 days.',
  filters: {
    user_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Returns only keys that are bound to this member.' }),
    ),
  },
  row: keySchema,
  perPage: 50,
  maximum: 200,
  read({ principal, query }, services) {
    const view = services.view()
    const now = services.clock.now()
    const { organization_id } = principal.organization
    const list =
      query.user_id === undefined
        ? { index: 'byOrganization', group: [organization_id] }
        : { index: 'byUser', group: [organization_id, query.user_id] }
    const { rows, total } = readPage({ view, table: apiKeysTable, list, query })
    return { rows: rows.map((row) => keyView(row, view, now)), total }
  },
})

const getApiKey = area.get('/{key_id}', {
  operationId: 'getApiKey',
  summary: 'Get an API key without its secret',
  of: apiKeys,
  answer: keySchema,
  read: ({ row }, services) => keyView(row, services.view(), services.clock.now()),
})

export const apiKeyRoutes = [createApiKey, listApiKeys, getApiKey]
